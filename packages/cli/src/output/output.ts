/**
 * Where a command writes: data to standard output, everything else to standard error. Lines for people are made printable as they are coloured;
 * texts for programs escape as JSON does what a terminal would obey.
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import { CommandError } from "../failure/failure.ts"
import * as Own from "../settings/own.ts"
import * as Span from "../text/span.ts"
import * as GlobalFlags from "./globalFlags.ts"

/** The room there is, in characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Where a command writes, and how. */
export class Output extends Context.Service<Output, {
  readonly format: GlobalFlags.Format
  /** Whether a program reads JSON, as one document or as lines: then standard error has nothing but failures as JSON. */
  readonly isJson: boolean
  /** A pipe has no size; it gets the table of a common terminal. */
  readonly size: Effect.Effect<Size>
  /** Whether a person can be asked: standard input and output are terminals. */
  readonly canAsk: boolean
  /** Whether data may be drawn over in place: standard output is a terminal. */
  readonly canDraw: boolean
  /** Whether lines of standard error may be replaced. */
  readonly canAnimate: boolean
  /** Whether the reader of each stream sees colours. */
  readonly colours: { readonly output: boolean; readonly errors: boolean }
  /** Prints lines of data for people. */
  readonly show: (lines: ReadonlyArray<Span.Line>) => Effect.Effect<void>
  /** Prints a text of data for programs. */
  readonly write: (text: string) => Effect.Effect<void>
  /** Prints lines that are not data. */
  readonly note: (lines: ReadonlyArray<Span.Line>) => Effect.Effect<void>
}>()("@effect-marketdata/cli/Output") {}

/** The format that was asked for: the flag, else the setting, else a table; so too where the file of settings is broken, which others tell. */
const chosen = Effect.gen(function*() {
  if (yield* GlobalFlags.json) return "json"
  const flag = yield* GlobalFlags.format
  return Option.isSome(flag)
    ? flag.value
    : yield* Effect.catch(
      Config.withDefault(Own.format, "table"),
      (error) => error.cause.cause instanceof CommandError ? Effect.succeed("table" as const) : Effect.fail(error)
    )
})

export const layer = Layer.effect(
  Output,
  Effect.gen(function*() {
    const console = yield* Console.Console
    const terminal = yield* Terminal.Terminal
    const stdio = yield* Stdio.Stdio
    const { canAnimate, canColor, canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
    const color = yield* GlobalFlags.color
    const errorsAreSeen = yield* stdio.stderrIsTerminal
    const toOutput = color === "always" || (color === "auto" && canColor)
    const toErrors = color === "always" || (toOutput && errorsAreSeen)
    const format = yield* chosen
    return {
      format,
      isJson: format === "json" || format === "jsonl",
      size: Effect.gen(function*() {
        return { columns: (yield* terminal.columns) || 100, rows: (yield* terminal.rows) || 30 }
      }),
      canAsk: canPrompt,
      canDraw: canAnimate,
      canAnimate: errorsAreSeen && Option.getOrElse(yield* Config.option(Config.String("TERM")), () => "") !== "dumb",
      colours: { output: toOutput, errors: toErrors },
      show: (lines) => Effect.sync(() => lines.length === 0 ? undefined : console.log(Span.format(lines, toOutput))),
      write: (text) => Effect.sync(() => console.log(ForeignText.lines(text))),
      note: (lines) => Effect.sync(() => lines.length === 0 ? undefined : console.error(Span.format(lines, toErrors)))
    }
  })
)
