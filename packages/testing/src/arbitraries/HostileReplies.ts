/**
 * Replies of a hostile or broken server, for fast-check: endless, truncated, slow, garbage, compression bombs, false headers, hostile texts.
 * Each is a small value however much it sends, so that a counterexample can be read; `wire` makes its bytes.
 *
 * They work with any client: `HostileServer` sends them.
 *
 * @example
 * ```ts
 * import * as HostileReplies from "@effect-marketdata/testing/HostileReplies"
 * import * as fc from "fast-check"
 *
 * const fields = ["symbol", "bid"]
 * const [reply] = fc.sample(HostileReplies.reply({ fields, maxBytes: 1_000_000 }), { seed: 1, numRuns: 1 })
 * HostileReplies.describe(reply!) // => "texts over unendedChunks, hangs"
 * ```
 *
 * @since 0.1.0
 */
import * as fc from "fast-check"
import * as HostileTexts from "./HostileTexts.ts"
import * as Wire from "./hostileWire.ts"
import type { Coding, Framing, HostileReply, Pace, Part } from "./hostileWire.ts"

/**
 * A hostile reply, and what it is made of: its parts, its coding, the framing that tells its end, and its pace.
 *
 * @since 0.1.0
 */
export type { Coding, Framing, HostileReply, Pace, Part } from "./hostileWire.ts"

/**
 * The client that replies are generated for.
 *
 * - `fields`: the fields that it expects in a reply, which are attacked most
 * - `maxBytes`: the largest size of a body that is not endless
 * - `answers`: JSON that it accepts, to be enlarged and damaged; a table of numbers by default
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly fields: ReadonlyArray<string>
  readonly maxBytes: number
  readonly answers?: ReadonlyArray<string>
}

/** How often a text comes: a few times, some thousand times, as often as the size allows, or without end. */
const times = ({ maxBytes }: Options, text: string): fc.Arbitrary<number> => {
  const most = Math.max(1, Math.floor(maxBytes / text.length))
  return fc.constantFrom(1, Math.min(1000, most), Math.min(70_000, most), most, Infinity)
}

const once = (text: string): Part => ({ text, times: 1 })

/** The beginning of an object up to the value of a field. */
const upTo = (field: string): Part => once(`{"s":"ok",${JSON.stringify(field)}:`)

/** A field that is a list of ones. */
const ones = (
  field: string,
  more: number
): ReadonlyArray<Part> => [once(`,${JSON.stringify(field)}:[1`), { text: ",1", times: more }, once("]")]

/** JSON in which no `#` stands for a number. */
const numberless = (json: string): string => json.replaceAll("#", "\\u0023")

/** An answer that the client accepts. */
const answer = ({ answers = [], fields }: Options): fc.Arbitrary<string> =>
  answers.length > 0
    ? fc.constantFrom(...answers)
    : fc.constant(JSON.stringify({ s: "ok", ...Object.fromEntries(fields.map((field) => [field, [1, 2]])) }))

/** An answer whose lists are repeated until they have the largest size; empty lists stay empty. */
const enlarged = (text: string, maxBytes: number): ReadonlyArray<Part> => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [once(numberless(text))]
  const times = Math.max(1, Math.floor(maxBytes / text.length))
  const fields = Object.entries(value).flatMap(([field, held], at) => {
    const name = `${at === 0 ? "" : ","}${numberless(JSON.stringify(field))}:`
    if (!Array.isArray(held) || held.length === 0) return [once(name + numberless(JSON.stringify(held)))]
    const elements = numberless(JSON.stringify(held)).slice(1, -1)
    return [once(`${name}[${elements}`), { text: `,${elements}`, times: times - 1 }, once("]")]
  })
  return [once("{"), ...fields, once("}")]
}

/** A body that repeats a text between two others, in one of the fields. */
const repeating = (options: Options, before: string, texts: ReadonlyArray<string>, after: string) =>
  fc.tuple(fc.constantFrom(...options.fields), fc.constantFrom(...texts)).chain(([field, text]) =>
    times(options, text).map((times) => [upTo(field), once(before), { text, times }, once(after)])
  )

/** Texts that do something to a program that prints, logs or interprets them, as JSON spells them. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  HostileTexts.terminal.map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom(
    "Bearer abc.def.ghi token=abc%2Fdef&amp;token=x",
    "<script>alert(1)</script><!--",
    "%s%n%d${7*7}{{7*7}}`id`",
    "__proto__",
    "../../etc/passwd",
    "=cmd|'/c calc'!A1"
  )
)

/** Bytes that no UTF-8 has, as characters. */
const notUtf8 = fc.constantFrom("\u00ff", "\u00c0\u00af", "\u00e2\u0082", "\u00ed\u00a0\u0080")

