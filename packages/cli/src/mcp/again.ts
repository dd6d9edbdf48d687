/** What was paid for in a session, and selections of it: columns, conditions, an order, some rows. It asks nobody, and costs nothing. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import type { Answer } from "./answer.ts"
import type * as Parameters from "./parameters.ts"

/** How many results a session keeps; the oldest is forgotten. */
const most = 30

/** All rows of a result, and the columns of them that were shown. */
export interface Table {
  readonly rows: Document.Rows
  readonly columns: ReadonlyArray<string>
}

/** A result that is kept, and what was said of it. */
export interface Kept extends Table {
  readonly answer: Answer
}

/** The results of a session. */
export const make = () => {
  const kept = new Map<string, Kept>()
  let count = 0
  return {
    keep: (table: Table, answer: Answer) => {
      const result = `r${++count}`
      const named = { ...answer, result }
      kept.set(result, { ...table, answer: named })
      const oldest = kept.keys().next().value
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return named
    },
    find: (result: string) => {
      const found = kept.get(result)
      return found !== undefined ? Effect.succeed(found) : Effect.fail(wrong(
        "NoResult",
        `there is no result ${ForeignText.quote(result)}`,
        kept.size === 0 ? "nothing was asked yet" : `there are ${[...kept.keys()].join(", ")}`
      ))
    }
  }
}

type Cell = Document.Cell

const isNumber = (cell: Cell): cell is number => typeof cell === "number" && !Number.isNaN(cell)

/** Numbers by size, texts by letter; what is missing stands behind all. */
const compare = (a: Cell, b: Cell): number =>
  isNumber(a) && isNumber(b)
    ? a - b
    : isNumber(a) || isNumber(b)
    ? isNumber(a) ? -1 : 1
    : String(a) < String(b)
    ? -1
    : Number(String(a) > String(b))

const tests: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0
}

type Given = Schema.Schema.Type<typeof Parameters.again>

/** Selects among rows; a column that is not there fails with those that are. */
export const select = Effect.fnUntraced(function*(rows: Document.Rows, { limit, offset = 0, sort, where = [] }: Given) {
  const [sorted, order = "desc"] = sort?.split(":") ?? []
  for (const name of [...where.map(({ column }) => column), ...sorted === undefined ? [] : [sorted]]) {
    yield* column(rows, name)
  }
  if (order !== "asc" && order !== "desc") {
    return yield* wrong("InvalidArguments", `sort ${ForeignText.quote(sort!)} must end with :asc or :desc, e.g. iv:asc`)
  }
  const at = (name: string) => rows.names.indexOf(name)
  const conditions = where.map(({ column, is, value }) => ({ place: at(column), holds: tests[is]!, value }))
  const met = Array.from({ length: rows.length }, (_, index) => rows.row(index)).filter((cells) =>
    conditions.every(({ holds, place, value }) => {
      const cell = cells[place] ?? null
      return typeof cell === typeof value && holds(compare(cell, value))
    })
  )
  const place = sorted === undefined ? -1 : at(sorted)
  const inOrder = place < 0 ? met : met.toSorted((a, b) => {
    const [one = null, other = null] = [a[place], b[place]]
    return isNumber(one) && isNumber(other) && order === "desc" ? other - one : compare(one, other)
  })
  return Document.rows(rows.names, inOrder.slice(offset, limit === undefined ? undefined : offset + limit))
})

/** Fails where rows have no such column. */
export const column = (rows: Document.Rows, name: string) => {
  if (rows.names.includes(name)) return Effect.void
  const nearest = Problem.nearest(name, rows.names)
  return Effect.fail(wrong(
    "NoColumn",
    `there is no column ${ForeignText.quote(name)} in this result`,
    `${nearest === undefined ? "" : `did you mean ${nearest}? `}The columns are ${rows.names.join(", ")}`
  ))
}
