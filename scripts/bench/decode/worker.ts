/** One process of the bench: decodes the reply of a file. */
import * as BufferPool from "@effect-marketdata/core/BufferPool"
import * as Kernel from "@effect-marketdata/core/Kernel"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as TableMemory from "@effect-marketdata/core/TableMemory"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { rates } from "../../../packages/core/test/support/rates.ts"
import type { Memory, Streamed } from "../decode.ts"
import { collecting, settle } from "../memory.ts"
import { profiledOnce } from "../profiled.ts"
import { medians, paired } from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

// Where a reply is streamed, the last argument is the port of its server.
const [what, path = "", milliseconds] = process.argv.slice(2)
const bytes = new Uint8Array(readFileSync(path))
const text = new TextDecoder().decode(bytes)

const parse = (): unknown => JSON.parse(text)

const decodeWith = (kernel: Kernel.Kernel) => () => Result.getOrThrow(OptionChain.decode(bytes, { kernel }))

const decode = decodeWith(Kernel.fastest)

/** Decodes with a pool of one buffer, as a program that releases each table before the next. */
const recycled = () => {
  const pool = BufferPool.make()
  return () =>
    Effect.runSync(Effect.scoped(Effect.map(
      BufferPool.decode(pool, (recycled) => OptionChain.decode(bytes, { recycled })),
      (chain) => chain.bid[0]
    )))
}

/** Measures a way against `JSON.parse` of the ready text. */
const ratio = (way: () => unknown) => () => paired(parse, way, Number(milliseconds))

/** How long the first call of a process takes. */
const first = (decode: () => unknown) => (): number => {
  const start = performance.now()
  decode()
  return performance.now() - start
}

/** Measures what one result keeps. */
const memory = (decode: () => unknown) => async (): Promise<Memory> => {
  // The first decodes allocate code and pools, which do not count as the result's.
  decode()
  decode()
  const before = await settle()
  const kept = decode()
  const after = await settle()
  if (kept === undefined) throw new Error("nothing was decoded")
  return { heap: after.heapUsed - before.heapUsed, buffers: after.arrayBuffers - before.arrayBuffers }
}

/**
 * Measures how long the collector works for each poll, in milliseconds, in a program that also keeps a number of other objects. The poller always keeps
 * the latest result, and has polled for a while. It yields to the event loop after each poll. No collection is forced, because V8 collects more often
 * for a time afterwards.
 */
const polling = (decode: () => unknown, objects = 0) => async (): Promise<number> => {
  const others = Array.from({ length: objects }, (_, index) => ({ index, list: [index] }))
  let kept: unknown
  const poll = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      kept = decode()
      await setImmediate()
    }
  }
  await poll(50)
  const polls = 200
  const collected = await collecting(() => poll(polls))
  if (kept === undefined || others.length !== objects) throw new Error("nothing was kept")
  return collected / polls
}

/** A reader, and what it does when there are no more pieces. */
type Reader = { readonly push: (piece: Uint8Array) => unknown; readonly end: () => unknown }

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

/** Reads the largest chain of a server while it arrives, by turns with our decoder and with `JSON.parse`. */
const streamed = async (port: string) => {
  const url = Targets.origin(port) + Targets.chain(22_718)
  const all: Record<"subject" | "baseline", Array<Streamed>> = { subject: [], baseline: [] }
  for (let round = 0; round < 15; round++) {
    all.subject.push(await request(url, ours()))
    all.baseline.push(await request(url, baseline()))
  }
  return { subject: medians(all.subject.slice(5)), baseline: medians(all.baseline.slice(5)) }
}

/** A million objects make a heap of about 100 MB. */
const many = 1_000_000

// As the client does by itself.
if (what === "returned") TableMemory.keepFreed(false)
TableMemory.useByDefault((size) => Buffer.allocUnsafeSlow(size).buffer)

await answer({
  fastest: ratio(decode),
  returned: ratio(decode),
  few: ratio(() => Result.getOrThrow(OptionChain.decode(bytes, { columns: ["strike", "bid", "ask"] }))),
  typescript: ratio(decodeWith(Kernel.typescript)),
  first: first(decode),
  "first-prepared": async () => {
    // As the client does while its layer is built.
    await OptionChain.prepare()
    return first(decode)()
  },
  "first-parse": first(parse),
  "profile-first": () => profiledOnce(decode),
  "profile-parse": () => profiledOnce(parse),
  memory: memory(decode),
  "memory-parse": memory(parse),
  polling: polling(decode),
  "polling-recycled": polling(recycled()),
  "polling-parse": polling(parse),
  "polling-large": polling(decode, many),
  "polling-large-recycled": polling(recycled(), many),
  "polling-large-parse": polling(parse, many),
  streamed: () => streamed(milliseconds!),
  rates: () => rates(JSON.parse(text).optionSymbol, Number(milliseconds))
})
