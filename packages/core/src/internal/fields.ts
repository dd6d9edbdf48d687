import * as Result from "effect/Result"
import { DecodeError } from "../DecodeError.ts"
import { quote } from "./quote.ts"

/** The fields of a reply that is no table. */
export type Fields = Readonly<Record<string, unknown>>

/** Says where a reply that is no table cannot be read. */
export const fail = (
  code: DecodeError["code"],
  column: string | undefined,
  expected: string,
  received: unknown,
  index?: number
): Result.Result<never, DecodeError> =>
  Result.fail(
    new DecodeError({
      code,
      column,
      index,
      offset: undefined,
      expected,
      received: received === undefined ? "nothing" : show(received)
    })
  )

const show = (value: unknown): string => {
  if (typeof value === "string") return quote(value)
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

/** Reads the bytes, or the text, of one JSON object. A status `s` that is there must be `ok`. */
export const read = (body: Uint8Array | string): Result.Result<Fields, DecodeError> =>
  Result.gen(function*() {
    const text = yield* textOf(body)
    const parsed = Result.try({ try: (): unknown => JSON.parse(text), catch: () => undefined })
    if (Result.isFailure(parsed)) return yield* fail("InvalidJson", undefined, "one JSON object", text)
    const value = parsed.success
    if (!isFields(value)) return yield* fail("NotAnObject", undefined, "one JSON object", value)
    return value["s"] === undefined || value["s"] === "ok" ? value : yield* fail("NotOk", "s", `"ok"`, value["s"])
  })

/** Reads the text of a body. */
export const textOf = (body: Uint8Array | string): Result.Result<string, DecodeError> => {
  if (typeof body === "string") return Result.succeed(body)
  const decoded = Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(body),
    catch: () => undefined
  })
  return Result.isSuccess(decoded)
    ? Result.succeed(decoded.success)
    : fail("InvalidUtf8", undefined, "UTF-8 text", "other bytes")
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a finite number. */
export const number = (fields: Fields, name: string): Result.Result<number, DecodeError> => {
  const value = fields[name]
  if (value === undefined) return fail("MissingColumn", name, "a number", value)
  return typeof value === "number" && Number.isFinite(value)
    ? Result.succeed(value)
    : fail("WrongType", name, "a number", value)
}

/** Reads a text. */
export const text = (fields: Fields, name: string): Result.Result<string, DecodeError> => {
  const value = fields[name]
  if (value === undefined) return fail("MissingColumn", name, "a string", value)
  return typeof value === "string" ? Result.succeed(value) : fail("WrongType", name, "a string", value)
}

/** Reads an array, element by element; `element` answers `undefined` for one that it does not take. */
export const array = <A>(
  fields: Fields,
  name: string,
  expected: string,
  element: (value: unknown) => A | undefined
): Result.Result<ReadonlyArray<A>, DecodeError> => {
  const value = fields[name]
  if (value === undefined) return fail("MissingColumn", name, "an array", value)
  if (!Array.isArray(value)) return fail("NotAnArray", name, "an array", value)
  const elements: Array<A> = []
  for (const [index, item] of value.entries()) {
    const read = element(item)
    if (read === undefined) return fail("WrongValue", name, expected, item, index)
    elements.push(read)
  }
  return Result.succeed(elements)
}
