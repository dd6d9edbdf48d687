import * as Result from "effect/Result"
import { type Code, DecodeError } from "../DecodeError.ts"
import { quote } from "../../text/ForeignText.ts"
import * as Byte from "./byte.ts"
import type { Next } from "./elementReader.ts"
import type { Kernel } from "./kernel.ts"
import * as KernelPool from "./kernelPool.ts"
import { Malformed } from "./malformed.ts"
import { readOnlyScalar, readScalar, type Scalar, showScalar } from "./scalars.ts"
import { type Scratch, Skip } from "./skip.ts"
import { textOf } from "./strings.ts"
import { cutShort, show, skipWhitespace, stringEnd, unexpected } from "./tokens.ts"
import { InputBuffer } from "./inputBuffer.ts"

/** The most fields that a reply may have. */
export const maxFields = 1024

/** A key that has arrived: where it ends, and the number of its field among those that the resource knows by number. */
export interface Key {
  readonly end: number
  readonly name: string
  readonly index: number | undefined
}

/**
 * What a reply is read into. It says of each field how its value is to be read, and takes the values that are of use to it.
 */
export interface Resource<out A> extends Scratch {
  /** How many fields it knows by number. */
  readonly known: number
  /** Reads the key at the input's position; `undefined` while it has not arrived. */
  readonly key: (input: InputBuffer) => Key | undefined
  /** Says how the value of a field is read, which is the present one from now on. */
  readonly begin: (key: Key, position: number) => "array" | "scalar" | "skipped"
  /** Begins the array of the present field. */
  readonly openArray: () => void
  /** Reads elements of the array, as many as have arrived. */
  readonly readElements: () => Next
  /** How many elements it has read. */
  readonly row: number
  /** Ends the array, whose bracket closes at a position. */
  readonly closeArray: (position: number) => void
  /** Takes the value of the present field, which begins at a position. */
  readonly takeScalar: (value: Scalar, position: number) => void
  /** What a scalar of the present field is, for errors. */
  readonly expected: string
  /** Says what it came to; the object ends at an offset of the reply. */
  readonly finish: (hasStatus: boolean, offset: number) => Result.Result<A, DecodeError>
}

/** Reads a key however it is written. */
export const keyOf = (input: InputBuffer): Key | undefined => {
  const end = stringEnd(input)
  return end === undefined
    ? undefined
    : { end, name: textOf(input.bytes, input.position, end), index: undefined }
}

/** Where in the object the reader is: what it takes next. */
type State =
  | "object"
  | "firstKey"
  | "key"
  | "colon"
  | "status"
  | "array"
  | "scalar"
  | "skipped"
  | "firstElement"
  | "element"
  | "elementSeparator"
  | "surplus"
  | "surplusSeparator"
  | "fieldSeparator"
  | "nothing"

/** What to expect in each state, for errors. */
const expectedIn: { readonly [S in State]: string } = {
  object: "one JSON object",
  firstKey: "a key or \"}\"",
  key: "a key",
  colon: "\":\"",
  status: "\"ok\"",
  array: "an array",
  scalar: "a value",
  skipped: "a value",
  firstElement: "an element or \"]\"",
  element: "an element",
  elementSeparator: "\",\" or \"]\"",
  surplus: "an element",
  surplusSeparator: "\",\" or \"]\"",
  fieldSeparator: "\",\" or \"}\"",
  nothing: "nothing after the object"
}

/**
 * Walks through the one JSON object that a reply is, while its bytes arrive, and hands its fields to a resource. It holds no more of the
 * reply than a token.
 */
export class ObjectReader<A> {
  private readonly kernel: Kernel
  private readonly input: InputBuffer
  private readonly resource: Resource<A>
  private readonly skip: Skip
  /** 1 for each field that the resource knows by number and that has come. */
  private readonly come: Uint8Array
  /** The other fields that have come. */
  private readonly others = new Set<string>()
  private fields = 0
  private state: State = "object"
  /** What follows the colon of the field that is being read. */
  private valueState: State = "skipped"
  private field: string | undefined
  private outcome: Result.Result<A, DecodeError> | undefined
  /** The array that is too long: what is wrong with it, where its first element too many begins, and how many elements have come. */
  private surplus: { readonly what: Malformed; readonly offset: number; count: number } | undefined

