import * as Result from "effect/Result"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Parameter from "./parameter.ts"

/** The readers of a range of days, for endpoints that take no relative ones. */
export const plain = { from: Parameter.moment, to: Parameter.moment }

/** The readers of a range that may be relative, or counted back from its end. */
export const counted = {
  from: Parameter.orRelative(Parameter.moment),
  to: Parameter.orRelative(Parameter.moment),
  countback: Parameter.whole({ min: 1 })
}

/** The same, or one day. */
export const any = { date: Parameter.orRelative(Parameter.day), ...counted }

/** Refuses a day with a range, a start with a count, and a start after the end. */
export const check = (texts: Parameter.Texts<keyof typeof any>): Result.Result<void, InvalidQuery> =>
  Result.gen(function*() {
    yield* Parameter.exclusive(
      texts,
      [["date"], ["from", "to", "countback"]],
      "date, or from and to"
    )
    yield* Parameter.exclusive(
      texts,
      [["from"], ["countback"]],
      "from, or countback"
    )
    yield* Parameter.daysInOrder(texts)
  })
