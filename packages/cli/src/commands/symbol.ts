/** `marketdata symbol parse` and `format`: option symbols taken apart and made, without asking the service. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type { OptionSymbolError } from "@effect-marketdata/core/OptionSymbolError"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { command } from "../asking/command.ts"
import { CommandError } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"

/** The argument of commands that read symbols. */
export const symbols = Argument.String("symbol").pipe(
  Argument.withDescription(
    "Option symbols, with or without padding; - or none reads standard input, a symbol in each line"
  ),
  Argument.variadic()
)

const lines = Effect.gen(function*() {
  const { stdin, stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return []
  const read = yield* stdin.pipe(Stream.decodeText, Stream.splitLines, Stream.runCollect)
  return read.map((line) => line.trim()).filter((line) => line !== "")
}).pipe(
  Effect.mapError(() =>
    new CommandError({ class: "usage", reason: "UnreadableInput", message: "standard input cannot be read" })
  )
)

/** Reads the arguments; `-`, or no argument at all, stands for standard input, where each line is a symbol. */
export const given = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  const all = arguments_.length === 0 ? ["-"] : arguments_
  const read = all.includes("-") ? yield* lines : []
  const texts = all.flatMap((argument) => argument === "-" ? read : [argument])
  return texts.length > 0 ? texts : yield* new CommandError({
    class: "usage",
    reason: "MissingArgument",
    message: "there is no symbol: name one or more, or pipe them in, a symbol in each line",
    next: "for example `marketdata symbol parse AAPL261120C00150000`"
  })
})

/** Whether a text is meant to be the padded form: no other symbol has 21 characters with blanks where those of the padding are. */
export const isPadded = (text: string): boolean =>
  text.length === 21 && text.includes(" ") && /^.{6}\d{6}[CP]\d{8}$/s.test(text)

/** Reads a symbol in either form. */
export const read = (text: string) => isPadded(text) ? OptionSymbol.parseOsi(text) : OptionSymbol.parse(text)

/** Prints symbols with their parts. */
const print = (symbols: ReadonlyArray<OptionSymbol.OptionSymbol>, padded?: boolean) => {
  const rows = Document.rows(
    ["symbol", "root", "underlying", "expiration", "side", "strike", "padded"],
    symbols.map((symbol) => [
      OptionSymbol.format(symbol),
      symbol.root,
      Expiration.underlyingOf(symbol.root),
      CalendarDate.format(symbol.expiration),
      symbol.side,
      symbol.strike,
      OptionSymbol.formatOsi(symbol)
    ])
  )
  return Document.print({
    json: { symbols: Document.objects(rows) },
    rows,
    lines: padded === undefined ? undefined : symbols.map(padded ? OptionSymbol.formatOsi : OptionSymbol.format)
  })
}

export const parse = command({
  examples: [
    ["AAPL261120C00150000", "Root, expiration, side and strike"],
    ["AAPL261120C00150000 SPXW261120P06500500 --format csv", "Several, for a spreadsheet"],
    ["\"SPXW  261120P06500500\" --json", "The padded form, as JSON"]
  ],
  flags: { symbols },
  run: Effect.fnUntraced(function*(flags) {
    const symbols: Array<OptionSymbol.OptionSymbol> = []
    const errors: Array<OptionSymbolError> = []
    for (const text of yield* given(flags.symbols)) {
      const result = read(text)
      if (Result.isSuccess(result)) symbols.push(result.success)
      else errors.push(result.failure)
    }
    if (symbols.length > 0) yield* print(symbols)
    const [first, ...others] = errors
    if (first === undefined) return
    return yield* new CommandError({
      class: "usage",
      reason: first.reason._tag,
      message: first.message + (others.length === 0 ? "" : ` ${others.length} more are wrong.`),
      next: "see why with `marketdata symbol explain`"
    })
  })
})

const required = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

export const format = command({
  examples: [
    ["--root AAPL --expiration 2026-11-20 --side call --strike 150", "AAPL261120C00150000"],
    ["--root SPXW --expiration 2026-11-20 --side put --strike 6500.5 --padded", "Padded to 21 characters"],
    ["--root BRKB --expiration 2026-12-18 --side call --strike 500 --json", "With its parts, as JSON"]
  ],
  flags: {
    root: required("root", "ROOT", "The root, such as AAPL or SPXW"),
    expiration: required("expiration", "DAY", "The day of expiration as YYYY-MM-DD"),
    side: Flag.Literals("side", ["call", "put"]).pipe(Flag.withDescription("Call or put")),
    strike: required("strike", "PRICE", "The strike in dollars"),
    padded: Flags.isOn("padded", "Print the form of 21 characters, in which blanks fill the root to six")
  },
  run: Effect.fnUntraced(function*({ padded, ...parts }) {
    const symbol = yield* Effect.mapError(
      Effect.fromResult(OptionSymbol.make(parts)),
      (error) => new CommandError({ class: "usage", reason: error._tag, message: error.message })
    )
    yield* print([symbol], padded)
  })
})
