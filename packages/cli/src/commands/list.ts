/** All commands, in the order of the help. */
import * as Askable from "../asking/askable.ts"
import * as Command from "effect/cli/Command"
import { chain } from "./chain.ts"
import * as Contract from "./contract.ts"
import * as Sandbox from "./sandbox.ts"

/** What `estimate` prices, too. */
const estimate = Command.make("estimate").pipe(
  Command.withDescription("Price a query without sending it"),
  Command.withSubcommands([Askable.estimate(chain)])
)

export const commands = [
  Askable.ask(chain),
  estimate,
  Sandbox.command,
  Contract.command
] as const
