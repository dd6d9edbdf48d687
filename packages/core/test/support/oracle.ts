/**
 * Says what a reply of parallel arrays holds, in the plainest way there is: the platform's decoder of UTF-8, `JSON.parse`, and a schema for
 * each column. It shares no code with the engine that it judges.
 */
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import { Result, Schema } from "effect"

/** One column: what an element is, and where null may stand. */
interface Column {
  readonly element: Schema.Codec<unknown, unknown>
  readonly null: "identity" | "finding" | "nullable"
}

/** A resource as the oracle knows it, and what is asked of it. */
export interface Expected {
  readonly columns: Readonly<Record<string, Column>>
  readonly asked?: ReadonlyArray<string> | "present" | undefined
  readonly strict?: boolean | undefined
  readonly scalars?: ReadonlyArray<string> | undefined
  readonly statusOptional?: boolean | undefined
}

/** What a reply holds: the elements of each column, and what was unusual, each as one line, in no particular order. */
interface Content {
  readonly length: number
  readonly columns: Readonly<Record<string, ReadonlyArray<unknown>>>
  readonly findings: ReadonlyArray<string>
}

/** What a reply holds, or why it is none. */
export type Verdict = Result.Result<Content, string>

/** A symbol as text. */
const symbol = Schema.String.check(
  Schema.makeFilter((text) => Result.isSuccess(OptionSymbol.parse(text)) || "no option symbol")
)

/** The columns of a chain that hold a number, or null as a finding. */
const quantities = `
  firstTraded dte ask askSize bid bidSize mid volume openInterest underlyingPrice intrinsicValue extrinsicValue updated
  iv delta gamma theta vega
`.trim().split(/\s+/)

/** The columns of a chain, written out from the contract. */
export const chain: Expected["columns"] = {
  optionSymbol: { element: symbol, null: "identity" },
  underlying: { element: Schema.String, null: "identity" },
  expiration: { element: Schema.Finite, null: "identity" },
  side: { element: Schema.Literals(["call", "put"]), null: "identity" },
  strike: { element: Schema.Finite, null: "identity" },
  last: { element: Schema.Finite, null: "nullable" },
  inTheMoney: { element: Schema.Boolean, null: "finding" },
  ...Object.fromEntries(quantities.map((name) => [name, { element: Schema.Finite, null: "finding" } as const]))
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * Spells a backslash as `\u005c`. The `JSON.parse` of V8 13.6 reads the key of `{"\\a":1}` as two backslashes once it has met an object with
 * such a key: it compares the text as written with the name that it expects, and takes that for a match when the name is as long as the
 * key is without escapes.
 */
const unambiguous = (text: string): string =>
  text.replaceAll(/\\[^]/g, (escape) => escape === "\\\\" ? "\\u005c" : escape)

/** Limits that `JSON.parse` does not have, and the engine does. */
const limits = { depth: 512, tokenBytes: 1_048_576, fields: 1024 } as const

/** Prepares the schemas of a query, and returns its judge. */
export const judge = (expected: Expected): (bytes: Uint8Array) => Verdict => {
  const { asked, columns, scalars = [], strict = false, statusOptional = false } = expected
  const names = asked === undefined || asked === "present" ? Object.keys(columns) : asked
  const decoders = new Map(names.map((name) => {
    const { element, null: nulls } = columns[name]!
    const isNullable = nulls === "nullable" || (nulls === "finding" && !strict)
    const elements = Schema.Array(isNullable ? Schema.NullOr(element) : element)
    return [name, Schema.decodeUnknownResult(elements)] as const
  }))
  return (bytes) =>
    Result.gen(function*() {
      const text = yield* Result.try({ try: () => utf8.decode(bytes), catch: () => "UTF-8" })
      const reply: unknown = yield* Result.try({ try: () => JSON.parse(unambiguous(text)), catch: () => "JSON" })
      if (!Schema.is(record)(reply)) return yield* Result.fail("not an object")
      const problem = excess(text)
      if (problem !== undefined) return yield* Result.fail(problem)
      if (Object.hasOwn(reply, "s") && reply["s"] !== "ok") return yield* Result.fail("status")
      const findings: Array<string> = []
      if (!Object.hasOwn(reply, "s") && !statusOptional) findings.push("MissingStatus")
      for (const name of Object.keys(reply)) {
        if (name === "s" || Object.hasOwn(columns, name) || scalars.includes(name)) continue
        findings.push(`UnknownField in ${name}`)
      }
      const read: Record<string, ReadonlyArray<unknown>> = {}
      for (const [name, decode] of decoders) {
        if (!Object.hasOwn(reply, name)) continue
        read[name] = yield* Result.mapError(decode(reply[name]), () => name)
      }
      const lengths = new Set(Object.values(read).map(({ length }) => length))
      const [length] = lengths
      if (length === undefined || lengths.size > 1) return yield* Result.fail("lengths")
      for (const name of names) {
        const elements = read[name]
        if (elements === undefined) {
          findings.push(`MissingColumn in ${name}`)
          if (asked === "present") continue
          if (columns[name]!.null === "identity") return yield* Result.fail(`no ${name}`)
          read[name] = Array.from({ length }, () => null)
        } else if (columns[name]!.null === "finding") {
          const nulls = elements.flatMap((element, row) => element === null ? [row] : [])
          if (nulls.length > 0) findings.push(`NullNotAllowed in ${name}: ${nulls.length}: ${nulls.slice(0, 5).join()}`)
        }
      }
      if (strict && findings.length > 0) return yield* Result.fail(findings.join())
      return { length, columns: read, findings }
    })
}

const record = Schema.Record(Schema.String, Schema.Unknown)

/**
 * Looks for what `JSON.parse` takes and the engine refuses: a key that comes twice, too many of them, too deep a nesting, too long a token.
 * The text is JSON already, so that a glance at its tokens is enough.
 */
const excess = (text: string): string | undefined => {
  const keys = new Set<string>()
  let depth = 0
  let isKeyNext = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]|[^\s[\]{},:"]+/gs)) {
    if (token.length * 3 > limits.tokenBytes && new TextEncoder().encode(token).length > limits.tokenBytes) {
      return "token"
    }
    if (token === "{" || token === "[") {
      depth++
      if (depth > limits.depth + 1) return "depth"
      isKeyNext = depth === 1
    } else if (token === "}" || token === "]") depth--
    else if (token === ",") isKeyNext = depth === 1
    else if (isKeyNext) {
      const key: string = JSON.parse(token)
      if (keys.has(key)) return "duplicate"
      if (keys.size === limits.fields) return "fields"
      keys.add(key)
      isKeyNext = false
    }
  }
  return undefined
}
