/** What was paid for in a session, and selections of it: columns, conditions, an order, some rows. It sends nothing, and costs nothing. */
import { ForeignText, Problem } from "@effect-marketdata/core"
import { Effect } from "effect"
import { wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import type { Answer } from "./answer.ts"
import type { free } from "./parameters.ts"

/** How many results a session keeps; the oldest is forgotten. */
const most = 30

/** All rows of a result, the columns of them that were shown, and what was said of it. */
export interface Kept {
  readonly rows: Document.Rows
  readonly columns: ReadonlyArray<string>
  readonly answer: Answer
}

/** The results of a session. */
export const make = () => {
  const kept = new Map<string, Kept>()
  let count = 0
  return {
    keep: (rows: Document.Rows, columns: ReadonlyArray<string>, given: Answer): Answer => {
      const answer = { ...given, result: `r${++count}` }
      kept.set(answer.result, { rows, columns, answer })
      kept.delete(`r${count - most}`)
      return answer
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

/** Where a column stands among those of a result. */
const placeOf = ({ names }: Document.Rows, name: string) => {
  if (names.includes(name)) return Effect.succeed(names.indexOf(name))
  const nearest = Problem.nearest(name, names)
  return Effect.fail(wrong(
    "NoColumn",
    `there is no column ${ForeignText.quote(name)} in this result`,
    `${nearest === undefined ? "" : `did you mean ${nearest}? `}The columns are ${names.join(", ")}`
  ))
}

type Cell = number | string | boolean

const holds = (is: string, one: Cell, other: Cell): boolean =>
  is === "!=" ? one !== other : is.includes(one === other ? "=" : one < other ? "<" : ">")

/** Selects among rows; a column that is not there fails with those that are. What is missing meets no condition, and stands behind all. */
export const select = Effect.fnUntraced(function*(rows: Document.Rows, given: typeof free.again.Type) {
  const { columns = [], limit = Infinity, offset = 0, sort, where = [] } = given
  const places = yield* Effect.forEach(where, ({ column }) => placeOf(rows, column))
  const [name, order = "desc"] = sort?.split(":") ?? []
  const by = name === undefined ? undefined : yield* placeOf(rows, name)
  if (order !== "asc" && order !== "desc") {
    return yield* wrong("InvalidArguments", `sort ${ForeignText.quote(sort!)} must end with :asc or :desc, e.g. iv:asc`)
  }
  yield* Effect.forEach(columns, (column) => placeOf(rows, column))
  const meets = (cell: Document.Cell | undefined, { is, value }: typeof where[number]) =>
    typeof cell === typeof value && holds(is, cell!, value)
  const met = Document.cellsOf(rows, rows.length)
    .filter((cells) => where.every((condition, at) => meets(cells[places[at]!], condition)))
  const sorted = by === undefined ? met : met.toSorted((one, other) => compare(one[by]!, other[by]!, order === "asc"))
  return Document.rows(rows.names, sorted.slice(offset, offset + limit))
})

const isMissing = (cell: Document.Cell) => cell === null || Number.isNaN(cell)

const compare = (one: Document.Cell, other: Document.Cell, isAscending: boolean): number => {
  if (isMissing(one) || isMissing(other)) return Number(isMissing(one)) - Number(isMissing(other))
  return one === other ? 0 : (one! < other!) === isAscending ? -1 : 1
}
