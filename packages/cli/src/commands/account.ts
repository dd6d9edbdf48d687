/** `marketdata account`: what the service says of the account, and what this machine has spent of it. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { sandboxFlags } from "../asking/flags.ts"
import { defaultTo } from "../text/defaultTo.ts"

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("DAY"), Flag.withDescription(description), Flag.optional)

const history = {
  since: day(
    "since",
    "From this day on in New York, as YYYY-MM-DD, today, yesterday or \"5 days ago\"; with --history"
  ),
  until: day("until", "Up to this day, which counts; with --history"),
  by: Flag.Literals("by", ["request", "query", "program", "day"]).pipe(
    defaultTo("A row for each request, or the sums by query, by who asked, or by day; with --history", "request")
  )
}

/** What the flags of the history give. */
export type History = Command.Command.Config.Infer<typeof history>

export const command = Command.make(
  "account",
  {
    ...sandboxFlags,
    isHistory: Flag.Boolean("history").pipe(
      Flag.withDescription(
        "Show what this machine has spent at the service: on what, when, and who asked. It sends nothing"
      ),
      Flag.withDefault(false)
    ),
    history
  },
  ({ history, isHistory, ...sandbox }) =>
    isHistory
      ? Effect.flatMap(Effect.promise(() => import("../jobs/history.ts")), ({ run }) => run(history))
      : Effect.flatMap(Effect.promise(() => import("../jobs/account.ts")), ({ run }) => run(sandbox, history))
).pipe(
  Command.withDescription(
    "Show the credits that are left, when they are full again, and what the account may see. It is free. With --history, what was spent"
  ),
  Command.withExamples([
    { command: "marketdata account", description: "Credits and entitlement" },
    {
      command: "marketdata account --history --since \"7 days ago\" --by query",
      description: "What was spent, on what"
    },
    { command: "marketdata account --plan free", description: "Of the free account of the embedded sandbox" }
  ])
)
