import * as MaxAge from "@effect-marketdata/core/MaxAge"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Result } from "effect"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(8_3)

const sent = (input: MaxAge.Input | string): string =>
  Result.match(MaxAge.parse(input), { onFailure: (error) => error.problem, onSuccess: MaxAge.format })

describe("parse and format", () => {
  it("[8.3-maxage-forms] send whole minutes, and whole hours as hours", () => {
    const cases: ReadonlyArray<readonly [MaxAge.Input, string]> = [
      ["1h", "1h"],
      ["5min", "5min"],
      ["60min", "1h"],
      ["90min", "90min"],
      ["5 minutes", "5min"],
      ["2 hours", "2h"],
      ["1 day", "24h"],
      [60_000, "1min"],
      [Duration.minutes(61), "61min"],
      [{ hours: 1, minutes: 30 }, "90min"]
    ]
    for (const [input, expected] of cases) assert.strictEqual(sent(input), expected)
  })

  it("[8.3-maxage-forms] round down, so that nothing older comes back than was asked for", () => {
    assert.deepStrictEqual([sent("90 seconds"), sent("119999 millis")], ["1min", "1min"])
    assert.strictEqual(sent("1.99 hours"), "119min")
    forAll(runs, fc.integer({ min: 60_000, max: 1_000_000_000 }), (millis) => {
      const age = Result.getOrThrow(MaxAge.parse(millis))
      assert(age._tag === "Relative")
      const { minutes } = age
      assert.isAtMost(minutes * 60_000, millis)
      assert.isAbove((minutes + 1) * 60_000, millis)
    })
  })

  it("[8.3-maxage-forms] read a day as its beginning in New York", () => {
    assert.deepStrictEqual(["2026-11-20", "2026-02-29"].map(sent), ["2026-11-20 00:00:00", "NotAMoment"])
    assert.strictEqual(sent({ year: 2026, month: 7, day: 17 }), "2026-07-17 00:00:00")
    const instant = (day: string) => Result.getOrThrow(MaxAge.parse(day))
    assert.deepStrictEqual(instant("2026-11-20"), { _tag: "Absolute", epochSeconds: Date.UTC(2026, 10, 20, 5) / 1000 })
    assert.deepStrictEqual(instant("2026-07-17"), { _tag: "Absolute", epochSeconds: Date.UTC(2026, 6, 17, 4) / 1000 })
    // What entered the cache in the first second of the day, or of the last hour, is young enough, and a second before it is not.
    const midnight = Date.UTC(2026, 10, 20, 5) / 1000
    for (const age of [instant("2026-11-20"), instant("1 hour")]) {
      assert.deepStrictEqual([-1, 0].map((at) => MaxAge.accepts(age, midnight + at, midnight + 3600)), [false, true])
    }
  })

  it("[8.3-maxage-forms] read a time that clocks show twice, or skip, as the later of its readings", () => {
    const instant = (input: MaxAge.Input) => {
      const age = Result.getOrThrow(MaxAge.parse(input))
      assert(age._tag === "Absolute")
      return new Date(age.epochSeconds * 1000).toISOString()
    }
    // In 2026 clocks go forward on 8 March and back on 1 November.
    assert.strictEqual(instant("2026-03-08T02:30"), "2026-03-08T07:30:00.000Z")
    assert.strictEqual(instant("2026-11-01T01:30"), "2026-11-01T06:30:00.000Z")
    assert.strictEqual(instant("2026-11-01 01:59:59.5"), "2026-11-01T07:00:00.000Z")
    const second = instant({ date: { year: 2026, month: 11, day: 1 }, secondOfDay: 5400 })
    assert.strictEqual(second, "2026-11-01T06:30:00.000Z")
    const times = ["2026-03-08T02:30", "2026-11-01T01:30", "2026-11-01T00:59:59"].map((time) => sent(time))
    assert.deepStrictEqual(times, ["2026-03-08 03:30:00", "2026-11-01 02:00:00", "2026-11-01 00:59:59"])
  })

  it("[8.3-maxage-forms] take an age that was read already, and check it", () => {
    const ages: ReadonlyArray<MaxAge.MaxAge> = [
      { _tag: "Relative", minutes: 5 },
      { _tag: "Absolute", epochSeconds: 1795208400 }
    ]
    for (const age of ages) assert.deepStrictEqual(MaxAge.parse(age), Result.succeed(age))
    assert.strictEqual(sent({ _tag: "Relative", minutes: 0 }), "UnderAMinute")
    assert.strictEqual(sent({ _tag: "Absolute", epochSeconds: NaN }), "NotAMoment")
    assert.strictEqual(sent({ date: { year: 2026, month: 2, day: 30 }, secondOfDay: 0 }), "NotAMoment")
    assert.strictEqual(sent({ date: { year: 2026, month: 3, day: 1 }, secondOfDay: 86_400 }), "NotAMoment")
  })

  it("write no exponents, and show what cannot be written as JSON", () => {
    assert.deepStrictEqual([sent("1000000000 minutes"), sent("999999999 minutes")], ["NotFinite", "999999999min"])
    const circle: { minutes: number; self?: unknown } = { minutes: 0 }
    circle.self = circle
    const error = Result.getOrThrow(Result.flip(MaxAge.parse(circle)))
    assert.deepStrictEqual([error.problem, error.input], ["UnderAMinute", "an object"])
  })

  it("[8.3-maxage-forms] refuse an offset, which the service would ignore, and what is not a moment", () => {
    for (const offset of ["Z", "-05:00", "+0100"]) assert.strictEqual(sent(`2026-11-20T09:30${offset}`), "HasOffset")
    for (const text of ["2026-02-29 09:30", "2026-11-20T24:00", "2026-11-20 09:60", "2026-11-20 09:30:60"]) {
      assert.strictEqual(sent(text), "NotAMoment")
    }
  })

  it("refuse an age without end, and what is not a duration", () => {
    assert.deepStrictEqual([sent("Infinity"), sent(Infinity)], ["NotFinite", "NotFinite"])
    const words = "5 5m 1h30min 5MIN 2026-11-20Z 20261120".split(" ")
    for (const text of words.concat("", "five minutes", "1h\n", `${"9".repeat(10)}h`)) {
      assert.strictEqual(sent(text), "NotADuration")
    }
  })

  it("answer every text with minutes or with a bounded error in one line", () => {
    forAll(runs, hostileText, (text) => {
      const parsed = MaxAge.parse(text)
      if (Result.isSuccess(parsed)) return assert.isNotEmpty(MaxAge.format(parsed.success))
      assert.strictEqual(parsed.failure.input, text)
      assert.isBelow(parsed.failure.message.length, 700)
      assert.notInclude(parsed.failure.message, "\n")
    })
    assert.strictEqual(sent("9".repeat(1_000_000) + "h"), "NotADuration")
    assert.strictEqual(sent(" ".repeat(1_000_000)), "NotADuration")
  })

  it("say in each message what to write instead", () => {
    const message = (input: MaxAge.Input | string) => Result.getOrThrow(Result.flip(MaxAge.parse(input))).message
    assert.include(message("soon"), `"soon" must be a duration, or a day or time in New York, e.g. 5 minutes.`)
    assert.include(message("1 second"), "must be at least a minute")
    assert.include(message("Infinity"), "must be left out for any age")
  })
})

