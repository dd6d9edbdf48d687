/** Reads a reply while it arrives: over loopback HTTP, from a server in a process of its own, whose work is not ours. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"
import { medians } from "../statistics.ts"
import * as Targets from "../targets.ts"

/**
 * What one request took, in milliseconds: from the arrival of the last piece to the result (to read that piece, to learn that it was the last, and
 * to finish); the longest that decoding kept anything else from running; and from the request to the result.
 */
export interface Streamed extends Readonly<Record<"afterLastByte" | "block" | "total", number>> {}

/** A reader, and what it does when there are no more pieces. */
interface Reader {
  readonly push: (piece: Uint8Array) => unknown
  readonly end: () => unknown
}

const ours = (): Reader => {
  const { end, push } = OptionChain.decoder()
  return { push, end: () => Result.getOrThrow(end()) }
}

const baseline = (): Reader => {
  const pieces: Array<Uint8Array> = []
  return {
    push: (piece) => pieces.push(piece),
    end: () => JSON.parse(new TextDecoder().decode(Buffer.concat(pieces)))
  }
}

const request = async (url: string, { end, push }: Reader): Promise<Streamed> => {
  const start = performance.now()
  let arrival = start
  let block = 0
  const timed = (work: () => unknown): void => {
    const start = performance.now()
    work()
    block = Math.max(block, performance.now() - start)
  }
  const { body } = await fetch(url)
  for await (const piece of body!) {
    arrival = performance.now()
    timed(() => push(piece))
  }
  timed(end)
  const done = performance.now()
  return { afterLastByte: done - arrival, block, total: done - start }
}

/** Reads the largest chain of a server by turns with our decoder and with `JSON.parse`. */
export const streamed = async (port: string) => {
  const url = Targets.origin(port) + Targets.chain(22_718)
  const all: Record<"subject" | "baseline", Array<Streamed>> = { subject: [], baseline: [] }
  for (let round = 0; round < 15; round++) {
    all.subject.push(await request(url, ours()))
    all.baseline.push(await request(url, baseline()))
  }
  return { subject: medians(all.subject.slice(5)), baseline: medians(all.baseline.slice(5)) }
}
