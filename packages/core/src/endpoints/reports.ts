/** Endpoints that tell what happened on which days: of one day, of a range, or the last rows before one. */
import * as Parameter from "../query/parameter.ts"
import * as Range from "../query/range.ts"

/** The readers of their options. */
export const readers = { ...Range.any, ...Parameter.page }

/** The names of these, in the order they are sent. */
export const parameters = ["date", "from", "to", "countback", "limit", "offset"] as const
