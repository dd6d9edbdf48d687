import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, at, chain, json, test } from "./support/service.ts"

/** The day that a date is taken for, or the status of its refusal. */
const dayOf = (text: string) =>
  Effect.map(
    ask(`/v1/markets/status/?date=${encodeURIComponent(text)}`),
    (reply) => reply.status === 400 ? undefined : CalendarDate.format(NewYork.dateOf(Number(json(reply)["date"]?.[0])))
  )

const zoned = ["2026-11-20T02:00:00Z", "2026-11-20T02:00:00.5-05:00"]
const written = ["2026-11-20", "2026-11-20 16:00:00", "2026-11-20T23:59", ...zoned]

/** Texts by the day that each is on Friday noon. */
const read: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2026-11-20": [...written, "now", "today", "-10 minutes"],
  "2020-12-30": ["12/30/2020", "12/30/2020 4:00 PM", "12/30/2020 12:00 AM", "1609362000", "44195.66667", "44195"],
  "2026-11-19": ["Yesterday", "last session", "-13 hours", "750 minutes ago"],
  "2026-11-18": ["2 days ago"],
  "2026-11-15": ["-5 days"],
  "2026-11-13": ["-1 week"],
  "2026-02-20": ["-9 months"],
  "2025-11-20": ["-1 year"]
}
for (const [day, texts] of Object.entries(read)) {
  for (const text of texts) {
    test(`${JSON.stringify(text)} is ${day} on Friday noon`, () =>
      Effect.map(dayOf(text), (found) => assert.strictEqual(found, day)))
  }
}

const impossible = ["2026-02-29", "2026-11-20 24:00", "2026-11-20 16:60", "13/30/2020", "12/30/2020 13:00 PM"]
const unread = ["", "soon", "20261120x", "-1", "last Monday", "5 days", "-5 days ago", "--5 days"]
const refused = [...impossible, ...unread, "999999 years ago", "99999999999999"]
for (const text of refused) {
  test(`[7.3-cause-wrong-type] ${JSON.stringify(text)} is none`, () =>
    Effect.map(dayOf(text), (found) => assert.isUndefined(found)))
}

test("a month before is the last day of a shorter month; the last session is the last one that has closed", function*() {
  yield* at(NewYork.at({ year: 2026, month: 3, day: 31 }, 12, 0))
  assert.strictEqual(yield* dayOf("-1 month"), "2026-02-28")
  for (const [day, hour] of [[20, 16], [22, 12], [23, 8], [23, 15]] as const) {
    yield* at(NewYork.at({ year: 2026, month: 11, day }, hour, 0))
    assert.strictEqual(yield* dayOf("last session"), "2026-11-20")
  }
  // Thanksgiving is not a session, and the half day after it is one.
  yield* at(NewYork.at({ year: 2026, month: 11, day: 27 }, 12, 59))
  assert.strictEqual(yield* dayOf("last session"), "2026-11-25")
  yield* at(NewYork.at({ year: 2026, month: 11, day: 27 }, 13, 0))
  assert.strictEqual(yield* dayOf("last session"), "2026-11-27")
})

test("[7.3-cause-wrong-type] options take no dates that are told from today", function*() {
  for (const text of ["today", "yesterday", "-1%20day"]) {
    assert.strictEqual((yield* ask(`${chain}?date=${text}`)).status, 400)
    assert.strictEqual((yield* ask(`${chain}?expiration=${text}`)).status, 400)
  }
})

test("a time of day is New York's, whatever offset is written", function*() {
  const first = (from: string) =>
    Effect.map(
      ask(`/v1/stocks/candles/5/AAPL/?from=${encodeURIComponent(from)}&to=2026-11-19`),
      (reply) => json(reply)["t"]?.[0]
    )
  const half = NewYork.at({ year: 2026, month: 11, day: 19 }, 13, 30)
  const froms = ["2026-11-19 13:30", "2026-11-19T13:30:00Z", "11/19/2026 1:30 PM", String(half), "46345.5625"]
  for (const from of froms) assert.strictEqual(yield* first(from), half, from)
})
