import type * as Reply from "@effect-marketdata/core/Reply"
import type * as Clock from "effect/Clock"

/** How many bytes of a body were read, and how long that took the reader, in nanoseconds. */
export interface Decoded {
  readonly bytes: number
  readonly nanos: bigint
}

/** A reader that counts, and what it has counted so far. */
export interface Metered<out Data> extends Reply.Reader<Data> {
  readonly advance: () => boolean
  readonly decoded: () => Decoded
}

/** Counts the bytes that a reader takes, and the time that it takes for them. Waiting for bytes is not counted. */
export const metered = <Data>(reader: Reply.Reader<Data>, clock: Clock.Clock): Metered<Data> => {
  let bytes = 0
  let nanos = 0n
  const timed = <A>(read: () => A): A => {
    const start = clock.monotonicTimeNanosUnsafe()
    const result = read()
    nanos += clock.monotonicTimeNanosUnsafe() - start
    return result
  }
  return {
    push: (piece) => {
      bytes += piece.length
      return timed(() => reader.push(piece))
    },
    advance: () => reader.advance !== undefined && timed(reader.advance),
    end: () => timed(reader.end),
    decoded: () => ({ bytes, nanos })
  }
}
