/** Reads a reply while it arrives: over loopback HTTP, from a server in a process of its own, whose work is not ours. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"
import { once } from "node:events"
import * as Process from "../process.ts"
import { medians } from "../statistics.ts"
import * as Worker from "../worker.ts"

const piece = 65_536

/** Serves the reply in pieces of 64 KiB as fast as the reader takes them; nothing is delayed. */
export const serve = (bytes: Uint8Array): Promise<number> =>
  Worker.serve(async (_, response) => {
    response.setHeader("content-length", bytes.length)
    for (let at = 0; at < bytes.length; at += piece) {
      if (!response.write(bytes.subarray(at, at + piece))) await once(response, "drain")
    }
    response.end()
  })

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

/** Reads the reply of a file by turns with our decoder and with `JSON.parse`. */
export const streamed = (path: string) =>
  Process.withServer(
    { node: process.execPath, flags: [], program: process.argv[1]! },
    ["serve", path],
    async (port) => {
      const url = `http://127.0.0.1:${port}/`
      const rounds: Array<{ readonly subject: Streamed; readonly baseline: Streamed }> = []
      for (let round = 0; round < 15; round++) {
        rounds.push({ subject: await request(url, ours()), baseline: await request(url, baseline()) })
      }
      const warm = rounds.slice(5)
      return {
        subject: medians(warm.map(({ subject }) => subject)),
        baseline: medians(warm.map(({ baseline }) => baseline))
      }
    }
  )
