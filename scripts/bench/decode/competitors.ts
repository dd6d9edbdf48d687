/** Other ways from the bytes of a reply to something that a program can use. Loaded only where they are measured: they fill the heap. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { tableFromArrays } from "apache-arrow"
import * as Schema from "effect/Schema"
import { z } from "zod"
import type { Subject } from "./subjects.ts"

const names = Object.keys(OptionChain.spec) as ReadonlyArray<OptionChain.Column>
const texts: ReadonlySet<string> = new Set(["optionSymbol", "underlying", "side"])

type Columns = Readonly<Record<OptionChain.Column, ReadonlyArray<unknown>>>

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

/** A row as somebody who cares about speed would write it: one literal, so that all rows have one shape. */
const toRows = (c: Columns): ReadonlyArray<unknown> => {
  const rows = []
  for (let at = 0; at < c.optionSymbol.length; at++) {
    rows.push({
      optionSymbol: c.optionSymbol[at],
      underlying: c.underlying[at],
      expiration: c.expiration[at],
      side: c.side[at],
      strike: c.strike[at],
      firstTraded: c.firstTraded[at],
      dte: c.dte[at],
      ask: c.ask[at],
      askSize: c.askSize[at],
      bid: c.bid[at],
      bidSize: c.bidSize[at],
      mid: c.mid[at],
      last: c.last[at],
      volume: c.volume[at],
      openInterest: c.openInterest[at],
      underlyingPrice: c.underlyingPrice[at],
      inTheMoney: c.inTheMoney[at],
      intrinsicValue: c.intrinsicValue[at],
      extrinsicValue: c.extrinsicValue[at],
      updated: c.updated[at],
      iv: c.iv[at],
      delta: c.delta[at],
      gamma: c.gamma[at],
      theta: c.theta[at],
      vega: c.vega[at]
    })
  }
  return rows
}

/** Numbers and booleans are given to Arrow in typed arrays, which it takes as they are: plain ones it reads element by element. */
const toArrow = (columns: Columns) =>
  tableFromArrays(Object.fromEntries(names.map((name) => {
    const elements = columns[name]
    return [name, texts.has(name) ? elements : name === "inTheMoney" ? toBytes(elements) : toFloats(elements)]
  })))

const toFloats = (elements: ReadonlyArray<unknown>): Float64Array => {
  const floats = new Float64Array(elements.length)
  for (let at = 0; at < floats.length; at++) {
    const element = elements[at]
    floats[at] = typeof element === "number" ? element : NaN
  }
  return floats
}

const toBytes = (elements: ReadonlyArray<unknown>): Uint8Array => {
  const bytes = new Uint8Array(elements.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = elements[at] === true ? 1 : 0
  return bytes
}

const withSchema: Subject = async () => {
  const decode = decodeColumns()
  return (bytes) => decode(parse(bytes))
}

/**
 * The others by case. None checks more than the types of the elements: no symbol is read, no column compared with another. Each is measured
 * in processes of its own, because the compiler of schemas, once switched on, stays on.
 */
export const competitors = {
  "22718-parse-and-rows": async () => (bytes) => toRows(parse(bytes)),
  "22718-zod-columns": async () => (bytes) => zodColumns.parse(parse(bytes)),
  "22718-apache-arrow": async () => (bytes) => toArrow(parse(bytes)),
  "22718-effect-schema-columns": withSchema,
  "22718-effect-schema-columns-jit": async () => {
    await import("effect/schema/SchemaJITCompiler/enable")
    return withSchema()
  }
} satisfies Readonly<Record<string, Subject>>
