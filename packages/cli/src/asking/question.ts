/** What a command asks, once its flags are read: the query, and how the data of its answer are shown. */
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type { Query } from "@effect-marketdata/core/Query"
import type * as Config from "effect/Config"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Size } from "../output/output.ts"
import type { Rows } from "../output/rows.ts"
import type { Line } from "../text/span.ts"

/**
 * How data are shown: as rows for programs and, if a grid of the rows will not do, as lines of their own for people. `now` is in epoch seconds.
 */
export interface View<in Data> {
  readonly rows: (data: Data) => Rows
  readonly lines?: (data: Data, size: Size, now: number) => ReadonlyArray<Line>
}

/** A query, the view of its data, and the consent to live data after a cached miss. */
export interface Question<Data = unknown> {
  readonly query: Query<Data>
  readonly view: View<Data>
  readonly fallbackUpTo?: Option.Option<number>
}

/** What flags make: a question, or why they make none. */
export type Made<Data> = Effect.Effect<Question<Data>, InvalidQuery | Config.ConfigError>

/** From the flags of a command to its question. It is the type of the modules in `queries/`, which are loaded when a command runs. */
export interface Questions<in Input, Data> {
  readonly of: (input: Input) => Made<Data>
}
