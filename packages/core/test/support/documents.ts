/** Replies, good ones and broken ones, made from a source of random numbers. */
import { ColumnKind, OptionChain } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as Schema from "effect/Schema"
import type { Options } from "./decodings.ts"
import { anyNumber } from "./numberTexts.ts"
import * as Oracle from "./oracle.ts"
import type { Random } from "./random.ts"

/** A resource, as the engine and as the oracle know it, and what is asked of it. */
export interface Subject {
  readonly spec: ColumnSpec
  readonly options: Options
  readonly expected: Oracle.Expected
}

const chainSubject = (options: Options): Subject => ({
  spec: OptionChain.spec,
  options,
  expected: { ...options, asked: options.columns, columns: Oracle.chain }
})

/** Twenty choices, which no table of a kernel holds, and choices whose tokens are too long for one. */
const letters = Array.from({ length: 20 }, (_, at) => String.fromCharCode(97 + at))
const longWords = ["short", "a rather long word", "é"]

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** A resource with a column of each kind that chains do not have. */
export const otherSpec = {
  name: { kind: ColumnKind.dictionary, null: "finding" },
  price: { kind: ColumnKind.quotedNumber((text) => decimal.test(text) ? Number(text) : undefined), null: "nullable" },
  letter: { kind: ColumnKind.choices(letters), null: "finding" },
  word: { kind: ColumnKind.choices(longWords), null: "identity" },
  flag: { kind: ColumnKind.boolean, null: "nullable" },
  time: { kind: ColumnKind.repeatedNumber, null: "nullable" }
} as const satisfies ColumnSpec

const otherColumns: Oracle.Expected["columns"] = {
  name: { element: Schema.String, null: "finding" },
  price: {
    element: Schema.Union([
      Schema.Finite,
      Schema.String.check(Schema.isPattern(decimal)).pipe(Schema.decodeTo(Schema.FiniteFromString))
    ]),
    null: "nullable"
  },
  letter: { element: Schema.Literals(letters), null: "finding" },
  word: { element: Schema.Literals(longWords), null: "identity" },
  flag: { element: Schema.Boolean, null: "nullable" },
  time: { element: Schema.Finite, null: "nullable" }
}

const otherSubject = (options: Options): Subject => ({
  spec: otherSpec,
  options,
  expected: { ...options, asked: options.columns, columns: otherColumns }
})

/** What the documents are read as. */
export const subjects: ReadonlyArray<Subject> = [
  chainSubject({ columns: "present" }),
  chainSubject({ columns: ["optionSymbol", "underlying", "side", "bid", "last", "inTheMoney", "updated"] }),
  chainSubject({ columns: ["strike", "last", "updated"], strict: true }),
  chainSubject({ columns: ["last", "optionSymbol"], statusOptional: true, scalars: ["extra", "länge"] }),
  chainSubject({}),
  otherSubject({}),
  otherSubject({ columns: "present", statusOptional: true })
]

const symbols = `
  AAPL261120C00150000 AAPL261120P00150500 SPXW261231C06500000 BRKB270115P00400000 X260220C00000500
  GOOGL1280121P99999999 A1240229C00000000
`.trim().split(/\s+/)

const plain = ["AAPL", "", "é", "BRK.B", "a longer name than a key"]
const names = [...plain, "\u{1f600}", "\"\\\n\u2028", "\ud800", "0123456789abcdef"]

/** One element of a column, as JSON spells it. */
const elementFor = (random: Random, spec: ColumnSpec, name: string): string => {
  const { chance, pick } = random
  const { kind, null: nulls } = spec[name]!
  const { storage } = kind
  if (nulls !== "identity" && chance(0.04)) return "null"
  if (storage._tag === "Choices") return JSON.stringify(pick(storage.values))
  if (storage._tag === "Texts") return spelled(random, pick(storage.digits === 8 ? symbols : names))
  if (storage.ofText !== undefined && chance(0.3)) {
    return `"${chance(0.8) ? Number(anyNumber(random)).toFixed(2) : "1."}"`
  }
  return chance(0.5) ? anyNumber(random) : pick(["1.5", "0", "-0.25", "1763650800", "150", "12.34"])
}

/** A text as a JSON string, sometimes with an escape where none is needed. */
const spelled = ({ below, chance }: Random, text: string): string => {
  const json = JSON.stringify(text)
  if (chance(0.97) || text === "" || !/^[ -~]*$/.test(text) || json.length !== text.length + 2) return json
  const at = below(text.length)
  const escape = `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`
  return `"${text.slice(0, at)}${escape}${text.slice(at + 1)}"`
}

const nested = [`[1,[2,{"a":"b\\n"}],[]]`, `{"x":{"y":[]},"x":2}`, "[[[[[]]]]]", "{}"]
const extras = [...nested, "null", "1e999", "\"é\\ud800\u2028\"", "-1.5e3", "true"]

