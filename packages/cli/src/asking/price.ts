/** Prices a question without asking it. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as Effect from "effect/Effect"
import { version } from "../output/answer.ts"
import { Output } from "../output/output.ts"
import * as Report from "../views/report.ts"
import { named } from "./ask.ts"
import type { Made } from "./question.ts"

/** Prints what a question would cost. */
export const price = Effect.fnUntraced(function*<Data>(made: Made<Data>) {
  const { query } = yield* named(made)
  const { format, show, write } = yield* Output
  const estimate = Credits.estimate(query)
  yield* format === "table"
    ? show([Report.line("estimate", Credits.format(estimate))])
    : write(JSON.stringify({ version, query, estimate }))
})
