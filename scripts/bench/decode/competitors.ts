/** Other ways from the bytes of a reply to something that a program can use. Loaded only where they are measured: they fill the heap. */
import * as Others from "../others.ts"
import type { Subject } from "./subjects.ts"

const text = new TextDecoder()

const parse = (bytes: Uint8Array): Others.Columns => JSON.parse(text.decode(bytes))

const withSchema: Subject = async () => {
  const decode = Others.schemaColumns()
  return (bytes) => decode(parse(bytes))
}

/**
 * The others by case. No symbol is read, no column compared with another. Each is measured in processes of its own, because the compiler of schemas, once switched on, stays on.
 */
export const competitors = {
  "22718-parse-and-rows": async () => (bytes) => Others.toRows(parse(bytes)),
  "22718-zod-columns": async () => (bytes) => Others.zodColumns.parse(parse(bytes)),
  "22718-apache-arrow": async () => (bytes) => Others.toArrow(parse(bytes)),
  "22718-effect-schema-columns": withSchema,
  "22718-effect-schema-columns-jit": async () => {
    await import("effect/schema/SchemaJITCompiler/enable")
    return withSchema()
  }
} satisfies Readonly<Record<string, Subject>>