const extraNames = ["extra", "__proto__", "constructor", "length", "at", "toString", "hasOwnProperty", "länge", "", "S"]

/** A reply that is well-formed nearly always. */
export const document = (random: Random, { options, spec }: Subject): string => {
  const { below, chance, pick, shuffled } = random
  const rows = chance(0.03) ? 60 + below(60) : pick([0, 1, 1, 2, 3, 3, 4, 6, 9])
  const asked = options.columns === undefined || options.columns === "present" ? Object.keys(spec) : options.columns
  const share = options.columns === "present" ? 0.25 : 0.98
  const columns = asked.filter(() => chance(share))
  if (chance(0.1)) columns.push(pick(Object.keys(spec)))
  const gap = chance(0.6) ? () => "" : chance(0.5) ? () => " " : () => " \n\r\t".slice(below(4)).slice(0, below(3))
  const fields = columns.map((name) => {
    const repeats = chance(0.3)
    let element = elementFor(random, spec, name)
    const elements = Array.from({ length: rows }, () => {
      if (!repeats || chance(0.2)) element = elementFor(random, spec, name)
      return gap() + element + gap()
    })
    return `"${name}"${gap()}:${gap()}[${elements.length === 0 ? gap() : elements.join(",")}]`
  })
  if (chance(0.93)) fields.unshift(`"s":${chance(0.98) ? "\"ok\"" : "\"no_data\""}`)
  if (chance(0.3)) fields.push(`${JSON.stringify(pick(extraNames))}:${gap()}${pick(extras)}`)
  const order = chance(0.5) ? fields : shuffled(fields)
  return `${chance(0.01) ? "\ufeff" : ""}${gap()}{${order.map((field) => gap() + field + gap()).join(",")}}${gap()}`
}

const snippets = [
  ..."\",][{}:0-.e '\n\t\r\u0001\\é\ufeff\u00a0\u007f+9",
  ...String.raw`
    null nul true false 00 -0 1e5 1E+3 1. .5 +1 NaN Infinity 1e999 12345678901234567890 \u0041 \n \ud83d
    "call" "put" "s":"ok", "bid":[1], "name":[], /**/ [] {} "" 0x1
  `.trim().split(/\s+/),
  "  ",
  ", ",
  ...`"AAPL251017C00100000" "AAPL250229C00100000" "aapl251017C00100000" 1.5`.split(" ")
].map((text) => new TextEncoder().encode(text))

const splice = (bytes: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array => {
  const spliced = new Uint8Array(bytes.length - removed + inserted.length)
  spliced.set(bytes.subarray(0, at))
  spliced.set(inserted, at)
  spliced.set(bytes.subarray(at + removed), at + inserted.length)
  return spliced
}

/** Where the token around a place begins and ends. */
const tokenAround = (bytes: Uint8Array, place: number): readonly [number, number] => {
  let start = place
  let end = place
  while (start > 0 && bytes[start - 1] !== 44 && bytes[start - 1] !== 91) start--
  while (end < bytes.length && bytes[end] !== 44 && bytes[end] !== 93) end++
  return [start, end]
}

/** Changes a few bytes. */
export const mutate = (random: Random, bytes: Uint8Array): Uint8Array => {
  let mutant = bytes
  for (let times = 1 + random.below(2); times > 0; times--) {
    if (mutant.length === 0) return mutant
    mutant = changed(random, mutant)
  }
  return mutant
}

const changed = (random: Random, bytes: Uint8Array): Uint8Array => {
  const { below, chance, pick } = random
  const at = below(bytes.length)
  const rest = bytes.length - at
  const snippet = pick(snippets)
  switch (below(10)) {
    case 9: {
      const quote = bytes.indexOf(34, at)
      return quote < 0 ? bytes : splice(bytes, quote, 0, new Uint8Array(pick([1, 1, 16])).fill(pick([0, 32, 92, 255])))
    }
    case 0: {
      const flipped = bytes.slice()
      flipped[at]! ^= 1 << below(8)
      return flipped
    }
    case 1:
      return splice(bytes, at, Math.min(rest, 1 + below(3)), new Uint8Array(0))
    case 2:
      return splice(bytes, at, 0, snippet)
    case 3:
      return splice(bytes, below(bytes.length), 0, bytes.slice(at, at + 1 + below(30)))
    case 4:
      return chance(0.4) ? bytes.slice(0, at) : bytes
    case 5:
      return splice(bytes, at, 1, Uint8Array.of(below(256)))
    case 6:
      return splice(bytes, at, Math.min(rest, snippet.length), snippet)
    case 7: {
      const [start, end] = tokenAround(bytes, at)
      return splice(bytes, start, end - start, snippet)
    }
    default: {
      const [start, end] = tokenAround(bytes, at)
      return splice(bytes, start, end - start, new TextEncoder().encode(anyNumber(random) + pick(["", "", " ", "\n"])))
    }
  }
}
