/** Files that are named on the command line, of which `-` is standard input; and replies of the service that were saved in them, which are decoded. */
import { ForeignText, OptionChain, Reply } from "@effect-marketdata/core"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Array as Arr, Effect, Predicate, Result, Stdio, Stream } from "effect"
import { createReadStream } from "node:fs"
import { type CommandError, wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import type { AnyChain } from "../views/ladder.ts"
import type { View } from "../views/table.ts"
import type { Saved } from "./command.ts"

/** The name of a file in messages. */
export const nameOf = (file: string): string =>
  file === "-" ? "standard input" : file === "" ? `""` : ForeignText.line(file, 300)

type Bytes = Stream.Stream<Uint8Array, CommandError, Stdio.Stdio>

/** The bytes of a file, a named pipe or standard input. `what` says in messages what it should hold; `refused` makes the error if it cannot be read. */
export const bytesOf = (file: string, what: string, refused: (why: string) => CommandError): Bytes => {
  const onError = (error: unknown) => refused(whyUnreadable(error, what))
  const standard = Effect.map(Stdio.Stdio, ({ stdin }) => Stream.mapError(stdin, ({ reason }) => onError(reason.cause)))
  if (file === "-") return Stream.unwrap(standard)
  // Node throws a TypeError at a NUL in a path.
  if (file.includes("\0")) return Stream.fail(onError({ code: "ENOENT" }))
  return NodeStream.fromReadable({ evaluate: () => createReadStream(file), onError })
}

const whyUnreadable = (error: unknown, what: string): string => {
  const code = Predicate.hasProperty(error, "code") ? String(error.code) : "no cause was given"
  if (["ENOENT", "ENOTDIR"].includes(code)) return "there is no such file"
  if (code === "EISDIR") return `this is a directory: name the file that holds the ${what}`
  if (["EACCES", "EPERM"].includes(code)) return "you may not read this file: change its permissions"
  return `this cannot be read (${code})`
}

/** The failure of a saved reply that cannot be shown: it cannot be read, holds an error, or is not a chain. */
const refused = (file: string) => (detail: string): CommandError =>
  wrong("SavedReplyError", `${nameOf(file)}: ${detail}`)

/**
 * Reads a saved chain, with whichever columns it has. `-` reads standard input. It is decoded while it is read, and no more of it is read than a
 * client would take of a reply, or than is needed to know that it is not a chain.
 */
const read = Effect.fnUntraced(function*(file: string) {
  const { maxReplyBytes, maxRows } = OptionChain.row
  const decoder = OptionChain.decoder({ columns: "present", maxRows })
  let beginning = Buffer.alloc(0)
  let size = 0
  yield* Stream.runForEachWhile(bytesOf(file, "reply", refused(file)), (bytes) =>
    Effect.sync(() => {
      size += bytes.length
      const isWanted = size <= maxReplyBytes && decoder.push(bytes)
      // If it is not a chain, the message quotes its text, so its beginning is read even after the decoder has given up.
      beginning = Buffer.concat([beginning, bytes.subarray(0, Reply.maxTextBytes - beginning.length)])
      return isWanted || beginning.length < Reply.maxTextBytes
    }))
  if (size > maxReplyBytes) return yield* refused(file)(tooLarge)
  const chain = decoder.end()
  if (Result.isFailure(chain)) return yield* refused(file)(explain(beginning, chain.failure))
  const strange = chain.success.findings.filter((finding) => finding.code === "UnknownField")
  if (strange.length > 0 && !chain.success.columnNames.some((name) => ofChainsOnly.has(name))) {
    const fields = [...strange.map((finding) => finding.column ?? ""), ...chain.success.columnNames]
    return yield* refused(file)(`this is not an option chain, but a reply with ${listOf(fields)}`)
  }
  return chain.success
})

/** The arguments and flags that were typed, of those that ask. */
const typed = (flags: object): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([name, given]: [string, unknown]) => {
    if (name === "filters" || name === "past") return typed(Object(given))
    if (given === undefined || Arr.isArray(given) && given.length === 0) return []
    return [name === "symbol" || name === "symbols" ? "symbol" : Names.flagOf(name)]
  })

type ViewOf = (columns: ReadonlyArray<string>) => Effect.Effect<View<AnyChain>, CommandError>

/** Reads the saved reply that is named, if one is. Refuses a symbol or a filter beside it, which would be ignored. */
export const shown = (file: string | undefined, unused: object, viewOf: ViewOf) =>
  file === undefined ? undefined : savedReply(file, unused, viewOf)

const savedReply = Effect.fnUntraced(function*(file: string, unused: object, viewOf: ViewOf) {
  const [one] = typed(unused)
  if (one !== undefined) {
    const [reason, name] = one === "symbol" ? ["ReplyAndSymbol", "the symbol"] : ["UnusedFlag", one]
    const message = `--reply shows a saved reply and asks nothing, so it takes no ${one}.`
    return yield* wrong(reason, message, `leave out ${name}, or --reply`)
  }
  const chain = yield* read(file)
  return { name: nameOf(file), data: chain, view: yield* viewOf(chain.columnNames) } satisfies Saved
})

const tooLarge =
  `this is larger than ${OptionChain.row.maxReplyBytes / 2 ** 20} MiB, and the largest chain takes less than a tenth ` +
  "of that: name a file that holds one reply of the service"

/** Columns that no other reply of the service has. */
const ofChainsOnly: ReadonlySet<string> = new Set(["optionSymbol", "strike", "openInterest", "iv", "delta"])

const listOf = (fields: ReadonlyArray<string>): string =>
  fields.slice(0, 10).map((field) => ForeignText.line(field, 40)).join(", ") +
  (fields.length > 10 ? ` and ${fields.length - 10} more` : "")

/** An error body is better explained by what the service says in it than by the columns it lacks. */
const explain = (beginning: Uint8Array, error: DecodeError): string => {
  const text = new TextDecoder().decode(beginning)
  const isText = !text.includes("\0")
  if (!isText || (error.code !== "NotOk" && error.code !== "NotAnObject")) return error.message
  const said = Reply.explanation(text)
  if (said !== "") return `this is not a chain; it says: ${said}`
  return error.code === "NotOk" ? `this is not a chain; its status is ${error.received}` : error.message
}