  /** Takes a kernel that was borrowed, and gives it back at the end. */
  constructor(kernel: Kernel, resource: (input: InputBuffer) => Resource<A>) {
    this.kernel = kernel
    this.input = new InputBuffer(kernel)
    this.resource = resource(this.input)
    this.skip = new Skip(kernel, this.resource)
    this.come = new Uint8Array(this.resource.known)
  }

  push(piece: Uint8Array): boolean {
    for (let start = 0; start < piece.length && this.outcome === undefined;) {
      start = this.input.fill(piece, start)
      this.read()
    }
    return this.outcome === undefined
  }

  end(): Result.Result<A, DecodeError> {
    if (this.outcome === undefined) {
      this.input.finish()
      this.read()
    }
    return this.outcome!
  }

  /** Reads as far as the bytes go. */
  private read(): void {
    const { input } = this
    try {
      if (input.isWorthReading) { while (this.step()); }
      if (!input.complete) return input.pause()
      if (this.state === "object") {
        throw new Malformed("UnexpectedEnd", input.limit, expectedIn.object, "an empty body")
      }
      if (this.state !== "nothing") throw cutShort(input, expectedIn[this.state])
      this.settle(this.resource.finish(this.others.has("s"), input.offsetOf(input.limit)))
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.settle(Result.fail(
        new DecodeError({
          code: error.code,
          column: error.column ?? this.field,
          index: this.rowOfFailure(),
          offset: input.offsetOf(error.position),
          expected: error.expected,
          received: error.received
        })
      ))
    }
  }

  /** Whatever comes now changes nothing: the kernel is free for another reply. */
  private settle(outcome: Result.Result<A, DecodeError>): void {
    this.outcome = outcome
    KernelPool.giveBack(this.kernel)
  }

  /** The row at which reading failed: that of the element, or of the one before a separator. */
  private rowOfFailure(): number | undefined {
    if (this.state === "element" || this.surplus !== undefined) return this.resource.row
    return this.state === "elementSeparator" ? this.resource.row - 1 : undefined
  }

  /** Takes what comes next. Answers false if it has not arrived. */
  private step(): boolean {
    if (this.state === "element") return this.readElements()
    if (this.state === "skipped") return this.readSkipped()
    if (this.state === "surplus") return this.readSurplus()
    const { input } = this
    if (!skipWhitespace(input)) return false
    const code = input.bytes[input.position]!
    switch (this.state) {
      case "object":
        return this.readOpening(code)
      case "firstKey":
        if (code === Byte.closeBrace) return this.take("nothing")
        return this.readKey(code)
      case "key":
        return this.readKey(code)
      case "colon":
        if (code === Byte.colon) return this.take(this.valueState)
        break
      case "status":
        return this.readStatus()
      case "array":
        if (code !== Byte.openBracket) return this.refuseValue("NotAnArray")
        this.resource.openArray()
        return this.take("firstElement")
      case "scalar":
        return this.readValue()
      case "firstElement":
        if (code === Byte.closeBracket) return this.endArray()
        this.state = "element"
        return true
      case "elementSeparator":
        if (code === Byte.comma) return this.take("element")
        if (code === Byte.closeBracket) return this.endArray()
        break
      case "surplusSeparator":
        if (code === Byte.comma) return this.take("surplus")
        if (code === Byte.closeBracket) throw this.counted()
        break
      case "fieldSeparator":
        if (code === Byte.comma) return this.take("key")
        if (code === Byte.closeBrace) return this.take("nothing")
        break
      case "nothing":
        throw new Malformed("TrailingData", input.position, expectedIn.nothing, show(code))
    }
    throw unexpected(input, expectedIn[this.state])
  }

