/** `marketdata cache`: the replies that are kept on this machine. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

const job = Effect.promise(() => import("../jobs/cache.ts"))

const status = Command.make("status", {}, () => Effect.flatMap(job, ({ status }) => status)).pipe(
  Command.withDescription(
    "Show where replies are kept, how many there are and how large, of when, of which commands, and what is damaged"
  ),
  Command.withExamples([
    { command: "marketdata cache status", description: "What is kept" },
    { command: "marketdata cache status --json", description: "As JSON" },
    { command: "marketdata cache status --format csv", description: "A row for each command" }
  ])
)

const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do not ask, as in a script"),
  Flag.withDefault(false)
)

const clear = Command.make("clear", { yes }, ({ yes }) => Effect.flatMap(job, ({ clear }) => clear(yes))).pipe(
  Command.withDescription("Remove all replies that are kept. What was spent stays recorded"),
  Command.withExamples([
    { command: "marketdata cache clear --yes", description: "Remove them" },
    { command: "marketdata cache clear --yes --json", description: "As JSON" },
    { command: "marketdata cache clear --yes --format csv", description: "As CSV" }
  ])
)

export const command = Command.make("cache").pipe(
  Command.withDescription("See and clear the replies that are kept on this machine"),
  Command.withSubcommands([status, clear])
)
