/** What a command asks, once its flags are read: the query, and how the data of its answer are shown. */
import type { Answer } from "@effect-marketdata/core/Answer"
import type { Finding } from "@effect-marketdata/core/Finding"
import type { Provenance } from "@effect-marketdata/core/Provenance"
import type { Query } from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type * as Stdio from "effect/Stdio"
import type { CommandError } from "../failure/failure.ts"
import type * as Document from "../output/document.ts"
import type { Output, Size } from "../output/output.ts"
import type { Line } from "../text/span.ts"
import type { Beside, View } from "../views/table.ts"
import type { Connection } from "./connection.ts"

/** A query and its answer. */
export interface Answered<out Data> {
  readonly query: Query<Data>
  readonly answer: Answer<Data>
}

/** A query, the view of its data, and the consent to live data after a cached miss. */
export interface Call<in out Data = unknown> {
  readonly query: Query<Data>
  /** More queries of the same kind, for a command that takes a list, and how their data become one. */
  readonly list?: {
    readonly others: ReadonlyArray<Query<Data>>
    readonly join: (parts: ReadonlyArray<Answered<Data>>) => Data
  }
  readonly view: View<Data>
  /** What becomes of the data where they are neither printed nor saved as a table. */
  readonly deliver?: (data: Data, told: {
    readonly answers: readonly [Answer<Data>, ...ReadonlyArray<Answer<Data>>]
    readonly connection: Connection["Service"]
    readonly now: number
  }) => Effect.Effect<void, CommandError, Output | FileSystem.FileSystem | Path.Path>
  readonly fallbackUpTo?: number | undefined
  /** How often to ask again, until the budget is used up. */
  readonly every?: Duration.Duration | undefined
}

/** All queries of a call. */
export const queriesOf = <Data>(
  { list, query }: Pick<Call<Data>, "list" | "query">
): readonly [Query<Data>, ...ReadonlyArray<Query<Data>>] => [query, ...list?.others ?? []]

/** A reply that was saved, ready to be shown. */
export interface Saved {
  readonly name: string
  readonly data: unknown
  readonly rows: Document.Rows
  readonly lines: (size: Size, now: number) => ReadonlyArray<Line>
  /** What documents and files have besides the reply. */
  readonly beside: Beside | undefined
  readonly updated: Provenance["updated"]
  readonly findings: ReadonlyArray<Finding>
}

/** What flags make: a call, or why they make none. */
export type Made<Data> = Effect.Effect<Call<Data>, InvalidQuery | Config.ConfigError | CommandError>

/** Reads a saved reply. */
export type SavedReply = Effect.Effect<Saved, CommandError, Stdio.Stdio>
