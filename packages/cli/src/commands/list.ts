/** All commands, in the order of the help. */
import * as Command from "effect/cli/Command"
import * as Askable from "../asking/askable.ts"
import { askables } from "./askables.ts"
import * as Account from "./account.ts"
import * as Auth from "./auth.ts"
import * as Cache from "./cache.ts"
import * as Config from "./config.ts"
import * as Contract from "./contract.ts"
import * as Doctor from "./doctor.ts"
import * as Plan from "./plan.ts"
import * as Sandbox from "./sandbox.ts"
import * as Symbol from "./symbol.ts"

/** What the groups of commands are about. */
const groups: Readonly<Record<Askable.Group, string>> = {
  stock: "Quotes, prices, candles, news and earnings of stocks",
  fund: "Candles of funds",
  market: "The days on which the market is open"
}

/** Commands by themselves, and those of a group under its name, each made of its declaration. */
const grouped = <Made extends Command.Command.Any>(make: (askable: Askable.Askable) => Made) => [
  ...askables.filter(({ under }) => under === undefined).map(make),
  ...(Object.keys(groups) as ReadonlyArray<Askable.Group>).map((name) =>
    Command.make(name).pipe(
      Command.withDescription(groups[name]),
      Command.withSubcommands(askables.filter(({ under }) => under === name).map(make))
    )
  )
]

const estimate = Command.make("estimate").pipe(
  Command.withDescription(
    "Price a query without sending it: in each mode, for a schedule (--when), against a budget (--budget), for data that are fresh enough (--fresh-within)"
  ),
  Command.withSubcommands(grouped(Askable.estimate))
)

export const commands = [
  ...grouped(Askable.ask),
  estimate,
  Plan.command,
  Symbol.command,
  Account.command,
  Cache.command,
  Auth.command,
  Config.command,
  Doctor.command,
  Sandbox.command,
  Contract.command
]

/** The commands of groups by their names, for who types the name alone; those of `estimate` have the same. */
export const places = commands.filter(({ name }) => name !== "estimate").flatMap((group) =>
  group.subcommands.flatMap(({ commands }) => commands).map(({ name }) => ({
    name,
    typed: `marketdata ${group.name} ${name}`
  }))
)
