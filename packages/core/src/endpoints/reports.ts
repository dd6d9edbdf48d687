/** Endpoints that tell what happened on which days: of one day, of a range, or the last rows before one. */
import type { Page } from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import type * as Period from "../query/Period.ts"
import type * as Construct from "../query/construct.ts"
import * as Range from "../query/range.ts"

/** The readers of their options. */
export const readers = { ...Range.any, ...Parameter.page } satisfies Construct.Readers<Page & Period.DayOrRange>

/** The names of these, in the order they are sent. */
export const parameters = ["date", "from", "to", "countback", "limit", "offset"] as const
