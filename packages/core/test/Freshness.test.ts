import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { trials } from "./support/depth.ts"

const { NYSE } = TradingCalendar
const runs = trials(8_4)

/** Epoch seconds of a text with its offset, or of New York winter time. */
const at = (text: string): number => Date.parse(/[+-]\d\d:00$/.test(text) ? text : `${text}-05:00`) / 1000

const edt = (text: string): number => at(`${text}-04:00`)

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

const boundary = (kind: Freshness.Kind, updated: number) => NewYork.format(Freshness.becomesHistoricalAt(kind, updated))

/** What data are called a second before, at, and a second after an instant. */
const around = (kind: Freshness.Kind, updated: number, instant: number) =>
  [-1, 0, 1].map((distance) => Freshness.classify({ kind, updated, now: instant + distance }))

describe("Freshness", () => {
  describe("stocks", () => {
    it("[8.4-stocks] delayed data become historical at 16:15:00 of their session, that instant included", () => {
      for (const updated of ["2026-11-20T09:30:00", "2026-11-20T12:00:00", "2026-11-20T15:59:59"]) {
        assert.deepStrictEqual(around("stocks", at(updated), at("2026-11-20T16:15:00")), [
          "delayed",
          "historical",
          "historical"
        ])
      }
    })

    it("[8.4-stocks] data stamped at or after 16:15 wait for the next trading day", () => {
      assert.strictEqual(boundary("stocks", at("2026-11-20T16:14:59")), "2026-11-20 16:15:00 EST")
      assert.strictEqual(boundary("stocks", at("2026-11-20T16:15:00")), "2026-11-23 16:15:00 EST")
      assert.strictEqual(boundary("stocks", at("2026-11-20T19:59:59")), "2026-11-23 16:15:00 EST")
      assert.deepStrictEqual(around("stocks", at("2026-11-20T16:15:00"), at("2026-11-23T16:15:00")), [
        "delayed",
        "historical",
        "historical"
      ])
    })

    it("[8.4-stocks] data stamped before the opening belong to the session of that day", () => {
      assert.strictEqual(boundary("stocks", at("2026-11-20T04:00:00")), "2026-11-20 16:15:00 EST")
    })

    it("[8.4-stocks] the hour is that of New York, summer and winter", () => {
      assert.strictEqual(
        Freshness.becomesHistoricalAt("stocks", edt("2026-03-09T10:00:00")),
        edt("2026-03-09T16:15:00")
      )
      assert.strictEqual(Freshness.becomesHistoricalAt("stocks", at("2026-03-06T16:15:00")), edt("2026-03-09T16:15:00"))
      assert.strictEqual(Freshness.becomesHistoricalAt("stocks", edt("2026-10-30T16:15:00")), at("2026-11-02T16:15:00"))
    })
  })

  describe("options", () => {
    it("[8.4-options] a datum stamped on a day without a session belongs to the session before", () => {
      for (const updated of ["2026-11-20T16:15:00", "2026-11-21T00:00:00", "2026-11-22T23:59:59"]) {
        assert.strictEqual(boundary("options", at(updated)), "2026-11-23 09:30:00 EST")
      }
      assert.strictEqual(boundary("options", at("2026-11-26T12:00:00")), "2026-11-27 09:30:00 EST")
    })

    it("[8.4-options] a datum stamped before the opening belongs to the session of that day", () => {
      assert.strictEqual(boundary("options", at("2026-11-23T00:00:00")), "2026-11-24 09:30:00 EST")
      assert.strictEqual(boundary("options", at("2026-11-23T09:29:59")), "2026-11-24 09:30:00 EST")
    })

    it("[8.4-options] the hour is that of New York, over a change of the clock too", () => {
      assert.strictEqual(
        Freshness.becomesHistoricalAt("options", at("2026-03-06T16:00:00")),
        edt("2026-03-09T09:30:00")
      )
      assert.strictEqual(
        Freshness.becomesHistoricalAt("options", edt("2026-10-30T16:00:00")),
        at("2026-11-02T09:30:00")
      )
    })
  })

  describe("becomesHistoricalAt", () => {
    const mourning = TradingCalendar.makeUnsafe({
      name: "mourning",
      base: NYSE,
      holidays: { "2026-11-23": "Day of mourning" }
    })
    const closed: TradingCalendar.TradingCalendar = {
      name: "closed",
      day: () => ({ _tag: "Holiday", name: "Always" })
    }

    it("follows the caller's calendar", () => {
      const friday = at("2026-11-20T16:20:00")
      assert.strictEqual(Freshness.becomesHistoricalAt("stocks", friday, mourning), at("2026-11-24T16:15:00"))
      assert.strictEqual(Freshness.becomesHistoricalAt("options", friday, mourning), at("2026-11-24T09:30:00"))
    })

    it("is not a time for a stamp that is not a finite number", () => {
      for (const updated of [NaN, Infinity, -Infinity]) {
        for (const kind of ["stocks", "options"] as const) {
          assert.isNaN(Freshness.becomesHistoricalAt(kind, updated))
        }
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
      fc.assert(
        fc.property(
          kind,
          stamp,
          age,
          (kind, updated, later) =>
            Freshness.becomesHistoricalAt(kind, updated) <= Freshness.becomesHistoricalAt(kind, updated + later)
        ),
        runs
      )
    })
  })

  describe("classify", () => {
    it("is real-time under 15 minutes and delayed from 15 minutes on", () => {
      const updated = at("2026-11-20T11:00:00")
      for (const kind of kinds) {
        assert.deepStrictEqual(around(kind, updated, updated + 900), ["realTime", "delayed", "delayed"])
      }
    })

    it("is historical past the boundary, whatever the staleness", () => {
      assert.deepStrictEqual(around("stocks", at("2026-11-20T16:14:00"), at("2026-11-20T16:15:00")), [
        "realTime",
        "historical",
        "historical"
      ])
    })

    it("is real-time for a stamp ahead of the clock", () => {
      const now = at("2026-11-20T11:00:00")
      assert.strictEqual(Freshness.classify({ kind: "stocks", updated: now + 3, now }), "realTime")
    })

    it("is historical for a stamp that is not a finite number", () => {
      for (const updated of [NaN, Infinity, -Infinity]) {
        assert.strictEqual(
          Freshness.classify({ kind: "options", updated, now: at("2026-11-20T11:00:00") }),
          "historical"
        )
      }
    })
  })

  describe("nextBoundary", () => {
    it("names the minute at which data will be delayed, then the boundary, then none", () => {
      const updated = at("2026-11-20T11:00:00")
      const next = (now: string) => Freshness.nextBoundary({ kind: "stocks", updated, now: at(now) })
      assert.deepStrictEqual(next("2026-11-20T11:00:00"), Option.some(at("2026-11-20T11:15:00")))
      assert.deepStrictEqual(next("2026-11-20T11:15:00"), Option.some(at("2026-11-20T16:15:00")))
      assert.deepStrictEqual(next("2026-11-20T16:15:00"), Option.none())
    })
  })

  describe("staleness", () => {
    it("counts seconds, and never less than none", () => {
      assert.strictEqual(Freshness.staleness(100, 1000), 900)
      assert.strictEqual(Freshness.staleness(1000, 100), 0)
    })
  })

  describe("leastStaleness", () => {
    it("[8.2-timeliness] delayed data are at least 15 minutes old, live and cached data of any age", () => {
      assert.strictEqual(Freshness.leastStaleness(DataMode.delayed), 15 * 60)
      assert.strictEqual(Freshness.leastStaleness(DataMode.live), 0)
      assert.strictEqual(Freshness.leastStaleness(DataMode.cached({ maxAge: "5 minutes" })), 0)
      assert.strictEqual(Freshness.leastStaleness(DataMode.cachedOrLive()), 0)
    })
  })

  it("[8.4-stocks] [8.4-options] keeps Friday, Thanksgiving and half days apart through a whole week", () => {
    const week = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28", "2026-11-29"]
    const boundaries = (kind: Freshness.Kind) =>
      week.map((text) => boundary(kind, NewYork.at(CalendarDate.parseUnsafe(text), 11, 0)).slice(8, 16))
    assert.deepStrictEqual(boundaries("stocks"), [
      "23 16:15",
      "24 16:15",
      "25 16:15",
      "27 16:15",
      "27 16:15",
      "30 16:15",
      "30 16:15"
    ])
    assert.deepStrictEqual(boundaries("options"), [
      "24 09:30",
      "25 09:30",
      "27 09:30",
      "27 09:30",
      "30 09:30",
      "30 09:30",
      "30 09:30"
    ])
  })
})
