/** The flag of commands that ask again and again. */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Flag from "effect/cli/Flag"
import * as Durations from "../text/duration.ts"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** Nothing that people look at changes more often. */
const interval = (text: string): Option.Option<Duration.Duration> =>
  Option.filter(Durations.read(text), (value) => Duration.toMillis(value) >= 1000 && Duration.isFinite(value))

export const watchFlag = {
  watch: Flag.String("watch").pipe(
    Flag.withMetavar("INTERVAL"),
    Flag.withDescription(
      "Ask again every INTERVAL and show it in place, until the budget for all rounds together is used up or Ctrl-C is pressed"
    ),
    Flag.filterMap(
      interval,
      (text) => Problem.format(Problem.shown(text), { rule: "must be a duration of a second or more", example: "30s" })
    ),
    Flag.optional
  )
}
