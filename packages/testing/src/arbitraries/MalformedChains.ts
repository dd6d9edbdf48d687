/**
 * Chain replies that cannot be read, for fast-check: one arbitrary for each way in which they are not a table.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as MalformedChains from "@effect-marketdata/testing/MalformedChains"
 * import * as Result from "effect/Result"
 * import * as fc from "fast-check"
 *
 * const [reply] = fc.sample(MalformedChains.malformed.LengthMismatch, { seed: 1, numRuns: 1 })
 * const decoded = OptionChain.decode(reply!.body)
 * Result.isFailure(decoded) && decoded.failure.code // => "LengthMismatch"
 * ```
 *
 * @since 0.1.0
 */
import { type DecodeError, OptionChain } from "@effect-marketdata/core"
import * as Records from "effect/Record"
import * as fc from "fast-check"
import * as Chains from "./Chains.ts"

/**
 * A reply that is refused, with the code of the reason. The body is a text, so that it can be read in a counterexample, and bytes where no
 * text has them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Malformed {
  readonly code: DecodeError.Code
  readonly body: string | Uint8Array
}

const rows: fc.Arbitrary<Chains.Rows> = Chains.chainOf(1, 4)

const fields: fc.Arbitrary<Chains.Fields> = rows.map(Chains.fields)

/** The fields of a reply, one of which has another value. */
const withField = (
  names: ReadonlyArray<OptionChain.Column>,
  change: (json: string, name: OptionChain.Column) => string
): fc.Arbitrary<string> =>
  fc.tuple(fields, fc.constantFrom(...names)).map(([fields, changed]) =>
    Chains.write(fields.map(([name, json]) => name === changed ? [name, change(json, changed)] : [name, json]))
  )

/** The same with one element of a column replaced. */
const withElement = (names: ReadonlyArray<OptionChain.Column>, element: fc.Arbitrary<string>) =>
  fc.tuple(element, fc.nat({ max: 11 })).chain(([element, at]) =>
    withField(names, (json) => {
      const elements: ReadonlyArray<unknown> = JSON.parse(json)
      const texts = elements.map((value) => JSON.stringify(value))
      return `[${texts.toSpliced(at % texts.length, 1, element).join(",")}]`
    })
  )

const ofKind = (...kinds: ReadonlyArray<unknown>): ReadonlyArray<OptionChain.Column> =>
  Chains.names.filter((name) => kinds.includes(OptionChain.spec[name].kind))

const numbers = ofKind(OptionChain.spec.bid.kind, OptionChain.spec.dte.kind)
const texts: ReadonlyArray<OptionChain.Column> = ["optionSymbol", "underlying", "side"]
const identities = Chains.names.filter((name) => OptionChain.spec[name].null === "identity")

/** A place between two tokens of a reply: behind the brace with which it begins. */
const behindBrace = (inserted: string): fc.Arbitrary<string> =>
  fields.map((fields) => `{${inserted}${Chains.write(fields).slice(1)}`)

const limits = { depth: 512, fields: 1024, series: 16_384, tokenBytes: 1_048_576 } as const

/** A root that no other number has. */
const rootOf = (number: number): string => number.toString(26).replace(/./g, (digit) => letters[parseInt(digit, 26)]!)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** The replies by code, which is added to each at the end. */
const bodies: Readonly<
  Record<Exclude<DecodeError.Code, "TooManyRows" | "UnknownField" | "Deviation">, fc.Arbitrary<string | Uint8Array>>