  /** Takes one byte, and goes on. */
  private take(next: State): true {
    this.input.position++
    this.state = next
    return true
  }

  private readOpening(code: number): boolean {
    const { input } = this
    if (code === byteOrderMark[0] && input.offsetOf(input.position) === 0) {
      if (input.limit - input.position < byteOrderMark.length && !input.complete) return false
      if (byteOrderMark.every((part, at) => input.bytes[input.position + at] === part)) {
        input.position += byteOrderMark.length
        return true
      }
    }
    if (code === Byte.openBrace) return this.take("firstKey")
    throw new Malformed("NotAnObject", input.position, expectedIn.object, show(code))
  }

  private readKey(code: number): boolean {
    const { resource, input } = this
    const { position } = input
    if (code !== Byte.quote) throw unexpected(input, expectedIn[this.state])
    const key = resource.key(input)
    if (key === undefined) return false
    const { end, index, name } = key
    if (index === undefined ? this.others.has(name) : this.come[index] === 1) {
      throw new Malformed("DuplicateKey", position, "each key once", quote(name))
    }
    if (this.fields++ === maxFields) {
      throw new Malformed("TooManyFields", position, `at most ${maxFields} fields`, quote(name))
    }
    if (index === undefined) this.others.add(name)
    else this.come[index] = 1
    this.valueState = name === "s" ? "status" : resource.begin(key, position)
    if (this.valueState === "skipped") this.skip.start()
    input.position = end
    this.field = name
    this.state = "colon"
    return true
  }

  private readStatus(): boolean {
    const { input } = this
    const { bytes, position } = input
    if (bytes[position] === Byte.openBracket || bytes[position] === Byte.openBrace) return this.refuseValue("NotOk")
    const status = readScalar(input, expectedIn.status)
    if (status === undefined) return false
    if (status !== "ok") throw new Malformed("NotOk", position, expectedIn.status, showScalar(status))
    return this.endField()
  }

  private readValue(): boolean {
    const { resource, input } = this
    const { position } = input
    const value = readOnlyScalar(input, resource.expected)
    if (value === undefined) return false
    resource.takeScalar(value, position)
    return this.endField()
  }

  /** Refuses a value of the wrong shape; it is read first if it is short, because the error names it. */
  private refuseValue(code: Code): boolean {
    const { input } = this
    const { bytes, position } = input
    if (bytes[position] === Byte.openBracket) throw new Malformed(code, position, expectedIn[this.state], "an array")
    if (bytes[position] === Byte.openBrace) throw new Malformed(code, position, expectedIn[this.state], "an object")
    const value = readScalar(input, expectedIn[this.state])
    if (value === undefined) return false
    throw new Malformed(code, position, expectedIn[this.state], showScalar(value))
  }

  private readSkipped(): boolean {
    return this.skip.take(this.input) && this.endField()
  }

  private readElements(): boolean {
    const next = this.resource.readElements()
    if (next === "wait") return false
    if (next === "end") return this.endArray()
    if (next instanceof Malformed) {
      this.surplus = { what: next, offset: this.input.offsetOf(next.position), count: this.resource.row }
      this.skip.start()
      this.state = "surplus"
      return true
    }
    this.state = next === "separator" ? "elementSeparator" : "element"
    return true
  }

  /** Counts the elements of an array that is too long: the error says how many there are, and none of them is kept. */
  private readSurplus(): boolean {
    if (!this.skip.take(this.input)) return false
    this.surplus!.count++
    this.skip.start()
    this.state = "surplusSeparator"
    return true
  }

  private counted(): Malformed {
    const { count, offset, what } = this.surplus!
    return new Malformed(what.code, offset - this.input.offsetOf(0), what.expected, String(count))
  }

  private endArray(): true {
    this.state = "element"
    this.resource.closeArray(this.input.position)
    this.input.position++
    return this.endField()
  }

  private endField(): true {
    this.field = undefined
    this.state = "fieldSeparator"
    return true
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf]
