/**
 * Decodes replies that are not a table: one JSON object whose fields are known by name, or all of one kind. They are small, so their bytes are collected, up to
 * a bound, and read with `JSON.parse`. Of repeated fields one counts, and an error names the field and the row, but no byte.
 */
import * as Result from "effect/Result"
import { quote } from "../text/ForeignText.ts"
import type { ColumnDecoder } from "./ColumnDecoder.ts"
import { bytesOf, type DecodeError, fail } from "./DecodeError.ts"
import { maxFields } from "./internal/tableReader.ts"

/** The options of a decoder. `maxRows` is the most elements of a list. */
export interface Options {
  readonly maxRows?: number | undefined
}

/** The most elements of a list, by default. */
const maxElements = 65_536

/** The most bytes: as many as the service sends of such a reply. */
const maxBytes = 1_048_576

/** How the value of a field is read: `take` returns `undefined` for a value of another kind. */
interface Field<out A, out List extends boolean> {
  readonly isList: List
  readonly expected: string
  take(value: unknown): A | undefined
}

/** A field of one value. */
type Single<A> = Field<A, false>

/** A field of many values. */
export type List<A> = Field<A, true>

type AnyField = Single<unknown> | List<unknown>

const field = <A, const List extends boolean>(isList: List, expected: string, take: Field<A, List>["take"]) =>
  ({ isList, expected, take }) satisfies Field<A, List>

/** A finite number. */
export const number = /* @__PURE__ */ field(
  false,
  "a number",
  (value) => typeof value === "number" && Number.isFinite(value) ? value : undefined
)

/** A text. */
export const text = /* @__PURE__ */ field(false, "a string", (value) => typeof value === "string" ? value : undefined)

/** A list whose elements are read by `take`. */
export const list = <A>(expected: string, take: List<A>["take"]): List<A> => field(true, expected, take)

/** The value of a field. */
type ValueOf<F> = F extends List<infer A> ? ReadonlyArray<A> : F extends Single<infer A> ? A : never

/**
 * The shape of a reply. The fields of `named` are required. With `others`, each other field must be one of them, and have a name that `isName` accepts; without,
 * other fields are ignored.
 */
export interface Shape<Named extends Readonly<Record<string, AnyField>>, Other extends AnyField = never> {
  readonly named: Named
  readonly others?: { readonly field: Other; readonly expectedName: string; isName(name: string): boolean }
}

/** The values of a reply, those of other fields by their names. */
export interface Read<Named, Other> {
  readonly named: { readonly [Name in keyof Named]: ValueOf<Named[Name]> }
  readonly others: ReadonlyMap<string, ValueOf<Other>>
}

/** Creates a decoder for a reply that arrives in pieces. */
export type Decoder<A> = (options?: Options) => ColumnDecoder<A>

/** Decodes the body of a reply. */
export type Decode<A> = (body: Uint8Array | string) => Result.Result<A, DecodeError>

/** Creates a decoder for a reply of that shape, of which `make` makes the value. */
export const decoder = <const Named extends Readonly<Record<string, AnyField>>, Other extends AnyField, A>(
  shape: Shape<Named, Other>,
  options: Options | null | undefined,
  make: (read: Read<Named, Other>) => Result.Result<A, DecodeError>
): ColumnDecoder<A> => {
  const body = collected(maxBytes)
  return {
    push: body.push,
    end: () =>
      objectIn(body.bytes()).pipe(
        Result.flatMap((fields) => read(shape, fields, options?.maxRows ?? maxElements)),
        // The values have the types of the shape.
        Result.flatMap((read) => make(read as unknown as Read<Named, Other>))
      )
  }
}

/** Decodes a reply that has arrived, bytes or text. */
export const decode = <A>(decoder: ColumnDecoder<A>, body: Uint8Array | string): Result.Result<A, DecodeError> =>
  Result.flatMap(bytesOf(body), (bytes) => {
    decoder.push(bytes)
    return decoder.end()
  })

