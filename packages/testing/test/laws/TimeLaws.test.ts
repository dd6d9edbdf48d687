import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as TimeLaws from "@effect-marketdata/testing/TimeLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("TimeLaws", () => {
  it("of finds a clock without daylight saving, and one that shows an hour once", () => {
    assertAllBroken({
      "winter all year": TimeLaws.of({
        fromEpochSeconds: (at) => ({
          date: CalendarDate.fromEpochDay(Math.floor((at - 18_000) / 86_400)),
          secondOfDay: ((at - 18_000) % 86_400 + 86_400) % 86_400
        }),
        instantsOf: () => []
      }),
      "the earlier of two": TimeLaws.of({
        fromEpochSeconds: NewYork.fromEpochSeconds,
        instantsOf: ({ date, secondOfDay }) => [NewYork.toEpochSeconds(date, secondOfDay)]
      })
    })
  })

  it("calendar finds a leap day too many", () => {
    assertAllBroken({
      "a leap day": TimeLaws.calendar({
        ...CalendarDate,
        toEpochDay: (day) => CalendarDate.toEpochDay(day) + (day.year > 2096 ? 1 : 0)
      })
    })
  })

  it("ages find a form that is read wrongly, and a bound that is not one", () => {
    assertAllBroken({
      "minutes for hours": TimeLaws.ages({
        ...MaxAge,
        parse: (text) => MaxAge.parse(text.replace(/^(\d+)min$/, "$1h"))
      }),
      "the bound left out": TimeLaws.ages({
        ...MaxAge,
        accepts: (maxAge, entryTime, now) => MaxAge.accepts(maxAge, entryTime - 1, now)
      }),
      "only the old": TimeLaws.ages({
        ...MaxAge,
        accepts: (maxAge, entryTime, now) => !MaxAge.accepts(maxAge, entryTime, now)
      })
    })
  })
})
