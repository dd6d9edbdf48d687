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
  return yield* Effect.fromResult(Result.mapError(
    OptionChain.decode(bytes, { columns: "present" }),
    (error) => new SavedReplyError({ file, detail: explain(bytes, error) })
  ))
})

/** An error body is better explained by what the service says in it than by the columns it lacks. */
const explain = (bytes: Uint8Array, error: DecodeError): string => {
  const said = Reply.explanation(new TextDecoder().decode(bytes.subarray(0, Reply.maxTextBytes)))
  return said !== "" && (error.code === "NotOk" || error.code === "InvalidJson")
    ? `this is no chain; it says: ${said}`
    : error.message
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
