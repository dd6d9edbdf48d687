/** A query to each endpoint, the fields that a reply to it has, where a hostile one does most harm. */
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import { exchanges } from "../../../core/test/support/replies.ts"

/** A query without a mode, whatever it answers. */
type Asked = Query.Query<unknown, undefined>

const columnsOfOne = [
  Query.optionChain("AAPL", { columns: ["bid"] }),
  Query.stockCandles("D", "AAPL", { countback: 5, columns: ["c"] })
]

/** All endpoints, and twice those whose replies may be largest: a query of few columns, so that few of them are an attack. */
export const all: ReadonlyArray<Asked> = [
  ...Object.values(exchanges).map(({ query }) => query as Asked),
  ...columnsOfOne.map((made) => Result.getOrThrow<Asked, unknown>(made))
]

/** The query that a request asks. */
export const queryOf = (target: string): Asked | undefined => all.find((query) => target.endsWith(Query.target(query)))

/** The fields that a reply to a query has. */
export const fieldsOf = ({ endpoint: { columns, name } }: Query.Query): ReadonlyArray<string> => [
  ...columns.length > 0 ? columns : Object.keys(JSON.parse(exchanges[name as Query.EndpointName].body)),
  "extra"
]
