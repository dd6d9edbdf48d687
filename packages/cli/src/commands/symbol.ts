/** `marketdata symbol`: option symbols taken apart, made and explained, without asking the service. */
import { CalendarDate, Expiration, ForeignText, OptionSymbol, SymbolGuess, SymbolParts } from "@effect-marketdata/core"
import type { OptionSymbolError } from "@effect-marketdata/core/OptionSymbolError"
import { Array as Arr, Effect, Result, Stdio, Stream } from "effect"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { command } from "../call/command.ts"
import { wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import { type Line, means } from "../text/span.ts"
import { epochSeconds } from "../text/words.ts"

/** The argument of commands that read symbols. */
const symbols = Flags.argument("symbol")(
  "Option symbols, with or without padding; - or none reads standard input, a symbol in each line"
).pipe(Argument.variadic())

/** The most bytes of symbols: those of all contracts that there are. What is piped in by mistake may never end. */
const mostBytes = 33_554_432

const unreadable = (why: string) => wrong("UnreadableInput", `standard input ${why}`)

const lines = Effect.gen(function*() {
  const { stdin, stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return []
  let size = 0
  const few = Stream.takeWhile(stdin, (bytes) => (size += bytes.length) <= mostBytes)
  const read = yield* few.pipe(Stream.decodeText, Stream.mkString, Effect.mapError(() => unreadable("cannot be read")))
  if (size > mostBytes) return yield* unreadable("is larger than 32 MiB: pipe the symbols in by parts")
  return read.split(/\r\n?|\n/).map((line) => line.trim()).filter((line) => line !== "")
})

/** Reads the arguments; `-`, or no argument at all, stands for standard input, where each line is a symbol. */
const given = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  const all = arguments_.length === 0 ? ["-"] : arguments_
  const read = all.includes("-") ? yield* lines : []
  const texts = all.flatMap((argument) => argument === "-" ? read : [argument])
  if (texts.length > 0) return texts
  const message = "there is no symbol: name one or more, or pipe them in, a symbol in each line"
  return yield* wrong("MissingArgument", message, "for example `marketdata symbol parse AAPL261120C00150000`")
})

/** Prints symbols with their parts. */
const print = (symbols: ReadonlyArray<OptionSymbol.OptionSymbol>, padded?: boolean) => {
  const rows = Document.records(
    ["symbol", "root", "underlying", "expiration", "side", "strike", "padded"],
    symbols.map((symbol) => ({
      ...symbol,
      symbol: OptionSymbol.format(symbol),
      underlying: Expiration.underlyingOf(symbol.root),
      expiration: CalendarDate.format(symbol.expiration),
      padded: OptionSymbol.formatOsi(symbol)
    }))
  )
  const lines = padded === undefined ? undefined : symbols.map(padded ? OptionSymbol.formatOsi : OptionSymbol.format)
  return Document.print({ json: { symbols: Document.objects(rows) }, rows, lines })
}

export const symbolParse = command({
  examples: [
    ["AAPL261120C00150000", "Root, expiration, side and strike"],
    ["AAPL261120C00150000 SPXW261120P06500500 --format csv", "Several, for a spreadsheet"],
    ["\"SPXW  261120P06500500\" --json", "The padded form, as JSON"]
  ],
  flags: { symbols },
  run: Effect.fnUntraced(function*(flags) {
    const results = (yield* given(flags.symbols)).map(SymbolParts.parse)
    const [symbols, [first, ...others]] = Arr.separate(results)
    if (symbols.length > 0) yield* print(symbols)
    if (first === undefined) return
    const message = first.message + (others.length === 0 ? "" : ` ${others.length} more are wrong.`)
    return yield* wrong(first.reason._tag, message, "see why with `marketdata symbol explain`")
  })
})

export const symbolFormat = command({
  examples: [
    ["--root AAPL --expiration 2026-11-20 --side call --strike 150", "AAPL261120C00150000"],
    ["--root SPXW --expiration 2026-11-20 --side put --strike 6500.5 --padded", "Padded to 21 characters"],
    ["--root BRKB --expiration 2026-12-18 --side call --strike 500 --json", "With its parts, as JSON"]
  ],
  flags: {
    root: Flags.required("root", "ROOT")("The root, such as AAPL or SPXW"),
    expiration: Flags.required("expiration", "DAY")("The day of expiration as YYYY-MM-DD"),
    side: Flag.Literals("side", ["call", "put"]).pipe(Flag.withDescription("Call or put")),
    strike: Flags.required("strike", "PRICE")("The strike in dollars"),
    padded: Flags.isOn("padded")("Print the form of 21 characters, in which blanks fill the root to six")
  },
  run: Effect.fnUntraced(function*({ padded, ...parts }) {
    const made = Effect.fromResult(OptionSymbol.make(parts))
    const symbol = yield* Effect.mapError(made, ({ _tag, message }) => wrong(_tag, message))
    yield* print([symbol], padded)
  })
})

/** A contract in words. */
const inWords = ({ expiration, root, side, strike }: OptionSymbol.OptionSymbol): string =>
  `${root} ${CalendarDate.format(expiration)} ${side} ${strike}`

