/**
 * Why a table cannot be exported: an option that breaks its rule, an element that its column's type cannot hold, tables that do not go together, or a
 * file that cannot be written.
 *
 * @example
 * ```ts
 * import * as Export from "@effect-marketdata/export/Export"
 * import * as Result from "effect/Result"
 *
 * const format = Export.formatOf("chain.xls")
 * Result.isFailure(format) && format.failure.reason._tag // => "InvalidOption"
 * ```
 *
 * @see {@link Export} which fails with it
 * @since 0.1.0
 */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/**
 * An option breaks its rule.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidOption extends Data.TaggedError("InvalidOption")<
  Readonly<Record<"parameter" | "value" | "rule" | "example", string>>
> {
  override get message(): string {
    return Problem.format(`${this.parameter} ${this.value}`, this)
  }
}

/**
 * The type of a column cannot represent an element exactly. Rows count from 0, in the table that was given.
 *
 * @category errors
 * @since 0.1.0
 */
export class Inexact extends Data.TaggedError("Inexact")<{
  readonly column: string
  readonly row: number
  readonly value: number
  readonly type: string
}> {
  override get message(): string {
    return `the column ${this.column} has ${this.value} in row ${this.row}, which is not ${this.type}. ` +
      `Export it as it is, e.g. types: { ${JSON.stringify(this.column)}: "number" }.`
  }
}

/**
 * A table has other columns than those before it in the same file, or columns of other types, each with its type: `strike (decimal)`, `last (number or null)`.
 *
 * @category errors
 * @since 0.1.0
 */
export class OtherColumns extends Data.TaggedError("OtherColumns")<{
  readonly expected: ReadonlyArray<string>
  readonly found: ReadonlyArray<string>
}> {
  override get message(): string {
    return `a table has the columns ${this.found.join(", ")}, and those before it in this file have ` +
      `${this.expected.join(", ")}. Give each kind of table a file of its own.`
  }
}

/**
 * The stream had no table, or a table without columns: the columns of the file are unknown.
 *
 * @category errors
 * @since 0.1.0
 */
export class NoColumns extends Data.TaggedError("NoColumns") {
  override get message(): string {
    return "no table with a column came, so that the columns of the file are not known. A table without rows is enough."
  }
}

/**
 * A file cannot be written. `detail` says what the system said.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unwritable extends Data.TaggedError("Unwritable")<{ readonly path: string; readonly detail: string }> {
  override get message(): string {
    return `${Problem.shown(this.path, 200)} cannot be written: ${this.detail}. Nothing is there of this export.`
  }
}

/**
 * Why something cannot be exported. Handle its `reason` with `Effect.catchReason` or `Effect.unwrapReason`.
 *
 * @category errors
 * @since 0.1.0
 */
export class ExportError extends Data.TaggedError("ExportError")<{
  readonly reason: InvalidOption | Inexact | OtherColumns | NoColumns | Unwritable
}> {
  override get message(): string {
    return this.reason.message
  }
}

/**
 * The error of an option that breaks its rule.
 *
 * @internal
 */
export const invalid = (parameter: string, value: unknown, problem: Problem.Problem): ExportError =>
  new ExportError({ reason: new InvalidOption({ parameter, value: Problem.shown(value), ...problem }) })

/**
 * Runs what throws an `ExportError` where it fails.
 *
 * @internal
 */
export const attempt = <A>(run: () => A): Result.Result<A, ExportError> =>
  Result.try({
    try: run,
    catch: (error) => {
      if (error instanceof ExportError) return error
      throw error
    }
  })