/** The fields of a body that is an object; its bytes are undefined where they are too many. */
const objectIn = (
  bytes: Uint8Array | undefined
): Result.Result<ReadonlyArray<readonly [string, unknown]>, DecodeError> => {
  if (bytes === undefined) return fail("TokenTooLong", undefined, `at most ${maxBytes} bytes`, "more")
  const decoded = Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  if (Result.isFailure(decoded)) return fail("InvalidUtf8", undefined, "UTF-8 text", "other bytes")
  const text = decoded.success.trim()
  const expected = "one JSON object"
  if (text === "") return fail("UnexpectedEnd", undefined, expected, "an empty body")
  const value = Result.try((): unknown => JSON.parse(decoded.success))
  if (Result.isFailure(value)) {
    return text.startsWith("{") && !text.endsWith("}")
      ? fail("UnexpectedEnd", undefined, expected, "the end of the reply")
      : fail("UnexpectedToken", undefined, expected, quote(text))
  }
  if (typeof value.success !== "object" || value.success === null || Array.isArray(value.success)) {
    return fail("NotAnObject", undefined, expected, shown(value.success))
  }
  const fields = Object.entries(value.success)
  return fields.length > maxFields
    ? fail("TooManyFields", undefined, `at most ${maxFields} fields`, String(fields.length))
    : Result.succeed(fields)
}

const read = (
  { named, others }: Shape<Readonly<Record<string, AnyField>>, AnyField>,
  fields: ReadonlyArray<readonly [string, unknown]>,
  maxRows: number
) =>
  Result.gen(function*() {
    const values = { named: new Map<string, unknown>(), others: new Map<string, unknown>() }
    for (const [name, value] of fields) {
      if (name === "s") {
        if (value !== "ok") return yield* fail("NotOk", name, "\"ok\"", shown(value))
      } else if (Object.hasOwn(named, name)) values.named.set(name, yield* valueOf(name, named[name]!, value, maxRows))
      else if (others !== undefined) {
        if (!others.isName(name)) return yield* fail("UnknownField", name, others.expectedName, quote(name))
        values.others.set(name, yield* valueOf(name, others.field, value, maxRows))
      }
    }
    for (const [name, { expected, isList }] of Object.entries(named)) {
      if (!values.named.has(name)) {
        return yield* fail("MissingColumn", name, isList ? "an array" : expected, "nothing")
      }
    }
    return { named: Object.fromEntries(values.named), others: values.others }
  })

const valueOf = (name: string, field: AnyField, value: unknown, maxRows: number) => {
  const { expected, isList } = field
  const take = (value: unknown): unknown => field.take(value)
  if (!isList) {
    const taken = take(value)
    return taken === undefined ? fail("WrongType", name, expected, shown(value)) : Result.succeed(taken)
  }
  if (!Array.isArray(value)) return fail("NotAnArray", name, "an array", shown(value))
  if (value.length > maxRows) {
    return fail("TooManyRows", name, `at most ${maxRows} elements`, "another one", maxRows)
  }
  const taken = value.map(take)
  const wrong = taken.indexOf(undefined)
  if (wrong < 0) return Result.succeed(taken)
  const code = typeof value[wrong] === "object" && value[wrong] !== null ? "WrongType" : "WrongValue"
  return fail(code, name, expected, shown(value[wrong]), wrong)
}

/** Names a value in an error. */
const shown = (value: unknown): string =>
  typeof value === "string"
    ? quote(value)
    : Array.isArray(value)
    ? "an array"
    : typeof value === "object" && value !== null
    ? "an object"
    : String(value)

/** Collects the bytes of a small body, up to a bound. */
export const collected = (most: number) => {
  let kept = new Uint8Array(0)
  let length = 0
  return {
    /** Takes the next bytes. Returns whether there was room for all of them so far. */
    push: (bytes: Uint8Array): boolean => {
      const start = length
      length += bytes.length
      if (length > most) return false
      // Most bodies come in one piece, of their own size.
      if (length > kept.length) kept = grown(kept, Math.min(most, Math.max(length, 2 * kept.length)))
      kept.set(bytes, start)
      return true
    },
    /** All of them; undefined if there were too many. */
    bytes: (): Uint8Array | undefined => length > most ? undefined : kept.subarray(0, length)
  }
}

/** Copies bytes to where there is more room. */
export const grown = (bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}
