import { PerformanceObserver } from "node:perf_hooks"
import { setImmediate, setTimeout } from "node:timers/promises"

/** What a decoded chain keeps, in bytes, and the milliseconds that a decode gives the collector to do. */
export interface Memory {
  readonly heap: number
  readonly buffers: number
  readonly collecting: number
}

const collect = globalThis.gc

/** What is in use when everything else has been collected. Needs `--expose-gc`. */
const settle = async (): Promise<NodeJS.MemoryUsage> => {
  if (collect === undefined) throw new Error("memory can only be measured with --expose-gc")
  for (let at = 0; at < 4; at++) {
    collect()
    await setTimeout(10)
  }
  return process.memoryUsage()
}

/**
 * Measures what one result keeps; and what a poller that always keeps the latest makes the collector do, a turn of the event loop between
 * two polls. Nothing is collected by force while that goes on.
 */
export const memory = async (decode: () => unknown): Promise<Memory> => {
  // The first decodes leave code and pools behind, which are not the result's.
  decode()
  decode()
  const before = await settle()
  let kept = decode()
  const after = await settle()
  let collecting = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting += duration
  })
  observer.observe({ entryTypes: ["gc"] })
  const polls = 40
  for (let poll = 0; poll < polls; poll++) {
    kept = decode()
    await setImmediate()
  }
  // The observer is told a little later.
  await setTimeout(50)
  if (kept === undefined) throw new Error("nothing was decoded")
  return {
    heap: after.heapUsed - before.heapUsed,
    buffers: after.arrayBuffers - before.arrayBuffers,
    collecting: collecting / polls
  }
}
