/** `marketdata symbol`: option symbols taken apart, made and explained, without asking the service. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type { OptionSymbolError } from "@effect-marketdata/core/OptionSymbolError"
import * as SymbolGuess from "@effect-marketdata/core/SymbolGuess"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { command } from "../asking/command.ts"
import { wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import { type Line, means } from "../text/span.ts"
import { epochSeconds } from "../text/words.ts"

/** The argument of commands that read symbols. */
const symbols = Argument.String("symbol").pipe(
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
  Effect.mapError(() => wrong("UnreadableInput", "standard input cannot be read"))
)

/** Reads the arguments; `-`, or no argument at all, stands for standard input, where each line is a symbol. */
const given = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  const all = arguments_.length === 0 ? ["-"] : arguments_
  const read = all.includes("-") ? yield* lines : []
  const texts = all.flatMap((argument) => argument === "-" ? read : [argument])
  return texts.length > 0
    ? texts
    : yield* wrong(
      "MissingArgument",
      "there is no symbol: name one or more, or pipe them in, a symbol in each line",
      "for example `marketdata symbol parse AAPL261120C00150000`"
    )
})

/** Whether a text is meant to be the padded form: no other symbol has 21 characters with blanks where those of the padding are. */
const isPadded = (text: string): boolean =>
  text.length === 21 && text.includes(" ") && /^.{6}\d{6}[CP]\d{8}$/s.test(text)

/** Reads a symbol in either form. */
const read = (text: string) => isPadded(text) ? OptionSymbol.parseOsi(text) : OptionSymbol.parse(text)

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

export const symbolParse = command({
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
    return yield* wrong(
      first.reason._tag,
      first.message + (others.length === 0 ? "" : ` ${others.length} more are wrong.`),
      "see why with `marketdata symbol explain`"
    )
  })
})

const required = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

export const symbolFormat = command({
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
      (error) => wrong(error._tag, error.message)
    )
    yield* print([symbol], padded)
  })
})

