/**
 * Where a command writes: data to standard output, everything else to standard error. Control characters are made visible in lines for people, and escaped
 * as in JSON in texts for programs.
 */
import { ForeignText } from "@effect-marketdata/core"
import { Config, Console, Context, Effect, Layer, Sink, Stdio, Stream, Terminal } from "effect"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import { inspect } from "node:util"
import { CommandError, failed, wrong } from "../failure/failure.ts"
import * as Settings from "../settings/settings.ts"
import { described, isOn, usually } from "../text/flags.ts"
import * as Span from "../text/span.ts"

/** Binary formats, for a pipe or a file that standard output is redirected to. */
const bytes = ["arrow", "parquet"] as const

const formatFlag = GlobalFlag.Setting("format")({
  flag: described(Flag.Literals("format", [...Settings.formats, ...bytes, "svg"]))(
    "How data are printed: table for people; json, jsonl or csv for programs; arrow or parquet into a pipe; svg, a picture, of look"
  )
})

const json = GlobalFlag.Setting("json")({ flag: isOn("json")("The same as --format json") })

const color = GlobalFlag.Setting("color")({
  flag: usually(Flag.Literals("color", ["auto", "always", "never"]), "auto")(
    "Whether to print in colours; auto does on a terminal, unless NO_COLOR is set"
  )
})

const pager = GlobalFlag.Setting("pager")({
  flag: isOn("pager", true)(
    "Show a table that is longer than the terminal by $PAGER, else by less; --no-pager prints it at once"
  )
})

/** The flags that every command has, wherever they stand on the line. */
export const globalFlags = [formatFlag, json, color, pager] as const

/** Shows a text a screen at a time, and returns whether it could; tests replace it. */
export const Pager = Context.Reference<(text: string) => Effect.Effect<boolean>>("@effect-marketdata/cli/Pager", {
  defaultValue: () => (text) => Effect.flatMap(Effect.promise(() => import("./programs.ts")), ({ page }) => page(text))
})

/** The room there is, in characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** The format that was asked for: the flag, else the setting, else a table. A broken file of settings is reported where a setting is needed, not here. */
const chosen = Effect.gen(function*() {
  if (yield* json) return "json"
  const flag = yield* formatFlag
  if (flag !== undefined) return flag
  return yield* Effect.catch(
    Config.withDefault(Settings.config("format"), "table"),
    (error) => error.cause.cause instanceof CommandError ? Effect.succeed("table" as const) : Effect.fail(error)
  )
})

/** The columns of the terminal on standard output; where that is a pipe, 100, or those of the terminal on standard error. */
const columnsOf = ({ columns }: Terminal.Terminal, piped = 100) => Effect.map(columns, (columns) => columns || piped)

/** How wide the lines of a stream may be: those for a terminal are wrapped between words, those for a pipe are not. */
export const widthOf = (isTerminal: Effect.Effect<boolean>, terminal: Terminal.Terminal): Effect.Effect<number> =>
  Effect.flatMap(isTerminal, (is) => is ? columnsOf(terminal, process.stderr.columns) : Effect.succeed(Infinity))

const unwritable = ({ message }: { readonly message: string }) =>
  failed("Output", `standard output cannot be written: ${message}`)