/**
 * Bodies by kind: each attacks one thing that a reader of JSON or of tables has to bound.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const bodies: Readonly<Record<string, (options: Options) => fc.Arbitrary<ReadonlyArray<Part>>>> = {
  answer: (options) => answer(options).map((text) => [once(numberless(text))]),
  enlarged: (options) => answer(options).map((text) => enlarged(text, options.maxBytes)),
  damaged: (options) =>
    fc.tuple(answer(options), fc.nat(), fc.constantFrom("", "\"", "}", "]", ",", "-", "\\", "\u0000", "9".repeat(400)))
      .map(
        ([text, at, put]) =>
          [text.slice(0, at % text.length), put, text.slice(at % text.length + 1)].map((part) => once(numberless(part)))
      ),
  braces: (options) => repeating(options, "[0", [",{}", ",[]", `,{"a":{}}`], "]}"),
  numbers: (options) => repeating(options, "[1", [",1", ",0.1", ",-0", ",1e5", ",123456789.123456789", ",#"], "]}"),
  strangeNumbers: (options) =>
    repeating(options, "[1", [",1e999", ",1e-999", ",0.00000000000000000000000000000001", ",9007199254740993"], "]}"),
  longNumber: (options) => repeating(options, "[1", ["0", ".0", "1e"], "]}"),
  texts: (options) => repeating(options, `["a"`, [`,"#"`, `,"#AAPL261120C00150000"`, `,"SPX261120C#"`, `,"a"`], "]}"),
  longText: (options) => repeating(options, "[\"", ["x", "\\n", "é\\n", "\\u00e9", "€", "\\\\"], "\"]}"),
  nulls: (options) => repeating(options, "[null", [",null"], "]}"),
  deep: (options) => repeating(options, "", ["[", "{\"a\":", "[{\"a\":"], ""),
  fields: (options) => repeating(options, "[]", [`,"#":0`, `,"#":[]`, `,"#":"#"`], "}"),
  sameField: (options) => repeating(options, "[]", [`,"s":"ok"`, `,"a":1`], "}"),
  longField: (options) => repeating(options, "[],\"", ["x", "\\u0061"], "\":1}"),
  blanks: (options) => repeating(options, "", [" ", "\n", "\r\n\t "], "[]}"),
  hostileTexts: (options) => hostileText.chain((text) => repeating(options, "[\"a\"", [`,"${text}"`], "]}")),
  ragged: ({ fields }) =>
    fc.array(fc.nat({ max: 50_000 }), { minLength: fields.length, maxLength: fields.length }).map((lengths) => [
      once(`{"s":"ok"`),
      ...fields.flatMap((field, at) => ones(field, lengths[at]!)),
      once("}")
    ]),
  badUtf8: (options) =>
    fc.tuple(fc.constantFrom(...options.fields), notUtf8, times(options, "x")).map(([field, text, times]) => {
      const bytes = { text, times: 1, raw: true }
      return [upTo(field), once("[\""), { text: "x", times }, bytes, once("\"]}")]
    }),
  garbage: (options) =>
    fc.string({ unit: fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)), minLength: 1, maxLength: 200 })
      .chain((text) => times(options, text).map((times) => [{ text, times, raw: true }])),
  page: (options) => times(options, "<p>x").map((times) => [once("<!doctype html><html>"), { text: "<p>x", times }]),
  angles: (options) =>
    fc.constantFrom("<", "<a", "&lt;", `"errmsg":"`).chain((text) =>
      times(options, text).map((times) => [once("{"), { text, times }])
    ),
  error: () => hostileText.map((text) => [once(`{"s":"error","errmsg":"${text}"}`)]),
  lines: (options) => repeating(options, "0}\n", ["a,b\n", ",", "\"", "\"\"", "1\r\n"], ""),
  empty: () => fc.constant([])
}

/** The name of a kind of body. */
const kind = fc.constantFrom(...Object.keys(bodies))

/** Draws the first `weight` times as often as the second. */
const mostly = <A>(weight: number, usual: fc.Arbitrary<A>, rare: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: rare, weight: 1 })

const plain: Coding = { label: undefined, actual: [], cut: false }

