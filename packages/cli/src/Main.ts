/**
 * The command line `marketdata`, as an effect over its arguments.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ChainCommand from "./ChainCommand.ts"
import * as SandboxCommand from "./SandboxCommand.ts"

const marketdata = Command.make("marketdata").pipe(
  Command.withDescription("Option chains of the Market Data API, priced before they are asked for"),
  Command.withSubcommands([ChainCommand.command, SandboxCommand.command])
)

/**
 * Runs the command line. A failure is printed as one message on standard error and fails with the status 1; usage errors print their
 * own.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (arguments_: ReadonlyArray<string>) =>
  Command.runWith(marketdata, { version: "0.1.0" })(arguments_).pipe(
    Effect.tapError((error) =>
      "_tag" in error && isOurs(error._tag) ? Console.error(`error: ${error.message}`) : Effect.void
    )
  )

const isOurs = (tag: string): boolean =>
  tag === "MarketDataError" || tag === "SavedReplyError" || tag === "ConfigError" || tag === "ListenError"
