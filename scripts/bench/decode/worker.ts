/** One process of the bench: measures what its arguments name, and prints the figures as JSON. */
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { PerformanceObserver } from "node:perf_hooks"
import { setImmediate } from "node:timers/promises"
import { paired } from "./paired.ts"
import { ours } from "./subjects.ts"

const [, , what, folder, name = "22718", milliseconds = "1500"] = process.argv
const bytes = new Uint8Array(readFileSync(join(folder!, `${name}.json`)))

const ratio = async (subject: () => Promise<(bytes: Uint8Array) => unknown>) => {
  const text = new TextDecoder().decode(bytes)
  const decode = await subject()
  return paired(() => JSON.parse(text), () => decode(bytes), Number(milliseconds))
}

/** How long the first decode of a process takes, or its first `JSON.parse` of the ready text. */
const first = async (isBaseline: boolean): Promise<number> => {
  const text = new TextDecoder().decode(bytes)
  const decode = isBaseline
    ? () => JSON.parse(text) as unknown
    : await ours.fastest().then((decode) => () => decode(bytes))
  const start = performance.now()
  decode()
  return performance.now() - start
}

const piece = 65_536

/** Serves the reply in pieces, a turn of the event loop apart, and reads it again. */
const streamed = async (isBaseline: boolean) => {
  const server = createServer(async (_, response) => {
    for (let at = 0; at < bytes.length; at += piece) {
      response.write(bytes.subarray(at, at + piece))
      await setImmediate()
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const rounds = []
  for (let round = 0; round < 15; round++) {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    let last = 0
    let block = 0
    const decoder = OptionChain.decoder()
    const pieces: Array<Uint8Array> = []
    for await (const piece of response.body!) {
      last = performance.now()
      if (isBaseline) pieces.push(piece)
      else decoder.push(piece)
      block = Math.max(block, performance.now() - last)
    }
    // What is counted is ours: from the last piece taken, without the wait of the platform for the end of the body.
    const start = performance.now()
    if (isBaseline) JSON.parse(new TextDecoder().decode(Buffer.concat(pieces)))
    else Result.getOrThrow(decoder.end())
    const end = performance.now() - start
    if (round >= 5) rounds.push({ afterLastByte: end, block: Math.max(block, end) })
  }
  server.close()
  return {
    afterLastByte: rounds.map(({ afterLastByte }) => afterLastByte).toSorted((a, b) => a - b)[rounds.length >> 1],
    block: rounds.map(({ block }) => block).toSorted((a, b) => a - b)[rounds.length >> 1]
  }
}

/** What one decoded chain keeps, and what a decode leaves to the collector. Needs `--expose-gc`. */
const memory = async (isBaseline: boolean) => {
  const text = new TextDecoder().decode(bytes)
  const decode = isBaseline
    ? () => JSON.parse(text) as unknown
    : await ours.fastest().then((decode) => () => decode(bytes))
  const settle = async () => {
    for (let at = 0; at < 4; at++) {
      globalThis.gc?.()
      await setImmediate()
    }
    return process.memoryUsage()
  }
  let kept = decode()
  kept = decode()
  let collecting = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) collecting += entry.duration
  })
  kept = undefined
  const before = await settle()
  kept = decode()
  const after = await settle()
  observer.observe({ entryTypes: ["gc"] })
  const times = 40
  for (let at = 0; at < times; at++) {
    kept = decode()
    await setImmediate()
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  return {
    heap: (after.heapUsed - before.heapUsed) / 1e6,
    buffers: (after.arrayBuffers - before.arrayBuffers) / Number(name),
    collecting: collecting / times,
    kept: kept !== undefined
  }
}

/** How many times a second. */
const rate = (work: (at: number) => unknown): number => {
  let times = 0
  const start = performance.now()
  let kept: unknown
  while (performance.now() - start < Number(milliseconds)) for (let at = 0; at < 1000; at++, times++) kept = work(at)
  if (kept === undefined) throw new Error("nothing was done")
  return times / (performance.now() - start) * 1000
}

const rates = () => {
  const symbols: ReadonlyArray<string> = JSON.parse(new TextDecoder().decode(bytes)).optionSymbol.slice(0, 1000)
  const parsed = symbols.map(OptionSymbol.parseUnsafe)
  const instants = Float64Array.from({ length: 1000 }, (_, at) => at * 3_600_000)
  const intl = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/New_York",
    dateStyle: "short",
    timeStyle: "medium"
  })
  return {
    "OptionSymbol.parse": rate((at) => OptionSymbol.parse(symbols[at]!)),
    "OptionSymbol.format": rate((at) => OptionSymbol.format(parsed[at]!)),
    "Eastern.offsetSeconds": rate((at) => Eastern.offsetSeconds(instants[at]!)),
    "Eastern.epochDayOf": rate((at) => Eastern.epochDayOf(instants[at]!)),
    "Intl.DateTimeFormat": rate((at) => intl.format(instants[at]! * 1000))
  }
}

const measure = async (): Promise<unknown> => {
  switch (what) {
    case "fastest":
    case "typescript":
      return await ratio(ours[what])
    case "others": {
      const { others } = await import("./competitors.ts")
      const figures: Record<string, unknown> = {}
      for (const [name, subject] of others) figures[name] = await ratio(subject)
      return figures
    }
    case "first":
      return await first(false)
    case "first-parse":
      return await first(true)
    case "streamed":
      return await streamed(false)
    case "streamed-parse":
      return await streamed(true)
    case "memory":
      return await memory(false)
    case "memory-parse":
      return await memory(true)
    case "rates":
      return rates()
    default:
      throw new Error(`nothing is called ${what}`)
  }
}

console.log(JSON.stringify(await measure()))
process.exit(0)
