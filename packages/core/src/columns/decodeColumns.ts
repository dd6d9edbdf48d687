/**
 * Reads a reply of parallel arrays into vectors, by a column spec.
 *
 * @example
 * ```ts
 * import * as ColumnKind from "@effect-marketdata/core/columns/ColumnKind"
 * import { decodeColumns } from "@effect-marketdata/core/columns/decodeColumns"
 * import * as Result from "effect/Result"
 *
 * const spec = { close: { kind: ColumnKind.number, null: "finding" } } as const
 * const decoded = Result.getOrThrow(decodeColumns(spec, `{"s":"ok","close":[1.5,2]}`))
 * decoded.vectors.close // => new Float64Array([1.5, 2])
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { DecodeError } from "../DecodeError.ts"
import type { Example, Finding } from "../Finding.ts"
import { maxExamples } from "../Finding.ts"
import { quote } from "../internal/quote.ts"
import type { Column, ColumnSpec } from "./ColumnSpec.ts"

/**
 * What is asked of a decoder.
 *
 * - `columns`: the columns that the reply should have; all by default. `"present"` takes whichever are there, and finds the others
 *   missing.
 * - `strict`: every finding is an error.
 * - `scalars`: fields that the resource has besides its columns; they are no findings, and are not read here
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodeOptions<Name extends string = string> {
  readonly columns?: ReadonlyArray<Name> | "present" | undefined
  readonly strict?: boolean | undefined
  readonly scalars?: ReadonlyArray<string> | undefined
}

/**
 * What a reply holds: one vector a column, a bitmap for each column in which a null occurred, and the findings.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoded {
  readonly length: number
  readonly vectors: Readonly<Record<string, unknown>>
  readonly nulls: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Reads the bytes, or the text, of a reply (clauses 2.1-shape, 2.1-lengths, 2.1-fields). Fields that the spec does not know
 * are findings; so are nulls and gaps that leave the rows meaningful. Everything else is a `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decodeColumns = (
  spec: ColumnSpec,
  body: Uint8Array | string,
  options: DecodeOptions = {}
): Result.Result<Decoded, DecodeError> =>
  Result.gen(function*() {
    const fields = yield* readObject(typeof body === "string" ? body : yield* readUtf8(body))
    const asked = options.columns === undefined
      ? Object.keys(spec)
      : options.columns === "present"
      ? Object.keys(spec).filter((name) => name in fields)
      : options.columns
    const findings: Array<Finding> = []
    if (fields["s"] === undefined) findings.push(whole("MissingStatus", undefined))
    else if (fields["s"] !== "ok") return yield* fail("NotOk", "s", `"ok"`, show(fields["s"]))
    for (const name of Object.keys(fields)) {
      if (name !== "s" && !Object.hasOwn(spec, name) && options.scalars?.includes(name) !== true) {
        findings.push(whole("UnknownField", name))
      }
    }
    const first = asked.find((name) => name in fields)
    if (first === undefined) {
      return yield* fail("MissingColumn", asked[0] ?? Object.keys(spec)[0], "an array", "no column of this resource")
    }
    const length = (yield* readArray(first, fields[first])).length
    const vectors: Record<string, unknown> = {}
    const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
    for (const name of Object.keys(spec)) {
      if (!asked.includes(name)) {
        if (options.columns === "present") findings.push(whole("MissingColumn", name))
        continue
      }
      const column = spec[name]!
      if (!(name in fields)) {
        if (column.null === "identity") return yield* fail("MissingColumn", name, "an array", "nothing")
        findings.push(whole("MissingColumn", name))
        vectors[name] = column.kind.builder(length).finish()
        nulls[name] = new Uint8Array((length + 7) >> 3).fill(255)
        continue
      }
      const elements = yield* readArray(name, fields[name])
      if (elements.length !== length) {
        return yield* fail(
          "LengthMismatch",
          name,
          `${counted(length, "element")}, as in ${first}`,
          `${elements.length}`
        )
      }
      const read = yield* readColumn(name, column, elements)
      vectors[name] = read.vector
      if (read.nulls !== undefined) nulls[name] = read.nulls
      if (read.finding !== undefined) findings.push(read.finding)
    }
    if (options.strict === true) yield* refuse(findings)
    return { length, vectors, nulls, findings }
  })

/**
 * Fails on the first finding: what `strict` means, for findings made here and by the resources themselves.
 *
 * @category decoding
 * @since 0.1.0
 */
export const refuse = (findings: ReadonlyArray<Finding>): Result.Result<void, DecodeError> => {
  const [finding] = findings
  if (finding === undefined) return Result.succeed(undefined)
  const code = finding.code === "UnknownField" || finding.code === "MissingColumn" || finding.code === "NullNotAllowed"
    ? finding.code
    : "Deviation"
  const [example] = finding.examples
  return Result.fail(
    new DecodeError({
      code,
      column: finding.column,
      index: example?.index,
      expected: example?.expected ?? "the contract's fields and no others",
      received: example?.received ?? finding.code
    })
  )
}

const fail = (
  code: DecodeError["code"],
  column: string | undefined,
  expected: string,
  received: string,
  index?: number
) => Result.fail(new DecodeError({ code, column, index, expected, received }))

const whole = (code: Finding["code"], column: string | undefined): Finding => ({ code, column, count: 1, examples: [] })

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const show = (value: unknown): string => {
  if (typeof value === "string") return quote(value)
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

const readUtf8 = (bytes: Uint8Array): Result.Result<string, DecodeError> =>
  Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () =>
      new DecodeError({
        code: "InvalidUtf8",
        column: undefined,
        index: undefined,
        expected: "UTF-8 text",
        received: "other bytes"
      })
  })

const readObject = (text: string): Result.Result<Readonly<Record<string, unknown>>, DecodeError> =>
  Result.gen(function*() {
    const value = yield* Result.try({
      try: (): unknown => JSON.parse(text),
      catch: () =>
        new DecodeError({
          code: "InvalidJson",
          column: undefined,
          index: undefined,
          expected: "one JSON object",
          received: text === "" ? "an empty body" : quote(text)
        })
    })
    return isFields(value) ? value : yield* fail("NotAnObject", undefined, "one JSON object", show(value))
  })

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const readArray = (name: string, value: unknown): Result.Result<ReadonlyArray<unknown>, DecodeError> =>
  Array.isArray(value) ? Result.succeed(value) : fail("NotAnArray", name, "an array", show(value))

interface ReadColumn {
  readonly vector: unknown
  readonly nulls: Uint8Array<ArrayBuffer> | undefined
  readonly finding: Finding | undefined
}

const readColumn = (
  name: string,
  column: Column,
  elements: ReadonlyArray<unknown>
): Result.Result<ReadColumn, DecodeError> => {
  const builder = column.kind.builder(elements.length)
  const examples: Array<Example> = []
  let nulls: Uint8Array<ArrayBuffer> | undefined
  let count = 0
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index]
    if (element === null) {
      if (column.null === "identity") return fail("NullNotAllowed", name, "a value", "null", index)
      nulls ??= new Uint8Array((elements.length + 7) >> 3)
      nulls[index >> 3]! |= 1 << (index & 7)
      count++
      if (examples.length < maxExamples) examples.push({ index, expected: "a value", received: "null" })
      continue
    }
    const refusal = builder.set(index, element)
    if (refusal !== undefined) return fail(refusal.code, name, refusal.expected, show(element), index)
  }
  const finding: Finding | undefined = count > 0 && column.null === "finding"
    ? { code: "NullNotAllowed", column: name, count, examples }
    : undefined
  return Result.succeed({ vector: builder.finish(), nulls, finding })
}