const partLines = (parts: ReadonlyArray<SymbolParts.Part>): ReadonlyArray<Line> => {
  const rows = parts.map(({ meaning, part, position, text, value }) => {
    const shown = part === "padding" ? `"${text}"` : text
    return [part, String(position), shown, String(value), meaning]
  })
  const position = { head: "position", align: "right" } as const
  return Grid.format(["part", position, "text", "value", { head: "meaning", widest: 130 }], rows, Infinity)
}

/** The text with a mark below what is wrong in it, if it is short enough. */
const marked = (input: string, offset: number, text: string): ReadonlyArray<Line> =>
  ForeignText.line(input) === input && input.length <= 64
    ? [input, means("bad", `${" ".repeat(offset)}${"^".repeat(Math.max(1, text.length))}`)]
    : [Grid.format([{ head: ForeignText.quote(input), widest: 82 }], [], 82)[0]!]

/** The explanation of a symbol, which has a row for each part. */
const ofSymbol = (input: string) => (parts: ReadonlyArray<SymbolParts.Part>) => {
  const symbol = Result.getOrThrow(SymbolParts.parse(input))
  const [plain, padded] = [OptionSymbol.format(symbol), OptionSymbol.formatOsi(symbol)]
  const isPadded = SymbolParts.isPadded(input)
  const otherForm = isPadded ? `without blanks: ${plain}` : `padded to 21 characters (OSI): "${padded}"`
  return {
    input,
    json: { input, valid: true, symbol: plain, padded, parts },
    rows: parts.map(({ meaning, part, position, text, value }) => [input, part, position, text, value, meaning]),
    lines: [means("heading", input), ...partLines(parts), otherForm],
    wrong: undefined
  }
}

/** The explanation of another text: a row that says what is wrong, and what was probably meant. Positions count from 1 here, and from 0 in core. */
const ofNoSymbol = (input: string) => ({ example, reason: { _tag, offset, text }, rule }: OptionSymbolError) => {
  const symbols = SymbolGuess.meant(input)
  const meant = symbols.map(OptionSymbol.format)
  const position = offset + 1
  const form = "a symbol is the root, the expiration as YYMMDD, C or P, and the strike times 1000 in eight digits"
  const hints = symbols.map((symbol, at): Line => {
    const label = at === 0 ? "probably meant:" : "or:"
    return [label.padEnd(16), means("good", meant[at]!), `  ${inWords(symbol)}`]
  })
  const why = rule.replace(/^is not an OCC option symbol; /, "").replace(`position ${offset}`, `position ${position}`)
  return {
    input,
    json: { input, valid: false, reason: _tag, position, text, rule: why, meant },
    rows: [[input, null, position, text, meant.join(" "), why]],
    lines: [...marked(input, offset, text), why, ...hints.length > 0 ? hints : [`${form}: ${example}`]],
    wrong: { reason: _tag, likeliest: meant[0] }
  }
}

const explain = (now: number) => (input: string) =>
  Result.match(SymbolParts.of(input, now), { onSuccess: ofSymbol(input), onFailure: ofNoSymbol(input) })

const rowsOf = (all: ReadonlyArray<ReturnType<ReturnType<typeof explain>>>): Document.Rows =>
  Document.rows(["input", "part", "position", "text", "value", "meaning"], all.flatMap(({ rows }) => rows))

/** What is known of one text, as rows. */
export const explained = (text: string) => Effect.map(epochSeconds, (now) => rowsOf([explain(now)(text)]))

/** Joins the words of one contract that the shell has split, as in `explain AAPL 11/20/26 150 call`. */
const together = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.some((text) => Result.isSuccess(SymbolParts.parse(text)) || SymbolGuess.meant(text).length > 0) ||
    SymbolGuess.meant(texts.join(" ")).length === 0
    ? texts
    : [texts.join(" ")]

/** Explains each text, and fails where one is not a symbol. */
export const symbolExplain = command({
  examples: [
    ["SPXW261120P06500500", "Each part, its place and its meaning"],
    ["AAPL261120C150", "Why it is wrong, and what was meant"],
    ["\"AAPL 11/20/26 150 call\"", "A contract as people write it"]
  ],
  flags: { symbols },
  run: Effect.fnUntraced(function*(flags) {
    const now = yield* epochSeconds
    const all = (yield* given(together(flags.symbols))).map(explain(now))
    const lines = all.flatMap(({ lines }, index) => [...index === 0 ? [] : [""], ...lines])
    yield* Document.print({ json: { symbols: all.map(({ json }) => json) }, rows: rowsOf(all), lines })
    const others = all.flatMap(({ input, wrong }) => wrong === undefined ? [] : [{ input, ...wrong }])
    const [first] = others
    if (first === undefined) return
    const message = others.length === 1
      ? `${ForeignText.quote(first.input)} is not an option symbol`
      : `${others.length} of ${all.length} texts are not option symbols`
    return yield* wrong(first.reason, message, first.likeliest && `did you mean ${first.likeliest}?`)
  })
})
