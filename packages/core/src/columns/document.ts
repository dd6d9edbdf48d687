/**
 * Replies that are no table: one JSON object whose fields are known by name, or all of one kind. They are read by the same engine as tables, while
 * they arrive, and hold no more than their limits allow: what nobody asked for is read for its grammar, and dropped.
 */
import * as Result from "effect/Result"
import type { ColumnDecoder } from "./ColumnDecoder.ts"
import type { Next } from "./internal/elementReader.ts"
import * as KernelPool from "./internal/kernelPool.ts"
import * as layout from "./internal/layout.ts"
import { Malformed } from "./internal/malformed.ts"
import { type Key, keyOf, ObjectReader, type Resource } from "./internal/objectReader.ts"
import { goToElement, readOnlyScalar, type Scalar, showScalar } from "./internal/scalars.ts"
import type { InputBuffer } from "./internal/inputBuffer.ts"
import * as Kernel from "./Kernel.ts"
import { DecodeError } from "./DecodeError.ts"
import { quote } from "../text/ForeignText.ts"

/** What is asked of a decoder: `maxRows` is how many elements a list may have. */
export interface Options {
  readonly maxRows?: number | undefined
}

/** The most elements of a list where nobody says less. */
const maxElements = 65_536

/** How the value of a field is read: `take` answers `undefined` for a scalar of another kind. */
interface Field<out A, out List extends boolean> {
  readonly isList: List
  readonly expected: string
  take(value: Scalar): A | undefined
}

/** A field of one value. */
export type Single<A> = Field<A, false>

/** A field of many values. */
export type List<A> = Field<A, true>

type AnyField = Single<unknown> | List<unknown>

/** A finite number. */
export const number: Single<number> = {
  isList: false,
  expected: "a number",
  take: (value) => typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** A text. */
export const text: Single<string> = {
  isList: false,
  expected: "a string",
  take: (value) => typeof value === "string" ? value : undefined
}

/** A list of what `take` makes of each element. */
export const list = <A>(expected: string, take: (value: Scalar) => A | undefined): List<A> => ({
  isList: true,
  expected,
  take
})

/** The value of a field. */
type ValueOf<F> = F extends List<infer A> ? ReadonlyArray<A> : F extends Single<infer A> ? A : never

/**
 * What a reply is made of. The fields of `named` must come. Where there are `others`, each other field is one of them, and its name is as
 * `isName` says; where there are not, other fields are left aside.
 */
export interface Shape<Named extends Readonly<Record<string, AnyField>>, Other extends AnyField = never> {
  readonly named: Named
  readonly others?: {
    readonly field: Other
    readonly expectedName: string
    isName(name: string): boolean
  }
}

/** The values of a reply, those of other fields by their names. */
export interface Read<Named, Other> {
  readonly named: { readonly [Name in keyof Named]: ValueOf<Named[Name]> }
  readonly others: ReadonlyMap<string, ValueOf<Other>>
}

/** Creates a decoder for a reply of that shape, of which `make` makes the value. */
export const decoder = <const Named extends Readonly<Record<string, AnyField>>, Other extends AnyField, A>(
  shape: Shape<Named, Other>,
  { maxRows = maxElements }: Options,
  make: (read: Read<Named, Other>) => Result.Result<A, DecodeError>
): ColumnDecoder<A> => {
  const reader = new ObjectReader(
    // A reply of a few fields has no loops to run, and plain memory is had faster.
    KernelPool.borrow(Kernel.typescript),
    (input) => new DocumentReader(shape, input, maxRows)
  )
  return {
    push: (bytes) => reader.push(bytes),
    // The reader read what the shape says.
    end: () => Result.flatMap(reader.end(), (read) => make(read as unknown as Read<Named, Other>))
  }
}

/** Decodes a reply that has arrived, bytes or text. */
export const decode = <A>(decoder: ColumnDecoder<A>, body: Uint8Array | string): Result.Result<A, DecodeError> => {
  decoder.push(typeof body === "string" ? new TextEncoder().encode(body) : body)
  return decoder.end()
}

/** Says that a value which could be read is not what it has to be. */
export const refuse = (column: string, expected: string, received: string): Result.Result<never, DecodeError> =>
  Result.fail(
    new DecodeError({
      code: "WrongValue",
      column,
      index: undefined,
      offset: undefined,
      expected,
      received: quote(received)
    })
  )

interface Values {
  readonly named: Readonly<Record<string, unknown>>
  readonly others: ReadonlyMap<string, unknown>
}

class DocumentReader implements Resource<Values> {
  readonly known = 0
  readonly free = layout.columnAt
  private readonly shape: Shape<Readonly<Record<string, AnyField>>, AnyField>
  private readonly input: InputBuffer
  private readonly maxRows: number
  private readonly named = new Map<string, unknown>()
  private readonly others = new Map<string, unknown>()
  private name = ""
  private field: AnyField = text
  private elements: Array<unknown> = []

  constructor(shape: Shape<Readonly<Record<string, AnyField>>, AnyField>, input: InputBuffer, maxRows: number) {
    this.shape = shape
    this.input = input
    this.maxRows = maxRows
  }

  get row(): number {
    return this.elements.length
  }

  get expected(): string {
    return this.field.expected
  }

  key(input: InputBuffer): Key | undefined {
    return keyOf(input)
  }

  begin({ name }: Key, position: number): "array" | "scalar" | "skipped" {
    const { named, others } = this.shape
    const field = Object.hasOwn(named, name) ? named[name] : others?.field
    if (field === undefined) return "skipped"
    if (field === others?.field && !others.isName(name)) {
      throw new Malformed("UnknownField", position, others.expectedName, quote(name), name)
    }
    this.name = name
    this.field = field
    return field.isList ? "array" : "scalar"
  }

  openArray(): void {
    this.elements = []
  }

  readElements(): Next {
    const { elements, field: { expected }, input } = this
    if (!goToElement(input, expected)) return "wait"
    const { position } = input
    if (elements.length >= this.maxRows) {
      throw new Malformed("TooManyRows", position, `at most ${this.maxRows} elements`, "another one")
    }
    const value = readOnlyScalar(input, expected)
    if (value === undefined) return "wait"
    const taken = this.field.take(value)
    if (taken === undefined) throw new Malformed("WrongValue", position, expected, showScalar(value))
    elements.push(taken)
    return "separator"
  }

  closeArray(): void {
    this.keep(this.elements)
  }

  takeScalar(value: Scalar, position: number): void {
    const taken = this.field.take(value)
    if (taken === undefined) throw new Malformed("WrongType", position, this.field.expected, showScalar(value))
    this.keep(taken)
  }

  finish(_hasStatus: boolean, offset: number): Result.Result<Values, DecodeError> {
    for (const [name, field] of Object.entries(this.shape.named)) {
      if (this.named.has(name)) continue
      return Result.fail(
        new DecodeError({
          code: "MissingColumn",
          column: name,
          index: undefined,
          offset,
          expected: field.isList ? "an array" : field.expected,
          received: "nothing"
        })
      )
    }
    return Result.succeed({ named: Object.fromEntries(this.named), others: this.others })
  }

  private keep(value: unknown): void {
    const values = Object.hasOwn(this.shape.named, this.name) ? this.named : this.others
    values.set(this.name, value)
  }
}
