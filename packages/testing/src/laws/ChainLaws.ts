/**
 * Laws of what decodes option chains, for any decoder of them (contract 2.1).
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as ChainLaws from "@effect-marketdata/testing/ChainLaws"
 * import * as Result from "effect/Result"
 *
 * // A decoder that takes null for 0.
 * const decode = (body: string | Uint8Array) =>
 *   Result.map(ChainLaws.core.decode(body), (rows) => rows.map((row) => ({ ...row, last: row.last ?? 0 })))
 * const tried = Law.attempt(ChainLaws.of({ decode })[0]!, { seed: 1 })
 * Result.isFailure(tried) && tried.failure.law // => "a chain that is written is read as itself"
 * ```
 *
 * @since 0.1.0
 */
import { ColumnTable, type DecodeError, OptionChain } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Chains from "../arbitraries/Chains.ts"
import * as Chunkings from "../arbitraries/Chunkings.ts"
import * as MalformedChains from "../arbitraries/MalformedChains.ts"
import * as Law from "../harness/Law.ts"

/**
 * What decodes the body of a chain reply into rows, in whatever way it keeps them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoder {
  readonly decode: (body: string | Uint8Array) => Result.Result<Chains.Rows, unknown>
}

/** A body that says the same in another way: the fields in any order, with any blanks between them. */
const rewritten = fc.tuple(
  Chains.chain,
  fc.shuffledSubarray(Array.from({ length: 26 }, (_, index) => index), { minLength: 26, maxLength: 26 }),
  fc.constantFrom("", " ", "\n\t", "\r\n  ")
).map(([rows, order, blank]) => {
  const fields = Chains.fields(rows)
  const texts = order.map((at) => `${blank}"${fields[at]![0]}"${blank}:${blank}${fields[at]![1]}${blank}`)
  return { rows, body: `${blank}{${texts.join(",")}}${blank}` }
})

/** Doubles as JSON may write them, also with more digits than a double has. */
const numeral = fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())
  .map(([number, isLong]) => isLong ? number.toExponential(20) : String(number))

const isRefused = ({ decode }: Decoder, { body }: { readonly body: string | Uint8Array }): boolean =>
  Result.isFailure(decode(body))

/** Codes that say that bytes are not JSON, or that JSON is not a table; what is merely too much is a limit of our own. */
const limits: ReadonlyArray<string> = ["TokenTooLong", "TooDeep", "TooManyFields", "TooManyTexts"]

/** Replies that are refused, by code. The first of the limits makes a megabyte a try, and says nothing about other decoders. */
const refusals = Object.entries(MalformedChains.malformed).filter(([code]) => !limits.includes(code))

const clausesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  LengthMismatch: ["2.1-lengths"],
  NotAnObject: ["2.1-shape"],
  NotAnArray: ["2.1-shape"],
  MissingColumn: ["2.1-fields"],
  NotOk: ["2.1-fields"],
  WrongType: ["2.1-fields"],
  WrongValue: ["2.1-side", "2.3-format"],
  NullNotAllowed: ["2.1-only-last-null"]
}

/**
 * The laws of a decoder of chains.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (decoder: Decoder): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "a chain that is written is read as itself",
    clauses: ["2.1-shape", "2.1-fields", "2.1-last-null"],
    arbitrary: Chains.chain,
    expected: (rows) => rows,
    received: (rows) => Result.getOrUndefined(decoder.decode(Chains.body(rows)))
  }),
  Law.equation({
    name: "order of fields and blanks say nothing",
    clauses: ["2.1-shape"],
    arbitrary: rewritten,
    expected: ({ rows }) => rows,
    received: ({ body }) => Result.getOrUndefined(decoder.decode(bytesOf(body)))
  }),
  Law.equation({
    name: "a number is the double that is nearest to it, however it is written",
    clauses: ["2.1-fields"],
    arbitrary: fc.tuple(Chains.chainOf(1, 2), numeral),
    expected: ([, numeral]) => Number(numeral),
    received: ([rows, numeral]) => {
      const body = Chains.body(rows).replace(/(?<="gamma":\[)[^,\]]*/, numeral)
      return Result.getOrUndefined(Result.map(decoder.decode(body), ([row]) => row?.gamma))
    }
  }),
  ...refusals.map(([code, arbitrary]) =>
    Law.make({
      name: `a reply that cannot be read is refused: ${code}`,
      clauses: clausesOf[code] ?? [],
      arbitrary,
      holds: (reply) => isRefused(decoder, reply)
    })
  )
]

/**
 * What says how a reply deviates from the contract: the codes and columns of its findings, in any order; `undefined` for a reply that cannot
 * be read.
 *
 * @category models
 * @since 0.1.0
 */
export type Inspector = (
  body: string
) => ReadonlyArray<{ readonly code: string; readonly column: string | undefined; readonly count: number }> | undefined

/**
 * The laws of what looks for deviations: it finds each, names the column, counts the rows, and finds nothing in a chain that has none.
 *
 * @category laws
 * @since 0.1.0
 */
export const findings = (inspect: Inspector): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "nothing is found in a chain that holds to the contract",
    clauses: ["2.1-mid", "2.1-dte", "2.1-moneyness", "2.1-expiration", "2.1-closed"],
    arbitrary: Chains.chain,
    expected: () => [],
    received: (rows) => inspect(Chains.body(rows))
  }),
  ...Object.entries(Chains.deviant).map(([code, arbitrary]) =>
    Law.equation({
      name: `a deviation is found, and nothing else: ${code}`,
      clauses: clausesOfFinding[code] ?? [],
      arbitrary,
      expected: ({ code, column, count }) => [{ code, column, count }],
      received: ({ body }) => inspect(body)?.map(({ code, column, count }) => ({ code, column, count }))
    })
  )
]

