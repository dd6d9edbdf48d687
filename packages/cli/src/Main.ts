/**
 * The command line `marketdata`, as an effect over its arguments.
 *
 * @since 0.1.0
 */
import { ForeignText } from "@effect-marketdata/core"
import type { Context, FileSystem, Path } from "effect"
import { Cause, Config, Console, Effect, Layer, Logger, Option } from "effect"
import { Redacted, References, Result, Stdio, Terminal } from "effect"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import { basename } from "node:path"
import { QueryCommands } from "./call/command.ts"
import { commands, places, queryCommands } from "./commands/list.ts"
import * as Failure from "./failure/failure.ts"
import { Typed } from "./failure/names.ts"
import * as Usage from "./failure/usage.ts"
import * as Ending from "./output/ending.ts"
import * as Output from "./output/output.ts"
import * as ConfigFile from "./settings/configFile.ts"
import * as Settings from "./settings/settings.ts"
import * as TokenStore from "./settings/tokenStore.ts"
import * as Span from "./text/span.ts"
import { version } from "./text/version.ts"

/** Runs a command line, with the typed command loaded. */
const runTyped = (typed: ReadonlyArray<string>) =>
  Effect.flatMap(commands(typed), (commands) => {
    const marketdata = Command.make("marketdata").pipe(
      Command.withDescription("Option chains of the Market Data API, priced before they are asked for"),
      Command.withSubcommands(commands),
      Command.provide(Output.layer.pipe(
        Layer.provideMerge(TerminalCapabilities.layer),
        Layer.provideMerge(ConfigFile.layer),
        Layer.merge(Output.safeConsole),
        Layer.merge(Layer.succeed(QueryCommands, queryCommands))
      )),
      Command.withGlobalFlags(Output.globalFlags)
    )
    return Effect.provideService(Command.runWith(marketdata, { version })(typed), Typed, typed)
  })

/**
 * Runs the command line. Standard output holds what was asked for and nothing else. A failure is told on standard error, as a line or, where JSON was
 * asked for, as JSON, and has the exit code of its class; a defect is told with what to report.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (arguments_: ReadonlyArray<string>) =>
  Effect.contextWith(
    (services: Context.Context<FileSystem.FileSystem | Path.Path | Stdio.Stdio | Terminal.Terminal>) => {
      const tell = Effect.fnUntraced(function*(failure: Failure.CommandError) {
        const told = failure.variable !== undefined ? yield* namingValue(failure) : failure
        const isJson = Ending.typedJson(arguments_) ?? /^jsonl?$/.test(yield* formatSetting)
        if (isJson) return yield* Console.error(Failure.json(told))
        const width = yield* Output.widthOf((yield* Stdio.Stdio).stderrIsTerminal, yield* Terminal.Terminal)
        yield* Console.error(Span.format(Failure.lines(told).flatMap((line) => Span.wrap(line, width)), false))
      }, Effect.provideContext(services))
      let typed = withoutWords(arguments_)
      return Effect.andThen(check(arguments_), Effect.suspend(() => runTyped(typed))).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => void (typed = error instanceof Failure.Instead ? error.words : typed))
        ),
        Effect.retry({ while: (error) => error instanceof Failure.Instead }),
        Effect.catchCause((cause) => report(cause, tell)),
        Effect.provideService(CliOutput.Presenter, Usage.presenter(tell, places)),
        Effect.provideService(CliConfig.CliConfig, config),
        Effect.provideService(Logger.LogToStderr, true),
        // The report has what the client would log; --log-level shows the rest.
        Effect.provideService(References.MinimumLogLevel, "None")
      )
    }
  )

/** Effect's global flags, with completions that know our columns and settings. */
const config = CliConfig.make({
  builtIns: GlobalFlag.BuiltIns.map((builtIn) =>
    builtIn !== GlobalFlag.Completions ? builtIn : GlobalFlag.Action({
      flag: GlobalFlag.Completions.flag,
      run: Effect.fnUntraced(function*(shell, { command }) {
        if (Option.isNone(shell)) return
        const { script } = yield* Effect.promise(() => import("./commands/completions.ts"))
        yield* Console.log(script(command, shell.value))
      })
    })
  )
})

/** Reads `help chain` and `version` as `chain --help` and `--version`. */
const withoutWords = (arguments_: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...others] = arguments_
  if (first === "help") return [...others, "--help"]
  return first === "version" && others.length === 0 ? ["--version"] : arguments_
}