describe("what comes from elsewhere", () => {
  const refused = (input: unknown) => Result.getOrThrow(Result.flip(MaxAge.parse(input as MaxAge.Input)))

  it("[8.3-maxage-forms] is read to the last second of a day, and a fraction of one is rounded up", () => {
    const times = ["2026-11-20 23:59:59", "2026-11-20 00:00", "2026-11-20 09:30:01.25"].map((time) => sent(time))
    assert.deepStrictEqual(times, ["2026-11-20 23:59:59", "2026-11-20 00:00:00", "2026-11-20 09:30:02"])
    const date = { year: 2026, month: 11, day: 20 }
    assert.strictEqual(sent({ date, secondOfDay: 0 }), "2026-11-20 00:00:00")
    assert.strictEqual(sent({ date, secondOfDay: -1 }), "NotAMoment")
  })

  it("[8.3-maxage-forms] is refused with more before it or behind it", () => {
    for (const text of ["x2026-11-20 09:30", "12026-11-20 09:30", "2026-11-20 09:30x", "2026-11-20 09:30:00:00"]) {
      assert.strictEqual(sent(text), "NotADuration")
    }
  })

  it("is refused where it is neither a duration nor an age", () => {
    for (const input of [null, undefined, { _tag: "Relative", minutes: NaN }]) {
      assert.strictEqual(refused(input).problem, "NotADuration")
    }
  })

  it("[8.3-maxage-forms] gets the advice that it needs", () => {
    assert.include(refused("2026-02-30 09:30").message, "an existing day, with a time from 00:00:00 to 23:59:59")
    assert.include(refused("2026-11-20 09:30Z").message, "the time in New York, without an offset")
  })

  it("[8.3-maxage-forms] sends the first of two readings as clocks show it", () => {
    const first = Date.parse("2026-11-01T05:30:00Z") / 1000
    assert.deepStrictEqual(Result.map(MaxAge.notBefore(first), MaxAge.format), Result.succeed("2026-11-01 01:30:00"))
  })
})
