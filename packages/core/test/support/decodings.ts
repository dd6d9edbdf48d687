/** One reply read in every way: by both kernels, whole and in pieces. Whatever the way, the outcome is to be the same. */
import { ColumnDecoder, Kernel } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as Result from "effect/Result"
import type * as Oracle from "./oracle.ts"

/** The kernels that are to agree. */
export const kernels = [Kernel.wasm, Kernel.typescript]

export type Options = Omit<ColumnDecoder.DecodeOptions, "kernel">

/** What decoding came to. */
export type Outcome = Result.Result<ColumnDecoder.Decoded, DecodeError>

/** Says how many bytes the next piece has. */
export type Cut = () => number

/** Pushes a reply in pieces; each has the memory of the one before, which the decoder may not rely on. */
export const inPieces = (spec: ColumnSpec, bytes: Uint8Array, cut: Cut, options: ColumnDecoder.DecodeOptions = {}) => {
  const decoder = ColumnDecoder.make(spec, options)
  let piece = new Uint8Array(64)
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(cut(), bytes.length - at)
    if (size > piece.length) piece = new Uint8Array(size)
    piece.set(bytes.subarray(at, at + size))
    decoder.push(piece.subarray(0, size))
    piece.fill(0xaa, 0, size)
    at += size
  }
  return decoder.end()
}

/** Reads a reply with both kernels, whole and in pieces of these sizes. The first outcome is that of the whole. */
export const everyWay = (
  spec: ColumnSpec,
  body: Uint8Array | string,
  options: Options = {},
  cuts: ReadonlyArray<Cut> = [() => 1, () => 7, () => 100, () => 4097]
): ReadonlyArray<Outcome> => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  return kernels.flatMap((kernel) => [
    ColumnDecoder.decode(spec, bytes, { ...options, kernel }),
    ...cuts.map((cut) => inPieces(spec, bytes, cut, { ...options, kernel }))
  ])
}

/** An error as plain data, all fields of it. */
export const plain = ({ code, column, expected, index, offset, received }: DecodeError) => ({
  code,
  column,
  index,
  offset,
  expected,
  received
})

/** An error in one line. */
export const errorLine = (outcome: Outcome): string | undefined =>
  Result.isFailure(outcome) ? JSON.stringify(plain(outcome.failure)) : undefined

/** The elements of a column, as a row would show them. */
export const elementsOf = (spec: ColumnSpec, { length, nulls, vectors }: ColumnDecoder.Decoded, name: string) => {
  const { kind } = spec[name]!
  const vector = vectors[name]
  const bits = nulls[name]
  return Array.from(
    { length },
    (_, row) => bits !== undefined && (bits[row >> 3]! >> (row & 7)) % 2 !== 0 ? null : kind.at(vector, row)
  )
}

/**
 * Compares an outcome with what the oracle says; returns how they differ, if they do. Numbers are compared bit by bit, so that -0 is not 0.
 */
export const difference = (spec: ColumnSpec, verdict: Oracle.Verdict, outcome: Outcome): string | undefined => {
  if (Result.isFailure(verdict)) {
    return Result.isFailure(outcome) ? undefined : `accepted, and the oracle refuses it: ${verdict.failure}`
  }
  if (Result.isFailure(outcome)) return `refused, and the oracle accepts it: ${outcome.failure.message}`
  const expected = verdict.success
  const decoded = outcome.success
  if (decoded.length !== expected.length) return `${decoded.length} rows instead of ${expected.length}`
  const names = Object.keys(decoded.vectors).toSorted().join()
  const expectedNames = Object.keys(expected.columns).toSorted().join()
  if (names !== expectedNames) return `columns ${names} instead of ${expectedNames}`
  for (const [name, elements] of Object.entries(expected.columns)) {
    const read = elementsOf(spec, decoded, name)
    const row = elements.findIndex((element, row) => !Object.is(element, read[row]))
    if (row >= 0) return `${name} at row ${row} is ${String(read[row])} instead of ${String(elements[row])}`
    const isMarked = decoded.nulls[name] !== undefined
    if (decoded.length > 0 && isMarked !== elements.includes(null)) return `${name} has a bitmap without a null`
  }
  const findings = decoded.findings.map(findingLine).toSorted().join("\n")
  const expectedFindings = expected.findings.toSorted().join("\n")
  return findings === expectedFindings ? undefined : `findings ${findings} instead of ${expectedFindings}`
}

const findingLine = ({ code, column, count, examples }: ColumnDecoder.Decoded["findings"][number]): string => {
  const place = column === undefined ? code : `${code} in ${column}`
  return code === "NullNotAllowed" ? `${place}: ${count}: ${examples.map(({ index }) => index).join()}` : place
}
