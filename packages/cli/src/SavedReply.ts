/**
 * Replies saved from the service: read from a file or from standard input, and decoded whatever they hold.
 *
 * @since 0.1.0
 */
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/**
 * A saved reply that could not be shown: the file cannot be read, it holds an error and no data, or it is no chain.
 *
 * @category errors
 * @since 0.1.0
 */
export class SavedReplyError extends Data.TaggedError("SavedReplyError")<{
  readonly file: string
  readonly detail: string
}> {
  override get message(): string {
    return `${this.file === "-" ? "standard input" : this.file}: ${this.detail}`
  }
}

/**
 * Reads a saved chain, with whichever columns it has. `-` reads standard input.
 *
 * @category reading
 * @since 0.1.0
 */
export const read = Effect.fnUntraced(function*(file: string) {
  const bytes = yield* (file === "-" ? standardInput : fileBytes(file))
  const chain = OptionChain.decode(bytes, { columns: "present" })
  if (Result.isFailure(chain)) return yield* new SavedReplyError({ file, detail: explain(bytes, chain.failure) })
  const strange = chain.success.findings.filter((finding) => finding.code === "UnknownField")
  if (strange.length > 0 && !chain.success.columnNames.some((name) => ofChainsOnly.has(name))) {
    const fields = [...strange.map((finding) => finding.column), ...chain.success.columnNames].join(", ")
    return yield* new SavedReplyError({ file, detail: `this is no option chain, but a reply with ${fields}` })
  }
  return chain.success
})

/** Columns that no other reply of the service has. */
const ofChainsOnly: ReadonlySet<string> = new Set(["optionSymbol", "strike", "openInterest", "iv", "delta"])

/** An error body is better explained by what the service says in it than by the columns it lacks. */
const explain = (bytes: Uint8Array, error: DecodeError): string => {
  const said = Reply.explanation(new TextDecoder().decode(bytes.subarray(0, Reply.maxTextBytes)))
  if (error.code !== "NotOk" && error.code !== "NotAnObject") return error.message
  if (said !== "") return `this is no chain; it says: ${said}`
  return error.code === "NotOk" ? `this is no chain; its status is ${error.received}` : error.message
}

const fileBytes = Effect.fnUntraced(function*(file: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.mapError(files.readFile(file), (error) => new SavedReplyError({ file, detail: error.message }))
})

const standardInput = Effect.gen(function*() {
  const { stdin } = yield* Stdio.Stdio
  return yield* Effect.mapError(
    Stream.mkUint8Array(stdin),
    (error) => new SavedReplyError({ file: "-", detail: error.message })
  )
})