> = {
  InvalidUtf8: fc.tuple(fields, fc.constantFrom(0xff, 0xfe, 0xc0, 0x80)).map(([fields, byte]) => {
    const bytes = new TextEncoder().encode(Chains.write([...fields, ["extra", `"?"`]]))
    return bytes.with(bytes.length - 3, byte)
  }),
  InvalidEscape: withElement(texts, fc.constantFrom(`"\\x"`, `"\\u12"`, `"\\uZZZZ"`, `"\\'"`)),
  ControlCharacter: withElement(texts, fc.nat({ max: 31 }).map((code) => `"${String.fromCharCode(code)}"`)),
  InvalidNumber: withElement(numbers, fc.constantFrom("01", "1.", "-", "1e", "1.e5", "-a")),
  UnexpectedToken: fc.oneof(behindBrace(","), behindBrace("1:2,")),
  UnexpectedEnd: fc.tuple(rows, fc.nat({ max: 999 })).map(([rows, thousandths]) => {
    const text = Chains.body(rows)
    // A text cut off after the point of a number, or within `null`, could also be read as an invalid token.
    return text.slice(0, Math.floor(thousandths / 1000 * text.length)).replace(/[a-z.-]+$/, "")
  }),
  TrailingData: fc.tuple(rows, fc.constantFrom("}", "{}", ",", "x", " null")).map(([rows, rest]) =>
    Chains.body(rows) + rest
  ),
  TokenTooLong: fields.map((fields) => Chains.write([...fields, ["extra", `"${"x".repeat(limits.tokenBytes + 1)}"`]])),
  TooDeep: fields.map((fields) =>
    Chains.write([...fields, ["extra", "[".repeat(limits.depth + 1) + "]".repeat(limits.depth + 1)]])
  ),
  TooManyFields: fields.map((fields) =>
    Chains.write([...fields, ...Array.from({ length: limits.fields }, (_, index) => [`extra${index}`, "0"] as const)])
  ),
  TooManyTexts: fields.map((fields) =>
    Chains.write(fields.map(([name, json]) => {
      if (name !== "optionSymbol") return [name, json]
      const symbols = Array.from({ length: limits.series + 1 }, (_, at) => `"${rootOf(at)}261120C00150000"`)
      return [name, `[${symbols.join(",")}]`]
    }))
  ),
  NumberOutOfRange: withElement(numbers, fc.constantFrom("1e999", "-1e400", "9".repeat(400))),
  NotAnObject: fc.constantFrom("[]", `"ok"`, "1", "null", "true", " [1,2]", "<html>"),
  NotAnArray: fc.constantFrom("{}", "1", `"a"`, "true", "null").chain((json) => withField(Chains.names, () => json)),
  NotOk: fc.tuple(fields, fc.constantFrom(`"error"`, `"no_data"`, `"OK"`, `""`)).map(([fields, status]) =>
    Chains.write([["s", status], ...fields.slice(1)])
  ),
  DuplicateKey: fc.tuple(fields, fc.nat({ max: 25 })).map(([fields, at]) => Chains.write([...fields, fields[at]!])),
  LengthMismatch: fc.boolean().chain((longer) =>
    withField(Chains.names, (json) => {
      const elements: Array<unknown> = JSON.parse(json)
      return JSON.stringify(longer ? [...elements, elements[0]] : elements.slice(1))
    })
  ),
  MissingColumn: fc.tuple(fields, fc.constantFrom(...identities)).map(([fields, missing]) =>
    Chains.write(fields.filter(([name]) => name !== missing))
  ),
  WrongType: fc.oneof(
    withElement(numbers, fc.constantFrom(`"1.5"`, "true", "[]", "{}")),
    withElement(texts, fc.constantFrom("1.5", "false", "[]", "{}")),
    withElement(["inTheMoney"], fc.constantFrom("0", "1", `"true"`, "[]"))
  ),
  WrongValue: fc.oneof(
    withElement(["side"], fc.constantFrom(`"Call"`, `"C"`, `"puts"`, `""`)),
    withElement(["optionSymbol"], fc.constantFrom(`"AAPL"`, `"AAPL261120C150"`, `""`, `"aapl261120C00150000"`))
  ),
  NullNotAllowed: withElement(identities, fc.constant("null"))
}

/**
 * Replies that cannot be read, by the code of the reason. Each is a legal chain but for one change.
 *
 * - `InvalidUtf8`: a byte in a text that no UTF-8 has
 * - `InvalidEscape`, `ControlCharacter`: in a text
 * - `InvalidNumber`, `NumberOutOfRange`: in a column of numbers
 * - `UnexpectedToken`, `TrailingData`, `UnexpectedEnd`: what is not JSON, goes on after its end, or was cut off, though not within a token
 *   that is not a text
 * - `TokenTooLong`, `TooDeep`, `TooManyFields`: more than any reply of the service needs, in fields that nobody asked for; the first are a
 *   megabyte long, and slow
 * - `TooManyTexts`: option symbols of more series than any chain has
 * - `NotAnObject`, `NotAnArray`, `NotOk`, `DuplicateKey`, `LengthMismatch`: JSON, but no table (clauses 2.1-shape and 2.1-lengths)
 * - `MissingColumn`: a column that identifies a contract is absent
 * - `WrongType`, `WrongValue`: an element of another type, or a text that is not a symbol and no side (clause 2.1-side)
 * - `NullNotAllowed`: null in a column that identifies a contract
 *
 * Missing are `TooManyRows`, which depends on how many are taken, and `UnknownField` and `Deviation`, which only strict decoding has:
 * `Chains.deviant` are such replies.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const malformed: Readonly<Record<keyof typeof bodies, fc.Arbitrary<Malformed>>> = Records.map(
  bodies,
  (body, code) => body.map((body) => ({ code, body }))
)