const clausesOfFinding: Readonly<Record<string, ReadonlyArray<string>>> = {
  MissingStatus: ["2.1-fields"],
  UnknownField: ["2.1-closed"],
  MissingColumn: ["2.1-fields"],
  NullNotAllowed: ["2.1-only-last-null"],
  StrikeMismatch: ["2.3-bad-strike-decimal"],
  SideMismatch: ["2.1-side"],
  ExpirationMismatch: ["2.1-expiration"],
  ExpirationTime: ["2.1-expiration"],
  MidMismatch: ["2.1-mid"],
  DteMismatch: ["2.1-dte"],
  MoneynessMismatch: ["2.1-moneyness"]
}

/**
 * What decodes a body whole, and piece by piece; `outcome` makes of either what can be compared.
 *
 * @category models
 * @since 0.1.0
 */
export interface Streaming {
  readonly whole: (body: Uint8Array) => unknown
  readonly pieces: (pieces: ReadonlyArray<Uint8Array>) => unknown
}

/** A body of any kind, and how it comes. */
const arriving = fc.record({
  body: fc.oneof(
    Chains.chain.map(Chains.body),
    fc.oneof(...Object.values(Chains.deviant)).map(({ body }) => body),
    fc.oneof(...refusals.map(([, arbitrary]) => arbitrary)).map(({ body }) => body)
  ),
  chunking: Chunkings.chunking
})

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === "string" ? new TextEncoder().encode(body) : body

/**
 * The law of what decodes a stream: the pieces in which a body arrives change neither its data nor the reason why it has none.
 *
 * @category laws
 * @since 0.1.0
 */
export const streaming = ({ pieces, whole }: Streaming): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "chunking does not matter",
    clauses: ["2.1-shape", "2.1-lengths"],
    arbitrary: arriving,
    expected: ({ body }) => whole(bytesOf(body)),
    received: ({ body, chunking }) => pieces(Chunkings.cut(bytesOf(body), chunking))
  })
]

/**
 * Core's decoder of chains, as rows.
 *
 * @category laws
 * @since 0.1.0
 */
export const core: Decoder = { decode: (body) => Result.map(OptionChain.decode(body), OptionChain.toRows) }

/** All that a decoded body says, as plain data. */
const outcomeOf = (decoded: Result.Result<OptionChain.OptionChain, DecodeError.DecodeError>): unknown =>
  Result.match(decoded, {
    onSuccess: (chain) => ({ rows: OptionChain.toRows(chain), findings: chain.findings }),
    onFailure: (
      { code, column, expected, index, offset, received }
    ) => ({ code, column, expected, index, offset, received })
  })

/** The code for which a reply is refused. */
const codeOf = (body: string | Uint8Array, strict: boolean): string | undefined => {
  const decoded = OptionChain.decode(body, { strict })
  return Result.isFailure(decoded) ? decoded.failure.code : undefined
}

/**
 * What says for which code a body is refused: undefined where it is not. Codes are those of core.
 *
 * @category models
 * @since 0.1.0
 */
export type Refusal = (body: string | Uint8Array, strict: boolean) => string | undefined

/**
 * The laws of what names the reason of a refusal.
 *
 * @category laws
 * @since 0.1.0
 */
export const reasons = (refusal: Refusal): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "a reply that cannot be read is refused for its reason",
    clauses: ["2.1-shape", "2.1-lengths", "2.1-fields", "2.1-side"],
    arbitrary: fc.oneof(...refusals.map(([, arbitrary]) => arbitrary)),
    expected: ({ code }): string | undefined => code,
    received: ({ body }) => refusal(body, false)
  }),
  Law.make({
    name: "strict decoding refuses every deviation, and no other does",
    clauses: ["2.1-closed", "2.1-only-last-null"],
    arbitrary: fc.oneof(...Object.values(Chains.deviant)),
    holds: ({ body }) => refusal(body, true) !== undefined && refusal(body, false) === undefined
  })
]

/**
 * What reads a body, writes it again, and finds rows in it by their symbol; undefined where it cannot be read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Table {
  readonly rewrite: (body: string) => string | undefined
  readonly indexOf: (body: string, optionSymbol: string) => number | undefined
}

/**
 * The laws of a table of contracts.
 *
 * @category laws
 * @since 0.1.0
 */
export const table = ({ indexOf, rewrite }: Table): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "a chain has one way to be written: encoding what was read gives the text again",
    clauses: ["2.1-shape", "2.1-fields"],
    arbitrary: Chains.chain.map(Chains.body),
    expected: (body): string | undefined => body,
    received: rewrite
  }),
  Law.equation<Chains.Rows, ReadonlyArray<number | undefined>>({
    name: "a row that is looked for is found by its symbol",
    clauses: ["2.1-shape"],
    arbitrary: Chains.chain,
    expected: (rows) => rows.map((_, index) => index),
    received: (rows) => rows.map(({ optionSymbol }) => indexOf(Chains.body(rows), optionSymbol))
  })
]

/**
 * The laws of core's option chains.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [
  ...of(core),
  ...findings((body) => Result.getOrUndefined(OptionChain.decode(body))?.findings),
  ...streaming({
    whole: (body) => outcomeOf(OptionChain.decode(body)),
    pieces: (pieces) => {
      const decoder = OptionChain.decoder()
      for (const piece of pieces) decoder.push(piece)
      return outcomeOf(decoder.end())
    }
  }),
  ...reasons(codeOf),
  ...table({
    rewrite: (body) => Result.getOrUndefined(Result.map(OptionChain.decode(body), ColumnTable.encode)),
    indexOf: (body, symbol) =>
      Result.getOrUndefined(Result.map(OptionChain.decode(body), (chain) => OptionChain.indexOf(chain, symbol)))
  })
]
