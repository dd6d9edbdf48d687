/**
 * The command line `marketdata`, as an effect over its arguments.
 *
 * @since 0.1.0
 */
import { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ChainCommand from "./ChainCommand.ts"
import * as ContractCommand from "./ContractCommand.ts"
import * as SandboxCommand from "./SandboxCommand.ts"

const marketdata = Command.make("marketdata").pipe(
  Command.withDescription("Option chains of the Market Data API, priced before they are asked for"),
  Command.withSubcommands([ChainCommand.command, SandboxCommand.command, ContractCommand.command])
)

/**
 * Runs the command line. A failure is printed as one message on standard error, and fails with the status 1; errors of usage print
 * their own.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (arguments_: ReadonlyArray<string>) =>
  Command.runWith(marketdata, { version: "0.1.0" })(arguments_).pipe(
    Effect.tapError((error) =>
      CliError.isCliError(error) ? Effect.void : Console.error(`error: ${inOneLine(error.message)}${hint(error)}`)
    )
  )

/** Whatever a message breaks its lines for: a schema says in the next one which variable it speaks of. */
const inOneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ")

/** What to type, where the library's advice speaks of code. */
const hint = (error: { readonly _tag: string; readonly reason?: unknown }): string =>
  error._tag === "MarketDataError" && needsContracts(error.reason) ? ". On the command line: --contracts COUNT" : ""

const needsContracts = (reason: unknown): boolean =>
  (reason instanceof CreditBudgetExceeded && reason.cause === "Unbounded") ||
  (reason instanceof FallbackDeclined && reason.price === undefined)
