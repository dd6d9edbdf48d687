/** `marketdata config`: the settings, seen and changed. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"

const job = Effect.promise(() => import("../jobs/config.ts"))

const name = Argument.String("name").pipe(Argument.withDescription("The name of a setting, such as mode"))

const list = Command.make("list", {}, () => Effect.flatMap(job, ({ list }) => list)).pipe(
  Command.withDescription("Show every setting, its value and where it comes from"),
  Command.withExamples([
    { command: "marketdata config list", description: "All settings" },
    { command: "marketdata config list --json", description: "As JSON, with what is wrong" },
    { command: "marketdata config list --format csv", description: "As CSV" }
  ])
)

const get = Command.make("get", { name }, ({ name }) => Effect.flatMap(job, ({ get }) => get(name))).pipe(
  Command.withDescription("Print the value of a setting, and nothing where it is not set"),
  Command.withExamples([
    { command: "marketdata config get mode", description: "The mode that commands ask for" },
    { command: "marketdata config get confirmAbove", description: "From how many credits on you are asked" },
    { command: "marketdata config get timeout --json", description: "With where it comes from" }
  ])
)

const value = Argument.String("value").pipe(Argument.withDescription("What it is from now on"))

const set = Command.make(
  "set",
  { name, value },
  ({ name, value }) => Effect.flatMap(job, ({ set }) => set(name, value))
).pipe(
  Command.withDescription("Set a value in the file of settings; its comments stay"),
  Command.withExamples([
    { command: "marketdata config set mode cached", description: "Ask for cached data where --mode is left out" },
    { command: "marketdata config set confirmAbove 500", description: "Be asked above 500 credits" },
    { command: "marketdata config set timeout 30s", description: "Stop every command after 30 seconds" }
  ])
)

const unset = Command.make("unset", { name }, ({ name }) => Effect.flatMap(job, ({ unset }) => unset(name))).pipe(
  Command.withDescription("Take a value out of the file of settings"),
  Command.withExamples([
    { command: "marketdata config unset mode", description: "Let the account's plan decide again" },
    { command: "marketdata config unset timeout", description: "Wait as long as it takes" },
    { command: "marketdata config unset confirmAbove --json", description: "As JSON" }
  ])
)

const path = Command.make("path", {}, () => Effect.flatMap(job, ({ path }) => path)).pipe(
  Command.withDescription("Print where the file of settings is, or would be"),
  Command.withExamples([
    { command: "marketdata config path", description: "To open it in an editor" },
    { command: "marketdata config path --json", description: "And whether it exists" },
    { command: "marketdata config path --format csv", description: "As CSV" }
  ])
)

export const command = Command.make("config").pipe(
  Command.withDescription("See and change the settings"),
  Command.withSubcommands([list, get, set, unset, path])
)
