/**
 * All modules of this package by name.
 *
 * @module @effect-marketdata/export
 * @since 0.1.0
 */
export * as Arrow from "./formats/Arrow.ts"
export * as Columns from "./columns/Columns.ts"
export * as Csv from "./formats/Csv.ts"
export * as Dataset from "./files/Dataset.ts"
export * as Export from "./files/Export.ts"
export * as ExportError from "./reason/ExportError.ts"
export * as JsonLines from "./formats/JsonLines.ts"
export * as Parquet from "./formats/Parquet.ts"
