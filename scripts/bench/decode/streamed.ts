/** Reads a reply while it arrives: over loopback HTTP, from a server in a process of its own, whose work is not ours. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { median } from "../statistics.ts"

const piece = 65_536

/**
 * Serves the reply in pieces of 64 KiB as fast as the reader takes them; nothing is delayed. Tells the parent its port, and ends with
 * it.
 */
export const serve = async (bytes: Uint8Array): Promise<never> => {
  const server = createServer(async (_, response) => {
    response.setHeader("content-length", bytes.length)
    for (let at = 0; at < bytes.length; at += piece) {
      if (!response.write(bytes.subarray(at, at + piece))) await once(response, "drain")
    }
    response.end()
  })
  server.listen(0, "127.0.0.1", () => process.send!(server.address()))
  await once(process, "disconnect")
  process.exit()
}

/** What one request took, in milliseconds. */
export interface Streamed {
  /** From the arrival of the last piece to the result: to read that piece, to learn that it was the last, and to finish. */
  readonly afterLastByte: number
  /** The longest that decoding kept anything else from running. */
  readonly block: number
  /** From the request to the result. */
  readonly total: number
}

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

const middle = (rounds: ReadonlyArray<Streamed>): Streamed => ({
  afterLastByte: median(rounds.map(({ afterLastByte }) => afterLastByte)),
  block: median(rounds.map(({ block }) => block)),
  total: median(rounds.map(({ total }) => total))
})

/** Reads the reply by turns with our decoder and with `JSON.parse`; `args` start this program as the server. */
export const streamed = async (args: ReadonlyArray<string>) => {
  const server = fork(process.argv[1]!, args, { execArgv: [] })
  const [address]: ReadonlyArray<{ readonly port: number }> = await once(server, "message")
  const url = `http://127.0.0.1:${address!.port}/`
  const subjects: Array<Streamed> = []
  const baselines: Array<Streamed> = []
  for (let round = 0; round < 15; round++) {
    const subject = await request(url, ours())
    const other = await request(url, baseline())
    if (round < 5) continue
    subjects.push(subject)
    baselines.push(other)
  }
  server.disconnect()
  return { subject: middle(subjects), baseline: middle(baselines) }
}
