/** Files that are named on the command line; `-` is standard input. */
import { ForeignText } from "@effect-marketdata/core"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Predicate, Stdio, Stream } from "effect"
import { createReadStream } from "node:fs"
import type { CommandError } from "../failure/failure.ts"

/** The name of a file in messages. */
export const nameOf = (file: string): string =>
  file === "-" ? "standard input" : file === "" ? `""` : ForeignText.line(file, 300)

/** The bytes of a file, a named pipe or standard input. `what` says in messages what it should hold; `refused` makes the error if it cannot be read. */
export const bytesOf = (
  file: string,
  what: string,
  refused: (why: string) => CommandError
): Stream.Stream<Uint8Array, CommandError, Stdio.Stdio> => {
  const onError = (error: unknown) => refused(whyUnreadable(error, what))
  if (file === "-") {
    return Stream.unwrap(
      Effect.map(Stdio.Stdio, ({ stdin }) => Stream.mapError(stdin, ({ reason }) => onError(reason.cause)))
    )
  }
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
