import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import { assert, describe, it } from "@effect/vitest"
import * as RequestTime from "../../src/internal/requestTime.ts"

/** Friday noon. */
const now = Eastern.at({ year: 2026, month: 11, day: 20 }, 12, 0)

const shown = (text: string, forms: "plain" | "relative"): string | undefined => {
  const time = RequestTime.parse(text, forms, now)
  if (time === undefined) return undefined
  return CalendarDate.format(time.date) + (time.secondOfDay === undefined ? "" : ` ${time.secondOfDay}`)
}

describe("requestTime", () => {
  describe("parse", () => {
    const plain: ReadonlyArray<readonly [text: string, shown: string | undefined]> = [
      ["2026-11-20", "2026-11-20"],
      ["2026-11-20 16:00:00", "2026-11-20 57600"],
      ["2026-11-20T16:00", "2026-11-20 57600"],
      ["2026-11-20T16:00:00Z", "2026-11-20 57600"],
      ["2026-11-20T16:00:00.5-05:00", "2026-11-20 57600"],
      ["12/30/2020", "2020-12-30"],
      ["12/30/2020 4:00 PM", "2020-12-30 57600"],
      ["12/30/2020 12:00 AM", "2020-12-30 0"],
      ["12/30/2020 12:30 PM", "2020-12-30 45000"],
      ["12/30/2020 16:00", "2020-12-30 57600"],
      ["1609362000", "2020-12-30 57600"],
      ["44195.66667", "2020-12-30 57600"],
      ["44195", "2020-12-30"],
      ["2026-02-29", undefined],
      ["2026-11-20 24:00", undefined],
      ["2026-11-20 16:60", undefined],
      ["13/30/2020", undefined],
      ["12/30/2020 13:00 PM", undefined],
      ["", undefined],
      ["soon", undefined],
      ["20261120x", undefined],
      ["-1", undefined],
      ["today", undefined],
      ["99999999999999", undefined]
    ]
    for (const [text, expected] of plain) {
      it(`reads ${JSON.stringify(text)} as ${expected ?? "nothing"}`, () =>
        assert.strictEqual(shown(text, "plain"), expected))
    }

    const relative: ReadonlyArray<readonly [text: string, shown: string | undefined]> = [
      ["now", "2026-11-20 43200"],
      ["today", "2026-11-20"],
      ["Yesterday", "2026-11-19"],
      ["last session", "2026-11-20"],
      ["-10 minutes", "2026-11-20 42600"],
      ["-1 hour", "2026-11-20 39600"],
      ["-5 days", "2026-11-15"],
      ["-1 week", "2026-11-13"],
      ["-9 months", "2026-02-20"],
      ["-1 year", "2025-11-20"],
      ["30 minutes ago", "2026-11-20 41400"],
      ["2 days ago", "2026-11-18"],
      ["999999 years ago", undefined],
      ["last Monday", undefined],
      ["5 days", undefined]
    ]
    for (const [text, expected] of relative) {
      it(`reads ${JSON.stringify(text)}, told from Friday noon, as ${expected ?? "nothing"}`, () =>
        assert.strictEqual(shown(text, "relative"), expected))
    }

    it("takes the last day of a shorter month, and the session before on a Sunday", () => {
      const march = Eastern.at({ year: 2026, month: 3, day: 31 }, 12, 0)
      assert.deepStrictEqual(RequestTime.parse("-1 month", "relative", march)?.date, { year: 2026, month: 2, day: 28 })
      const sunday = Eastern.at({ year: 2026, month: 11, day: 22 }, 12, 0)
      assert.strictEqual(RequestTime.parse("last session", "relative", sunday)?.date.day, 20)
      const early = Eastern.at({ year: 2026, month: 11, day: 23 }, 8, 0)
      assert.strictEqual(RequestTime.parse("last session", "relative", early)?.date.day, 20)
    })
  })
})