/**
 * Codings: none most of the time; gzip and deflate, whole or cut, once or twice; a label for what is not there, and none for what is.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const coding: fc.Arbitrary<Coding> = fc.oneof(
  { arbitrary: fc.constant(plain), weight: 3 },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Coding>(
      { label: "gzip", actual: ["gzip"], cut: false },
      { label: "gzip", actual: ["gzip"], cut: true },
      { label: "GZIP", actual: ["gzip"], cut: false },
      { label: "deflate", actual: ["deflate"], cut: false },
      { label: "deflate", actual: ["deflate"], cut: true },
      { label: "gzip, gzip", actual: ["gzip", "gzip"], cut: false },
      { label: "gzip", actual: [], cut: false },
      { label: "gzip", actual: ["deflate"], cut: false },
      { label: "br", actual: ["gzip"], cut: false },
      { label: "x-unheard-of", actual: [], cut: false },
      { label: "identity", actual: ["gzip"], cut: false },
      { label: undefined, actual: ["gzip"], cut: false }
    )
  }
)

const falseLengths = ["lengthTooSmall", "lengthTooLarge", "twoLengths"] as const
const falseChunks = ["lengthAndChunked", "hugeChunk", "brokenChunk", "unendedChunks"] as const

/**
 * Framings: mostly those of HTTP, and false ones.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const framing: fc.Arbitrary<Framing> = mostly<Framing>(
  3,
  fc.constantFrom("length", "chunked", "close"),
  fc.constantFrom(...falseLengths, ...falseChunks)
)

/**
 * Paces: as fast as it goes most of the time; a byte at a time, or some, with pauses.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const pace: fc.Arbitrary<Pace> = mostly(
  6,
  fc.constant<Pace>({ bytes: 65_536, pause: 0 }),
  fc.constantFrom<Pace>({ bytes: 1, pause: 1 }, { bytes: 1, pause: 200 }, { bytes: 1000, pause: 10 })
)

const figures = ["consumed", "remaining", "limit", "reset"].map((name) => `x-api-ratelimit-${name}`)
const amounts = ["1", "-1", "1e99", "NaN", "0x10", "9".repeat(21), "1, 2", "", "Wed, 21 Oct 2026 07:28:00 GMT"]
const types = ["text/html", "application/json", "text/csv", ";;;", "a".repeat(1000)]
const places = ["http://127.0.0.1:9/", "//other.test/", "javascript:1"]

/**
 * Headers that are false, repeated, or too large.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const headers: fc.Arbitrary<HostileReply["headers"]> = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom(...figures, "retry-after"), fc.constantFrom(...amounts)),
    fc.tuple(fc.constant("content-type"), fc.constantFrom(...types)),
    fc.tuple(fc.constant("cf-ray"), fc.constantFrom("\u009d0;title\u009c", "r".repeat(5000))),
    fc.tuple(fc.constantFrom("location", "refresh"), fc.constantFrom(...places)),
    fc.nat({ max: 300 }).map((at) => [`x-${at}`, "v".repeat(at)] as const)
  ),
  { maxLength: 6 }
)

/**
 * Statuses: mostly those with data.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const status: fc.Arbitrary<number> = mostly(
  6,
  fc.constantFrom(200, 203),
  fc.constantFrom(204, 206, 301, 302, 304, 400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 999)
)

const end = mostly<HostileReply["end"]>(4, fc.constantFrom("closes", "keeps"), fc.constantFrom("breaks", "hangs"))

/** How a body is delivered, in a few words. */
const nameOf = ({ coding, end, framing, pace }: Omit<HostileReply, "delivery" | "kind">): string => {
  const { actual, cut, label } = coding
  const said = `${label ?? "none"}${cut ? " cut short" : ""}`
  const isHonest = actual.join(", ") === (label ?? "")
  const parts = [
    framing,
    coding !== plain && (isHonest ? said : `labelled ${said} that is ${actual.join(", ") || "none"}`),
    pace.pause > 0 && `${pace.bytes} B in ${pace.pause} ms`,
    (end === "breaks" || end === "hangs") && end
  ]
  return parts.filter((part) => part !== false).join(", ")
}

/**
 * Hostile replies of one kind of body, however delivered.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const ofKind = (kind: string, options: Options): fc.Arbitrary<HostileReply> =>
  fc.record({ status, headers, body: (bodies[kind] ?? bodies["empty"]!)(options), coding, framing, pace, end })
    .map((reply) => ({ kind, delivery: nameOf(reply), ...reply }))

/**
 * Hostile replies of every kind.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const reply = (options: Options): fc.Arbitrary<HostileReply> => kind.chain((kind) => ofKind(kind, options))

/**
 * Names a reply in a few words.
 *
 * @category getters
 * @since 0.1.0
 */
export const describe = ({ delivery, kind }: HostileReply): string => `${kind} over ${delivery}`

/**
 * Makes the bytes of a reply as they go over the wire, from the status line on, piece by piece. A reply that breaks or hangs ends within its body; an
 * endless one never ends, so stop pulling when the client disconnects.
 *
 * @category encoding
 * @since 0.1.0
 */
export const wire = (reply: HostileReply): AsyncGenerator<Uint8Array, void> => Wire.bytesOf(reply)