/** A part of a symbol: where it stands, counted in characters from 1, and what it says. */
interface Part {
  readonly part: "root" | "padding" | "expiration" | "side" | "strike"
  readonly position: number
  readonly text: string
  readonly value: string | number
  readonly meaning: string
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** The index roots that are settled at the close. Others, such as SPX, are settled at the open, and do not trade on the last day. */
const settledAtTheClose: ReadonlySet<string> = new Set(["SPXW", "XSPW", "NDXP", "RUTW", "DJXW"])

const isIndex = ({ root }: OptionSymbol.OptionSymbol): boolean =>
  Expiration.indexUnderlyings.has(Expiration.underlyingOf(root))

const expirationMeaning = (symbol: OptionSymbol.OptionSymbol, now: number): string => {
  const instant = Expiration.instant(symbol)
  const expires = instant < now ? "it expired" : "it expires"
  return isIndex(symbol) && !settledAtTheClose.has(symbol.root)
    ? `${expires} on this day; an index option like it may be settled at the open, and then last trades a session before`
    : `${expires} at ${NewYork.format(instant)}`
}

/** Until 2015 monthly options had the Saturday behind their last session as expiration. */
const firstYearWithoutSaturdays = 2016

/** The contract of the session before, which is what a day without trading was probably meant to be. */
const sessionBefore = (symbol: OptionSymbol.OptionSymbol): string => {
  if (symbol.expiration.year < firstYearWithoutSaturdays) return ""
  const day = TradingCalendar.previousTradingDay(TradingCalendar.NYSE, symbol.expiration)
  return Option.isNone(day)
    ? ""
    : `; probably meant ${OptionSymbol.format({ ...symbol, expiration: day.value })}, the session before`
}

const dayMeaning = (symbol: OptionSymbol.OptionSymbol, now: number): string => {
  const day = TradingCalendar.NYSE.day(symbol.expiration)
  const weekday = weekdays[CalendarDate.dayOfWeek(symbol.expiration)]!
  return day._tag === "Session"
    ? `${weekday}; ${expirationMeaning(symbol, now)}`
    : `${weekday}; no trading day${day._tag === "Holiday" ? ` (${day.name})` : ""}${sessionBefore(symbol)}`
}

const rootMeaning = ({ root }: OptionSymbol.OptionSymbol): string => {
  const underlying = Expiration.underlyingOf(root)
  return underlying === root
    ? `the underlying is ${root}`
    : /\d$/.test(root)
    ? `adjusted: the underlying is most likely ${underlying}, and it may deliver other than 100 shares`
    : `the underlying is most likely ${underlying}`
}

/** The parts of a symbol as it was written, with blanks behind the root or without. */
const partsOf = (text: string, symbol: OptionSymbol.OptionSymbol, now: number): ReadonlyArray<Part> => {
  const { expiration, root, side, strike } = symbol
  const blanks = text.length - 15 - root.length
  let end = 0
  const part = (
    part: Part["part"],
    length: number,
    value: Part["value"],
    meaning: string
  ): Part => ({ part, position: end + 1, text: text.slice(end, end += length), value, meaning })
  return [
    part("root", root.length, root, rootMeaning(symbol)),
    ...blanks === 0 ? [] : [part("padding", blanks, blanks, "blanks that fill the root to six characters")],
    part("expiration", 6, CalendarDate.format(expiration), dayMeaning(symbol, now)),
    part("side", 1, side, side === "call" ? "the right to buy" : "the right to sell"),
    part("strike", 8, strike, "dollars, written as thousandths in eight digits")
  ]
}

/** What is known of a text. */
type Explained =
  | {
    readonly input: string
    readonly valid: true
    readonly symbol: OptionSymbol.OptionSymbol
    readonly parts: ReadonlyArray<Part>
  }
  | {
    readonly input: string
    readonly valid: false
    readonly error: OptionSymbolError
    readonly why: string
    readonly meant: ReadonlyArray<OptionSymbol.OptionSymbol>
  }

/** Why a text is no symbol. Core counts from 0 as programs do, people from 1. */
const whyOf = ({ reason: { offset }, rule }: OptionSymbolError): string =>
  rule.replace(/^is not an OCC option symbol; /, "").replace(`position ${offset}`, `position ${offset + 1}`)

const explanation = (now: number) => (input: string): Explained => {
  const result = read(input)
  return Result.isSuccess(result)
    ? { input, valid: true, symbol: result.success, parts: partsOf(input, result.success, now) }
    : { input, valid: false, error: result.failure, why: whyOf(result.failure), meant: SymbolGuess.meant(input) }
}

/** A contract in words. */
const inWords = ({ expiration, root, side, strike }: OptionSymbol.OptionSymbol): string =>
  `${root} ${CalendarDate.format(expiration)} ${side} ${strike}`

const partLines = (parts: ReadonlyArray<Part>): ReadonlyArray<Line> =>
  Grid.format(
    [
      { head: "part", align: "left" },
      { head: "position", align: "right" },
      { head: "text", align: "left" },
      { head: "value", align: "left" },
      { head: "meaning", align: "left", widest: 130 }
    ],
    parts.map(({ meaning, part, position, text, value }) => [
      part,
      String(position),
      part === "padding" ? `"${text}"` : text,
      String(value),
      meaning
    ]),
    Infinity
  )

/** A mark below the place of a text that is wrong, if it can be shown in one line. */
const marked = (
  input: string,
  { offset, text }: { readonly offset: number; readonly text: string }
): ReadonlyArray<Line> =>
  ForeignText.line(input) === input && input.length <= 64
    ? [input, means("bad", `${" ".repeat(offset)}${"^".repeat(Math.max(1, text.length))}`)]
    : [Grid.format([{ head: ForeignText.quote(input), align: "left", widest: 82 }], [], 82)[0]!]

const linesOf = (explained: Explained): ReadonlyArray<Line> =>
  explained.valid
    ? [
      means("heading", explained.input),
      ...partLines(explained.parts),
      isPadded(explained.input)
        ? `without blanks: ${OptionSymbol.format(explained.symbol)}`
        : `padded to 21 characters (OSI): "${OptionSymbol.formatOsi(explained.symbol)}"`
    ]
    : [
      ...marked(explained.input, explained.error.reason),
      explained.why,
      ...explained.meant.length === 0
        ? [
          `a symbol is the root, the expiration as YYMMDD, C or P, and the strike times 1000 in eight digits: ${explained.error.example}`
        ]
        : explained.meant.map((symbol, index): Line => [
          (index === 0 ? "probably meant:" : "or:").padEnd(16),
          means("good", OptionSymbol.format(symbol)),
          `  ${inWords(symbol)}`
        ])
    ]

const jsonOf = (explained: Explained): object =>
  explained.valid
    ? {
      input: explained.input,
      valid: true,
      symbol: OptionSymbol.format(explained.symbol),
      padded: OptionSymbol.formatOsi(explained.symbol),
      parts: explained.parts
    }
    : {
      input: explained.input,
      valid: false,
      reason: explained.error.reason._tag,
      position: explained.error.reason.offset + 1,
      text: explained.error.reason.text,
      rule: explained.why,
      meant: explained.meant.map(OptionSymbol.format)
    }

/** One row for each part, or one that says what is wrong. */
const rowsOf = (all: ReadonlyArray<Explained>): Document.Rows =>
  Document.rows(
    ["input", "part", "position", "text", "value", "meaning"],
    all.flatMap((explained) =>
      explained.valid
        ? explained.parts.map((
          part
        ) => [explained.input, part.part, part.position, part.text, part.value, part.meaning])
        : [[
          explained.input,
          null,
          explained.error.reason.offset + 1,
          explained.error.reason.text,
          explained.meant.map(OptionSymbol.format).join(" "),
          explained.why
        ]]
    )
  )

/** What is known of one text, as rows. */
export const explained = (text: string) => Effect.map(epochSeconds, (now) => rowsOf([explanation(now)(text)]))

/** Words of one contract that a shell took apart belong together: `explain AAPL 11/20/26 150 call`. */
const together = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.some((text) => Result.isSuccess(read(text)) || SymbolGuess.meant(text).length > 0) ||
    SymbolGuess.meant(texts.join(" ")).length === 0
    ? texts
    : [texts.join(" ")]

/** Explains each text, and fails where one is no symbol. */
const explainAll = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  const now = yield* epochSeconds
  const all = (yield* given(together(arguments_))).map(explanation(now))
  yield* Document.print({
    json: { symbols: all.map(jsonOf) },
    rows: rowsOf(all),
    lines: all.flatMap((explained, index) => [...index === 0 ? [] : [""], ...linesOf(explained)])
  })
  const others = all.flatMap((explained) => explained.valid ? [] : [explained])
  const [first] = others
  if (first !== undefined) {
    const [likeliest] = first.meant
    return yield* wrong(
      first.error.reason._tag,
      others.length === 1
        ? `${ForeignText.quote(first.input)} is not an option symbol`
        : `${others.length} of ${all.length} texts are not option symbols`,
      likeliest === undefined ? undefined : `did you mean ${OptionSymbol.format(likeliest)}?`
    )
  }
})

export const symbolExplain = command({
  examples: [
    ["SPXW261120P06500500", "Each part, its place and its meaning"],
    ["AAPL261120C150", "Why it is wrong, and what was meant"],
    ["\"AAPL 11/20/26 150 call\"", "A contract as people write it"]
  ],
  flags: { symbols },
  run: ({ symbols }) => explainAll(symbols)
})