/** The setting of the format, which decides where no format is typed; if it cannot be read, failures are printed as text. */
const formatSetting = Config.withDefault(Settings.config("format"), "table").pipe(
  Effect.provide(ConfigFile.layer),
  Effect.orElseSucceed(() => "table")
)

/** Puts the rule of a setting in the place of the client's message. */
const namingValue = Effect.fnUntraced(function*(failure: Failure.CommandError) {
  return yield* (yield* Effect.promise(() => import("./commands/config.ts"))).naming(failure)
}, Effect.provide(ConfigFile.layer))

/** Whether Effect would read a word such as -volume as flags of one letter, which are not all ours. Its -v or -h would end the command with success. */
const isUnread = (word: string): boolean => {
  const [, letters = ""] = /^-(?!-)([^=]+)/.exec(word) ?? []
  return /[hv]/.test(letters) && !/^(?:[horvy]+|help|version)$/.test(letters)
}

/**
 * Refuses such a word, which is mostly meant as a value; and `--wizard` without a terminal: Effect draws its menus into a pipe, and crashes without an
 * answer.
 */
const check = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  // After `--` there are only arguments.
  const word = arguments_.find((word) => word === "--" || isUnread(word)) ?? "--"
  if (word !== "--") {
    if (arguments_.includes("auth")) return yield* Usage.tokenOnCommandLine
    const next = "write a value behind =, e.g. -o=-x.csv"
    return yield* Failure.wrong("UnrecognizedOption", `Unrecognized flag: ${ForeignText.line(word, 100)}`, next)
  }
  if (!arguments_.includes("--wizard")) return
  const { stdinIsTerminal, stdoutIsTerminal } = yield* Stdio.Stdio
  if ((yield* stdinIsTerminal) && (yield* stdoutIsTerminal)) return
  const next = "see what there is with `marketdata --help`"
  return yield* Failure.wrong("NoTerminal", "--wizard needs a terminal: it asks what to type", next)
})

/** Reports why a command failed, and fails with its exit code. */
const report = <E extends Failure.Tagged>(
  cause: Cause.Cause<E>,
  tell: (failure: Failure.CommandError) => Effect.Effect<void>
): Effect.Effect<void, Failure.CommandError | CliError.CliError> =>
  Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Result.match(Cause.findError(cause), {
    onSuccess: (error) => {
      if (CliError.isCliError(error)) return Usage.outcome(error)
      const failure = Failure.of(error)
      return Effect.andThen(tell(failure), Effect.fail(failure))
    },
    onFailure: () =>
      Effect.flatMap(lastWords(Cause.squash(cause)), (message) => {
        const failure = new Failure.CommandError({ class: "failed", reason: "Defect", message })
        const told = Effect.catchCause(tell(failure), () => Console.error(`error: ${message}`))
        return Effect.andThen(told, Effect.fail(failure))
      })
  })

/**
 * The one line that a defect ends with: what it was, where it happened, and how to report it. It holds no path of the machine, nothing that looks like a
 * token, and not the token however it is written, which is looked up, or the kept one that was read.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lastWords = (defect: unknown): Effect.Effect<string> =>
  Config.option(Config.Redacted("MARKETDATA_TOKEN")).pipe(
    Effect.orElseSucceed(() => Option.none()),
    Effect.map((set) => {
      const token = Option.getOrElse(Option.map(set, Redacted.value), TokenStore.lastRead)
      const name = nameOf(defect)
      const described = token === undefined ? name : ForeignText.without(token)(name)
      return `marketdata ${version} failed because of a defect: ${ForeignText.line(described, 500)}. ` +
        "Please report this line and what you typed, but not your token, to the authors of @effect-marketdata/cli"
    })
  )

const nameOf = (defect: unknown): string => {
  if (!(defect instanceof Error)) return typeof defect === "string" ? defect : "an unknown value was thrown"
  const place = placeOf(defect.stack)
  return `${defect.name}: ${defect.message}${place === undefined ? "" : ` (${place})`}`
}

/** The function, file and line at the top of a stack: `ladderOf, ChainTable.ts:63`. */
const placeOf = (stack: string | undefined): string | undefined => {
  const frame = /^ +at (?:(.*?) \()?(?:file:\/\/)?([^()]*?):(\d+):\d+\)?$/m.exec(stack ?? "")
  if (frame === null) return undefined
  const [, name, path = "", line] = frame
  return `${name === undefined ? "" : `${name}, `}${basename(path)}:${line}`
}
