/**
 * The command line `marketdata`, as an effect over its arguments.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import type * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Typed from "./asking/typed.ts"
import { commands, places } from "./commands/list.ts"
import * as Defect from "./failure/defect.ts"
import * as Failure from "./failure/failure.ts"
import * as Usage from "./failure/usage.ts"
import { globalFlags } from "./output/globalFlags.ts"
import * as Output from "./output/output.ts"
import * as Own from "./settings/own.ts"
import * as Safe from "./text/safe.ts"
import * as Provider from "./settings/provider.ts"
import * as TokenStore from "./settings/tokenStore.ts"
import { version } from "./text/version.ts"

const marketdata = Command.make("marketdata").pipe(
  Command.withDescription("Option chains of the Market Data API, priced before they are asked for"),
  Command.withSubcommands(commands),
  Command.provide(Output.layer.pipe(
    Layer.provideMerge(TerminalCapabilities.layer),
    Layer.provideMerge(Provider.layer),
    Layer.merge(Safe.layer)
  )),
  Command.withGlobalFlags(globalFlags)
)

/**
 * Runs the command line. Standard output holds what was asked for and nothing else. A failure is told on standard error, as a line or, where JSON was
 * asked for, as JSON, and has the exit code of its class; a defect is told with what to report.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (arguments_: ReadonlyArray<string>) =>
  Effect.contextWith((services: Context.Context<FileSystem.FileSystem | Path.Path>) => {
    const asJson = Usage.wantsJson(arguments_, Effect.provideContext(formatSetting, services))
    let typed = withoutWords(arguments_)
    const command = Effect.suspend(() =>
      Effect.provideService(Command.runWith(marketdata, { version })(typed), Typed.Typed, typed)
    )
    return Effect.andThen(canBeAsked(arguments_), command).pipe(
      Effect.tapErrorTag("Instead", ({ words }) => Effect.sync(() => void (typed = words))),
      Effect.retry({ while: ({ _tag }) => _tag === "Instead" }),
      Effect.catchCause((cause) => Effect.flatMap(asJson, (asJson) => report(cause, asJson))),
      Effect.provideService(CliOutput.Presenter, Usage.presenter(asJson, places)),
      Effect.provideService(Logger.LogToStderr, true),
      // What the client logs is in the report of the answer, too; --log-level shows the rest.
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  })

/** Reads `help chain` and `version`, which other programs have as commands, as flags. */
const withoutWords = (arguments_: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...others] = arguments_
  return first === "help"
    ? [...others, "--help"]
    : first === "version" && others.length === 0
    ? ["--version"]
    : arguments_
}

/** The setting of the format, also where the command line or a setting is wrong: then a failure is told as text. */
const formatSetting = Config.withDefault(Own.format, "table").pipe(
  Effect.provide(Provider.layer),
  Effect.orElseSucceed(() => "table")
)

/** Effect's wizard draws its menus wherever its output goes, and breaks where nobody can answer. */
const canBeAsked = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  if (!arguments_.includes("--wizard")) return
  const { stdinIsTerminal, stdoutIsTerminal } = yield* Stdio.Stdio
  if ((yield* stdinIsTerminal) && (yield* stdoutIsTerminal)) return
  return yield* new Failure.CommandError({
    class: "usage",
    reason: "NoTerminal",
    message: "--wizard needs a terminal: it asks what to type",
    next: "see what there is with `marketdata --help`"
  })
})

/** Tells why a command failed, and fails with its exit code. */
const report = <E extends { readonly _tag: string; readonly message: string }>(
  cause: Cause.Cause<E>,
  asJson: boolean
): Effect.Effect<void, Failure.CommandError | CliError.CliError> =>
  Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Result.match(Cause.findError(cause), {
    onSuccess: (error) => {
      if (CliError.isCliError(error)) return Usage.outcome(error)
      const failure = Failure.of(error)
      return Effect.andThen(
        Console.error(asJson ? Failure.json(failure) : Failure.format(failure)),
        Effect.fail(failure)
      )
    },
    onFailure: () =>
      Effect.flatMap(lastWords(Cause.squash(cause)), (line) =>
        Effect.andThen(
          Console.error(line),
          Effect.fail(new Failure.CommandError({ class: "failed", reason: "Defect", message: line }))
        ))
  })

/**
 * The one line that a defect ends with. The token is looked up, or the kept one that was read, so that the line cannot hold it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lastWords = (defect: unknown): Effect.Effect<string> =>
  Config.option(Config.Redacted("MARKETDATA_TOKEN")).pipe(
    Effect.orElseSucceed(() => Option.none()),
    Effect.map((token) =>
      Defect.format(defect, {
        version,
        token: Option.getOrElse(Option.map(token, Redacted.value), TokenStore.lastRead)
      })
    )
  )
