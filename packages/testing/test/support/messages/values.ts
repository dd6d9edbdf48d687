/** What functions say that send nothing: every problem of a symbol, a strike, a day, an age, a schedule and a calendar. */
import { CalendarDate, MaxAge, OptionSymbol, Query, Strike, TradingCalendar, Workload } from "@effect-marketdata/core"
import type { OptionSymbolReason, RootInvalid } from "@effect-marketdata/core/OptionSymbolError"
import * as Result from "effect/Result"

type Read = () => Result.Result<unknown, { readonly message: string }>

const untyped = (value: unknown): never => value as never
const spx = Result.getOrThrow(Query.optionChain("SPX"))
const make = (part: object) =>
  OptionSymbol.make({ root: "AAPL", expiration: "2026-12-18", side: "call", strike: 150, ...part })
const task = (schedule: object) => Workload.task(spx, { first: 0, ...schedule })

const symbols: { readonly [Tag in Exclude<OptionSymbolReason["_tag"], "RootInvalid">]: Read } = {
  NotText: () => OptionSymbol.parse(untyped(7)),
  ExpirationInvalid: () => OptionSymbol.parse("AAPL261320C00150000"),
  SideMissing: () => OptionSymbol.parse("AAPL261218X00150000"),
  SideInvalid: () => make({ side: "buy" }),
  StrikeNotEightDigits: () => OptionSymbol.parse("AAPL261218C000150000"),
  StrikeNotPadded: () => OptionSymbol.parse("AAPL261218C150"),
  StrikeDecimal: () => OptionSymbol.parse("AAPL261218C32.5"),
  LegacySymbol: () => OptionSymbol.parse("IBMAT")
}

const roots: { readonly [Problem in RootInvalid["problem"]]: Read } = {
  Empty: () => OptionSymbol.parse("261218C00150000"),
  TooLong: () => OptionSymbol.parse("ABCDEFG261218C00150000"),
  NoLetter: () => OptionSymbol.parse("1261218C00150000"),
  EndsIn20: () => make({ root: "AAP20" }),
  LowerCase: () => OptionSymbol.parse("aapl261218C00150000"),
  Blank: () => OptionSymbol.parse("AAPL  261218C00150000"),
  BlankInside: () => OptionSymbol.parseOsi("AA PL 261218C00150000"),
  OtherCharacter: () => OptionSymbol.parse("BRK.B261218C00150000"),
  NotPadded: () => OptionSymbol.parseOsi("AAPL261218C00150000"),
  NotText: () => make({ root: 7 })
}

const strikes: { readonly [Problem in Strike.StrikeError["problem"]]: Read } = {
  NotADecimal: () => Strike.parse("$150"),
  NotAThousandth: () => Strike.parse(32.2505),
  Negative: () => Strike.parse("-1"),
  TooLarge: () => Strike.parse(100_000)
}

const ages: { readonly [Problem in MaxAge.MaxAgeError["problem"]]: Read } = {
  NotADuration: () => MaxAge.parse("soon"),
  UnderAMinute: () => MaxAge.parse("30 seconds"),
  NotFinite: () => MaxAge.parse("Infinity"),
  NotAMoment: () => MaxAge.parse("2026-02-30 09:30"),
  HasOffset: () => MaxAge.parse("2026-11-20 09:30Z")
}

const schedules: { readonly [Field in Workload.ScheduleError["field"]]: Read } = {
  first: () => task({ first: NaN }),
  every: () => task({ every: -1 }),
  times: () => task({ times: 1.5 })
}

const calendars: { readonly [Problem in TradingCalendar.TradingCalendarError["problem"]]: Read } = {
  NotAClosingTime: () => TradingCalendar.make({ name: "own", earlyCloses: { "2026-11-27": "09:00" } }),
  NamedTwice: () =>
    TradingCalendar.make({ name: "own", holidays: { "2026-11-27": "closed" }, earlyCloses: { "2026-11-27": "13:00" } }),
  NotACalendar: () => TradingCalendar.make({ name: "own", base: untyped(null) })
}

/** Every problem with its message. */
export const values: ReadonlyArray<readonly [problem: string, message: string]> = [
  symbols,
  roots,
  { NotAnOptionSymbol: () => OptionSymbol.parse("AAPL") },
  strikes,
  { NotADay: () => CalendarDate.parse("2026-02-30") },
  ages,
  schedules,
  calendars
].flatMap((all): ReadonlyArray<readonly [string, Read]> => Object.entries(all)).map(([name, read]) => {
  const failure = Result.getOrUndefined(Result.flip(read()))
  if (failure === undefined) throw new Error(`${name} is not a problem`)
  return [name, failure.message] as const
})
