/** Prices a question without asking it. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as Effect from "effect/Effect"
import { version } from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Report from "../views/report.ts"
import { named } from "./ask.ts"
import { type Made, queriesOf } from "./question.ts"

/** Prints what a question would cost. */
export const price = Effect.fnUntraced(function*<Data>(made: Made<Data>) {
  const question = yield* named(made)
  const { format, show, write } = yield* Output
  const estimates = queriesOf(question).map((query) => ({ query, estimate: Credits.estimate(query) }))
  yield* format === "table"
    ? show([Report.line("estimate", Report.estimates(estimates.map(({ estimate }) => estimate)))])
    : write(JSON.stringify({ version, ...question.list === undefined ? estimates[0] : { estimates } }))
})
