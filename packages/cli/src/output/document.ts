/** Data that are no answer of the service, in the format that was asked for: settings, symbols, a diagnosis. */
import * as Effect from "effect/Effect"
import type { Line } from "../text/span.ts"
import { grid, printRows, version } from "./answer.ts"
import { Output } from "./output.ts"
import type * as Rows from "./rows.ts"

/** Prints one document as JSON, its rows for programs that read rows, or lines for people: a grid of the rows if there are no lines. */
export const print = Effect.fnUntraced(function*(document: {
  readonly json: object
  readonly rows: Rows.Rows
  readonly lines?: ReadonlyArray<Line>
}) {
  const { format, show, size, write } = yield* Output
  switch (format) {
    case "table":
      return yield* show(document.lines ?? grid(document.rows, (yield* size).columns))
    case "json":
      return yield* write(JSON.stringify({ version, ...document.json }))
    default:
      return yield* printRows(document.rows, format)
  }
})
