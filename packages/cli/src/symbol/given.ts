/** The symbols that a command was given: its arguments, or the lines of standard input. */
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { CommandError } from "../failure/failure.ts"

const lines = Effect.gen(function*() {
  const { stdin, stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return []
  const read = yield* stdin.pipe(Stream.decodeText, Stream.splitLines, Stream.runCollect)
  return read.map((line) => line.trim()).filter((line) => line !== "")
}).pipe(Effect.mapError(() =>
  new CommandError({
    class: "usage",
    reason: "UnreadableInput",
    message: "standard input cannot be read"
  })
))

/** Reads the arguments; `-`, or no argument at all, stands for standard input, where each line is a symbol. */
export const symbols = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  const read = arguments_.length === 0 || arguments_.includes("-") ? yield* lines : []
  const given = arguments_.length === 0
    ? read
    : arguments_.flatMap((argument) => argument === "-" ? read : [argument])
  return given.length > 0 ? given : yield* new CommandError({
    class: "usage",
    reason: "MissingArgument",
    message: "there is no symbol: name one or more, or pipe them in, a symbol in each line",
    next: "for example `marketdata symbol parse AAPL261120C00150000`"
  })
})
