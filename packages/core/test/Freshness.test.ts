import { DataMode, Freshness, NewYork, type TradingCalendar } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(8_4)

/** Epoch seconds of a text with its offset, or of New York winter time. */
const at = (text: string): number => Date.parse(/[+-]\d\d:00$/.test(text) ? text : `${text}-05:00`) / 1000

const kinds: ReadonlyArray<Freshness.Kind> = ["stocks", "options"]
const kind = fc.constantFrom(...kinds)
const first = at("2000-01-03T00:00:00")
const last = at("2099-12-01T00:00:00")
const anywhere = fc.integer({ min: first, max: last })
const boundaryHours = fc.constantFrom<readonly [hour: number, minute: number]>([9, 30], [16, 0], [16, 15])
/** Stamps anywhere, and many within two seconds of an hour that decides. */
const stamp = fc.oneof(
  anywhere,
  fc.tuple(anywhere, boundaryHours, fc.integer({ min: -2, max: 2 })).map(([t, [hour, minute], second]) =>
    NewYork.at(NewYork.dateOf(t), hour, minute, second)
  )
)
const age = fc.oneof(fc.nat({ max: 2000 }), fc.nat({ max: 6 * 86_400 }))

/** What data are called a second before, at, and a second after an instant. */
const around = (kind: Freshness.Kind, updated: number, instant: number) =>
  [-1, 0, 1].map((distance) => Freshness.classify({ kind, updated, now: instant + distance }))

it("[8.4-stocks] data of stocks stamped at or after 16:15 wait for the next trading day", () => {
  const boundary = (text: string) => NewYork.format(Freshness.becomesHistoricalAt("stocks", at(text)))
  assert.strictEqual(boundary("2026-11-20T16:14:59"), "2026-11-20 16:15:00 EST")
  assert.strictEqual(boundary("2026-11-20T16:15:00"), "2026-11-23 16:15:00 EST")
  const friday = around("stocks", at("2026-11-20T16:15:00"), at("2026-11-23T16:15:00"))
  assert.deepStrictEqual(friday, ["delayed", "historical", "historical"])
})

describe("becomesHistoricalAt", () => {
  const closed: TradingCalendar.TradingCalendar = { name: "closed", day: () => ({ _tag: "Holiday", name: "Always" }) }

  it("is not a time for a stamp that is not a finite number", () => {
    for (const updated of [NaN, Infinity, -Infinity]) {
      for (const kind of ["stocks", "options"] as const) assert.isNaN(Freshness.becomesHistoricalAt(kind, updated))
    }
  })

  it("never comes where no trading day is near", () => {
    for (const kind of kinds) {
      const observation = { kind, updated: 0, now: 10 * 86_400, calendar: closed }
      assert.strictEqual(Freshness.becomesHistoricalAt(kind, 0, closed), Infinity)
      assert.strictEqual(Freshness.classify(observation), "delayed")
      assert.deepStrictEqual(Freshness.nextBoundary(observation), Option.none())
    }
  })

  it("is never earlier for data stamped later", () => {
    forAll(
      runs,
      kind,
      stamp,
      age,
      (kind, updated, later) =>
        Freshness.becomesHistoricalAt(kind, updated) <= Freshness.becomesHistoricalAt(kind, updated + later)
    )
  })
})

describe("classify", () => {
  it("is real-time for a stamp ahead of the clock", () => {
    const now = at("2026-11-20T11:00:00")
    assert.strictEqual(Freshness.classify({ kind: "stocks", updated: now + 3, now }), "realTime")
  })

  it("is historical for an invalid time: not finite, in milliseconds, or not a number", () => {
    const now = at("2026-11-20T11:00:00")
    for (const none of [NaN, Infinity, -Infinity, now * 1000, null, `${now}`, new Date(now)] as Array<never>) {
      for (const times of [{ updated: none, now }, { updated: now, now: none }]) {
        assert.strictEqual(Freshness.classify({ kind: "options", ...times }), "historical", String(none))
        assert.deepStrictEqual(Freshness.nextBoundary({ kind: "options", ...times }), Option.none())
      }
    }
  })
})

it("nextBoundary names the minute at which data will be delayed, then the boundary, then none", () => {
  const updated = at("2026-11-20T11:00:00")
  const next = (now: string) => Freshness.nextBoundary({ kind: "stocks", updated, now: at(now) })
  assert.deepStrictEqual(next("2026-11-20T11:00:00"), Option.some(at("2026-11-20T11:15:00")))
  assert.deepStrictEqual(next("2026-11-20T11:15:00"), Option.some(at("2026-11-20T16:15:00")))
  assert.deepStrictEqual(next("2026-11-20T16:15:00"), Option.none())
})

it("[8.2-timeliness] leastStaleness: delayed data are at least 15 minutes old, live and cached data of any age", () => {
  assert.strictEqual(Freshness.leastStaleness(DataMode.delayed), 15 * 60)
  assert.strictEqual(Freshness.leastStaleness(DataMode.live), 0)
  assert.strictEqual(Freshness.leastStaleness(DataMode.cached({ maxAge: "5 minutes" })), 0)
  assert.strictEqual(Freshness.leastStaleness(DataMode.cachedOrLive()), 0)
})
