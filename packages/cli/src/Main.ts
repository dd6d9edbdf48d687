/**
 * The command line `marketdata`, as an effect over its arguments.
 *
 * @since 0.1.0
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as ChainCommand from "./ChainCommand.ts"
import * as ContractCommand from "./ContractCommand.ts"
import * as Defect from "./Defect.ts"
import * as SafeConsole from "./SafeConsole.ts"
import * as SandboxCommand from "./SandboxCommand.ts"

const version = "0.1.0"

const marketdata = Command.provide(
  Command.make("marketdata").pipe(
    Command.withDescription("Option chains of the Market Data API, priced before they are asked for"),
    Command.withSubcommands([ChainCommand.command, SandboxCommand.command, ContractCommand.command])
  ),
  SafeConsole.layer
)

/**
 * Runs the command line. A failure is printed as one line on standard error, and fails with the status 1, as does a defect, with what to report;
 * errors of usage print their own. Standard output holds what was asked for and nothing else: logs go to standard error.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (arguments_: ReadonlyArray<string>) =>
  Command.runWith(marketdata, { version })(arguments_).pipe(
    Effect.tapCause((cause) => Cause.hasInterruptsOnly(cause) ? Effect.void : report(cause)),
    Effect.provideService(CliOutput.Presenter, SafeConsole.presenter),
    Effect.provideService(Logger.LogToStderr, true)
  )

const report = <E extends Failure>(cause: Cause.Cause<E>): Effect.Effect<void> =>
  Result.match(Cause.findError(cause), {
    onSuccess: (error) => CliError.isCliError(error) ? Effect.void : Console.error(failureOf(error)),
    onFailure: (defects) => Effect.flatMap(lastWords(Cause.squash(defects)), Console.error)
  })

/**
 * The one line that a defect ends with. The token is looked up, so that the line cannot hold it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lastWords = (defect: unknown): Effect.Effect<string> =>
  Config.option(Config.Redacted("MARKETDATA_TOKEN")).pipe(
    Effect.orElseSucceed(() => Option.none()),
    Effect.map((token) =>
      Defect.format(defect, { version, token: Option.getOrUndefined(Option.map(token, Redacted.value)) })
    )
  )

interface Failure {
  readonly _tag: string
  readonly message: string
  readonly reason?: unknown
}

/** One line, whatever the message was put together of: a schema says in the next one which variable it speaks of. */
const failureOf = (error: Failure): string =>
  `error: ${ForeignText.line(error.message.replace(/\s*\n\s*/g, " "))}${hint(error)}`

/** What to type, where the library's advice speaks of code. */
const hint = ({ _tag, reason }: Failure): string =>
  _tag === "MarketDataError" && needsContracts(reason) ? ". On the command line: --contracts COUNT" : ""

const needsContracts = (reason: unknown): boolean =>
  (reason instanceof CreditBudgetExceeded && reason.cause === "Unbounded") ||
  (reason instanceof FallbackDeclined && reason.price === undefined)
