/** Other ways to make something of a parsed chain that a program can use. None checks more than the types of the elements. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { tableFromArrays } from "apache-arrow"
import * as Schema from "effect/Schema"
import { z } from "zod"

const names = Object.keys(OptionChain.spec) as ReadonlyArray<OptionChain.Column>
const texts: ReadonlySet<string> = new Set(["optionSymbol", "underlying", "side"])

/** The arrays of a reply. */
export type Columns = Readonly<Record<OptionChain.Column, ReadonlyArray<unknown>>>

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

/** A schema of Effect for the arrays; made when it is asked for, so that the compiler of schemas can be switched on before. */
export const schemaColumns = () =>
  Schema.decodeUnknownSync(Schema.Struct({
    s: Schema.Literal("ok"),
    ...Object.fromEntries(names.map((name) => [name, Schema.Array(schemaOf(name))]))
  }))

/** The same for rows. */
export const schemaRows = () =>
  Schema.decodeUnknownSync(Schema.Array(Schema.Struct(Object.fromEntries(names.map((name) => [name, schemaOf(name)])))))

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

/** Zod for the arrays; fields that it does not know pass through. */
export const zodColumns = z.looseObject({
  s: z.literal("ok"),
  ...Object.fromEntries(names.map((name) => [name, z.array(zodOf(name))]))
})

/** The same for rows. */
export const zodRows = z.array(z.object(Object.fromEntries(names.map((name) => [name, zodOf(name)]))))

/** A row as somebody who cares about speed would write it: one literal, so that all rows have one shape. */
export const toRows = (c: Columns): ReadonlyArray<unknown> => {
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
export const toArrow = (columns: Columns) =>
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
