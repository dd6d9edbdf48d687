/** Other ways from the bytes of a reply to something that a program can use. Loaded only where they are measured: they fill the heap. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { tableFromArrays } from "apache-arrow"
import * as Schema from "effect/Schema"
import { z } from "zod"
import type { Subject } from "./subjects.ts"

const names = Object.keys(OptionChain.spec)
const texts = new Set(["optionSymbol", "underlying", "side"])

type Columns = Readonly<Record<string, ReadonlyArray<unknown>>>

const text = new TextDecoder()

const parse = (bytes: Uint8Array): Columns => JSON.parse(text.decode(bytes))

const schemaOf = (name: string) =>
  name === "side"
    ? Schema.Literals(["call", "put"])
    : texts.has(name)
    ? Schema.String
    : name === "inTheMoney"
    ? Schema.Boolean
    : name === "last"
    ? Schema.NullOr(Schema.Finite)
    : Schema.Finite

const decodeColumns = () =>
  Schema.decodeUnknownSync(Schema.Struct({
    s: Schema.Literal("ok"),
    ...Object.fromEntries(names.map((name) => [name, Schema.Array(schemaOf(name))]))
  }))

const zodOf = (name: string) =>
  name === "side"
    ? z.enum(["call", "put"])
    : texts.has(name)
    ? z.string()
    : name === "inTheMoney"
    ? z.boolean()
    : name === "last"
    ? z.number().nullable()
    : z.number()

const zodColumns = z.object({
  s: z.literal("ok"),
  ...Object.fromEntries(names.map((name) => [name, z.array(zodOf(name))]))
})

const toRows = (columns: Columns): ReadonlyArray<unknown> =>
  columns["optionSymbol"]!.map((_, row) => Object.fromEntries(names.map((name) => [name, columns[name]![row]])))

const toArrow = (columns: Columns) =>
  tableFromArrays(Object.fromEntries(names.map((name) => {
    const elements = columns[name]!
    return [name, texts.has(name) || name === "inTheMoney" ? [...elements] : Float64Array.from(elements, Number)]
  })))

/** The others, in the order in which they are measured: the compiler of schemas is switched on last, and stays on. */
export const others: ReadonlyMap<string, Subject> = new Map<string, Subject>([
  ["parse + rows", async () => (bytes) => toRows(parse(bytes))],
  ["zod 4, columns", async () => (bytes) => zodColumns.parse(parse(bytes))],
  ["apache-arrow", async () => (bytes) => toArrow(parse(bytes))],
  ["Effect Schema, columns", async () => {
    const decode = decodeColumns()
    return (bytes) => decode(parse(bytes))
  }],
  ["Effect Schema, columns, compiled", async () => {
    await import("effect/schema/SchemaJITCompiler/enable")
    const decode = decodeColumns()
    return (bytes) => decode(parse(bytes))
  }]
])
