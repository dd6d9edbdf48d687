import { NewYork, OptionSymbol, TradingCalendar } from "@effect-marketdata/core"
import * as Expiry from "@effect-marketdata/volatility/Expiry"
import { assert, it } from "@effect/vitest"

const at = (symbol: string, calendar?: TradingCalendar.TradingCalendar): string =>
  NewYork.format(Expiry.instant(OptionSymbol.parseUnsafe(symbol), calendar))

it("settles monthly index options by the opening of their day, and all others at its close", () => {
  assert.strictEqual(at("SPX261120C06500000"), "2026-11-20 09:30:00 EST")
  assert.strictEqual(at("VIX261118C00020000"), "2026-11-18 09:30:00 EST")
  for (const root of ["SPXW", "NDXP", "XSP", "OEX", "XEO", "AAPL", "SPY"]) {
    assert.strictEqual(at(`${root}260619P00100000`), "2026-06-18 16:00:00 EDT", `${root}: 19 June is a holiday`)
    assert.strictEqual(at(`${root}260618P00100000`), "2026-06-18 16:00:00 EDT")
  }
})

it("ends at 13:00 on half days", () => {
  assert.strictEqual(at("SPXW261127C06500000"), "2026-11-27 13:00:00 EST")
  assert.strictEqual(at("AAPL261224C00150000"), "2026-12-24 13:00:00 EST")
  assert.strictEqual(at("SPX261127C06500000"), "2026-11-27 09:30:00 EST")
})

it("takes the session before a Saturday, on which options expired until 2015", () => {
  assert.strictEqual(at("AAPL140118C00500000"), "2014-01-17 16:00:00 EST")
  assert.strictEqual(at("SPX140118C01800000"), "2014-01-17 09:30:00 EST")
})

it("goes by the calendar that the caller gives, and by the hours of the exchange where it has no session", () => {
  const calendar = TradingCalendar.makeUnsafe({
    name: "NYSE with a day of mourning",
    base: TradingCalendar.NYSE,
    holidays: { "2027-03-12": "Day of mourning" }
  })
  assert.strictEqual(at("SPXW270312C06500000", calendar), "2027-03-11 16:00:00 EST")
  assert.strictEqual(at("SPX270312C06500000", calendar), "2027-03-11 09:30:00 EST")
  const never: TradingCalendar.TradingCalendar = { name: "never", day: () => ({ _tag: "Weekend" }) }
  assert.strictEqual(at("SPXW270312C06500000", never), "2027-03-12 16:00:00 EST")
  assert.strictEqual(at("SPX270312C06500000", never), "2027-03-12 09:30:00 EST")
})

it("counts every second, across a change of clocks too", () => {
  const from = NewYork.at({ year: 2026, month: 3, day: 6 }, 16, 0)
  const expiry = Expiry.instant(OptionSymbol.parseUnsafe("AAPL260309C00150000"))
  assert.strictEqual(Expiry.yearsTo(expiry, from) * 365 * 86_400, 3 * 86_400 - 3600)
  assert.strictEqual(Expiry.yearsTo(expiry, expiry - 1), 1 / (365 * 86_400))
  assert.isBelow(Expiry.yearsTo(expiry, expiry + 1), 0)
  // Without the guard, null is a second of 1970.
  assert.throws(() => Expiry.yearsTo(expiry, null as never), /time null must be in epoch seconds/)
  for (const none of [null, "SPX", { root: 5 }] as Array<never>) {
    assert.throws(() => Expiry.instant(none), /must be an option symbol, e\.g\. OptionSymbol\.parse/)
  }
})