/** Where a command writes, and how. */
export class Output extends Context.Service<Output>()("@effect-marketdata/cli/Output", {
  make: Effect.gen(function*() {
    const console = yield* Console.Console
    const terminal = yield* Terminal.Terminal
    const stdio = yield* Stdio.Stdio
    const { canAnimate, canColor, canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
    const colours = yield* color
    const errorsAreSeen = yield* stdio.stderrIsTerminal
    const toOutput = colours === "always" || (colours === "auto" && canColor)
    const toErrors = colours === "always" || (toOutput && errorsAreSeen)
    const isPaged = canAnimate && (yield* pager)
    const pageBy = yield* Pager
    const asked = yield* chosen
    const packed = bytes.find((format) => format === asked)
    if (packed !== undefined && (yield* stdio.stdoutIsTerminal)) {
      const piped = `let another program read it: \`... --format ${packed} | PROGRAM\``
      const next = `type -o FILE.${packed} instead of --format, or ${piped}`
      return yield* wrong("Terminal", `A terminal cannot show ${packed}. Nothing was sent.`, next)
    }
    const format = Settings.formats.find((format) => format === asked) ?? "table"
    const isJson = format === "json" || format === "jsonl"
    const rows = Effect.map(terminal.rows, (rows) => rows || 30)
    const printing =
      (isTerminal: Effect.Effect<boolean>, colour: boolean, write: (text: string) => Effect.Effect<void>) =>
      (lines: ReadonlyArray<Span.Line>) =>
        lines.length === 0 ? Effect.void : Effect.flatMap(
          widthOf(isTerminal, terminal),
          (width) => write(Span.format(lines.flatMap((line) => Span.wrap(line, width)), colour))
        )
    const print = (text: string) => Effect.sync(() => console.log(text))
    const paged = Effect.fnUntraced(function*(text: string) {
      const isLong = isPaged && text.split("\n").length >= (yield* rows)
      if (!isLong || !(yield* pageBy(text))) yield* print(text)
    })
    const note = printing(stdio.stderrIsTerminal, toErrors, (text) => Effect.sync(() => console.error(text)))
    return {
      /** How data are printed: for people, as one JSON document, as a line of JSON for each row, or as CSV. */
      format,
      /** Whether `--format svg` was asked for, which only `look` has. */
      isPicture: asked === "svg",
      /** The binary format that was asked for, if any. */
      bytes: packed,
      /** Whether the format is json or jsonl: then standard error has only failures, as JSON. */
      isJson,
      /** The size of the terminal; 100 columns and 30 rows for a pipe. */
      size: Effect.all({ columns: columnsOf(terminal), rows }),
      /** Whether a person can be asked: standard input and output are terminals. */
      canAsk: canPrompt,
      /** Whether the screen may be redrawn in place: standard output is a terminal. */
      canDraw: canAnimate,
      /** Whether lines of standard error may be replaced: they are for a person, at a terminal. */
      canAnimate: errorsAreSeen && !isJson && (yield* Config.withDefault(Config.String("TERM"), "")) !== "dumb",
      /** Whether the reader of each stream sees colours. */
      colours: { output: toOutput, errors: toErrors },
      /** Prints lines of data for people. */
      show: printing(stdio.stdoutIsTerminal, toOutput, print),
      /** The same, by a pager if the terminal has fewer rows. */
      page: printing(stdio.stdoutIsTerminal, toOutput, paged),
      /** Prints a text of data for programs. */
      write: (text: string) => print(ForeignText.lines(text)),
      /** Writes bytes of data for programs, in which there is nothing that a terminal obeys. */
      send: (pieces: Stream.Stream<Uint8Array, CommandError>) =>
        Stream.run(pieces, Sink.mapError(stdio.stdout({ endOnDone: false }), unwritable)),
      /** Prints lines that are not data. */
      note,
      /** The same, unless the format is json or jsonl. */
      say: isJson ? () => Effect.void : note
    }
  })
}) {}

export const layer = Layer.effect(Output, Output.make)

/** Notes something beside a table; in other formats it is part of the data. */
export const aside = (...lines: ReadonlyArray<Span.Line>) =>
  Output.use(({ format, note }) => format === "table" ? note(lines) : Effect.void)

/** Refuses binary formats for a command that prints no table. */
export const text = Output.use(({ bytes }) => {
  const message = `--format ${bytes} is of commands that ask for a table, and this one prints none. Nothing was done.`
  return bytes === undefined
    ? Effect.void
    : wrong("NoTable", message, `e.g. \`marketdata chain SPX --format ${bytes}\``)
})

/** A console that escapes control characters as JSON does, except line feeds: valid JSON stays as it is. */
const safe = (console: Console.Console): Console.Console =>
  new Proxy(console, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return (...values: ReadonlyArray<unknown>): unknown => Reflect.apply(member, target, values.map(shown))
    }
  })

/** Escapes a value that is logged; what is not text is formatted first, because Node's own formatting leaves some control characters. */
const shown = (value: unknown): unknown =>
  typeof value === "string" ? ForeignText.lines(value) : ForeignText.lines(inspect(value, { colors: false }))

/**
 * Puts `safe` around the console, through which everything is printed. Texts from outside pass `ForeignText.line` already where they become part of a
 * message; this second check covers all commands and formats: tables, reports, JSON, logged causes.
 */
export const safeConsole = Layer.effect(Console.Console, Effect.map(Console.Console, safe))
