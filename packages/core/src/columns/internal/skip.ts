/**
 * Values that were not asked for. They are read for their grammar and dropped: a reply is only taken if all of it is JSON.
 */
import * as Abi from "./abi.ts"
import type { ColumnBuffer } from "./columnBuffer.ts"
import * as Json from "./json.ts"

/** How deep arrays and objects may lie in each other. */
const maxDepth = 512

/** How many numbers the loop passes over at a time, and the room that it takes for them and their nulls. */
const atOnce = 1024
const floatBytes = 8 * atOnce
const roomBytes = floatBytes + atOnce / 8 + Abi.lookAhead

/** What comes next in the value that is being skipped. */
type Next = "value" | "firstElement" | "firstKey" | "key" | "colon" | "separator"

/** Skips one value, which may arrive in pieces. It keeps its own stack, so that nesting costs a byte a level and no call. */
export class Skip {
  /** Whether each level is an object; made for the first value that has levels, because most replies have nothing to skip. */
  private isObject: Uint8Array | undefined
  private depth = 0
  private next: Next = "value"
  private readonly kernel: Abi.Kernel
  private readonly column: ColumnBuffer

  /** Numbers that are skipped may be written where the next column will be. */
  constructor(kernel: Abi.Kernel, column: ColumnBuffer) {
    this.kernel = kernel
    this.column = column
  }

  /** Prepares for another value. */
  start(): void {
    this.depth = 0
    this.next = "value"
  }

  /** Takes what has arrived of the value. Answers whether the value has ended. */
  take(input: Json.Input): boolean {
    while (Json.skipWhitespace(input)) {
      const code = input.bytes[input.position]!
      switch (this.next) {
        case "firstElement":
        case "value": {
          if (code === Abi.closeBracket && this.next === "firstElement") this.close(input)
          else if (code === Abi.openBracket || code === Abi.openBrace) this.open(input, code === Abi.openBrace)
          else if (this.isInArray && Json.beginsNumber(code) && this.passNumbers(input)) break
          else if (!Json.skipScalar(input)) return false
          else this.next = "separator"
          break
        }
        case "firstKey":
        case "key": {
          if (code === Abi.closeBrace && this.next === "firstKey") {
            this.close(input)
            break
          }
          if (code !== Abi.quote) throw Json.unexpected(input, "a key")
          if (!Json.skipScalar(input)) return false
          this.next = "colon"
          break
        }
        case "colon": {
          if (code !== Abi.colon) throw Json.unexpected(input, "\":\"")
          input.position++
          this.next = "value"
          break
        }
        case "separator": {
          const { isInArray } = this
          if (code === (isInArray ? Abi.closeBracket : Abi.closeBrace)) this.close(input)
          else if (code === Abi.comma) {
            input.position++
            this.next = isInArray ? "value" : "key"
          } else throw Json.unexpected(input, isInArray ? "\",\" or \"]\"" : "\",\" or \"}\"")
          break
        }
      }
      if (this.depth === 0 && this.next === "separator") return true
    }
    return false
  }

  private get isInArray(): boolean {
    return this.isObject?.[this.depth - 1] === 0
  }

  /** Passes over numbers as fast as a column of them is read, up to whatever the loop does not read. Answers whether there were any. */
  private passNumbers(input: Json.Input): boolean {
    const { kernel } = this
    const { position } = input
    const { at } = this.column
    kernel.reserve(at + roomBytes)
    const safe = input.complete ? input.limit : input.limit - Abi.lookAhead
    let stop: number = Abi.stopFull
    while (stop === Abi.stopFull && input.position < safe) {
      stop = kernel.numbers(input.position, safe, at, 0, atOnce, at + floatBytes, Abi.nullsAllowed)
      input.position = kernel.memory.words[Abi.positionRegister]!
    }
    this.next = stop === Abi.stopEnd || stop === Abi.stopSeparator ? "separator" : "value"
    return input.position > position
  }

  private open(input: Json.Input, isObject: boolean): void {
    if (this.depth === maxDepth) {
      throw new Json.Malformed(
        "TooDeep",
        input.position,
        `at most ${maxDepth} arrays and objects in each other`,
        "one more"
      )
    }
    this.isObject ??= new Uint8Array(maxDepth)
    this.isObject[this.depth++] = isObject ? 1 : 0
    this.next = isObject ? "firstKey" : "firstElement"
    input.position++
  }

  private close(input: Json.Input): void {
    this.depth--
    this.next = "separator"
    input.position++
  }
}
