/** What a process holds, and what its collector does. */
import { PerformanceObserver } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"

/** What is in use when everything else has been collected. Needs `--expose-gc`. */
export const settle = async (): Promise<NodeJS.MemoryUsage> => {
  if (globalThis.gc === undefined) throw new Error("memory can only be measured with --expose-gc")
  for (let at = 0; at < 4; at++) {
    globalThis.gc()
    await setTimeout(10)
  }
  return process.memoryUsage()
}

/** The milliseconds that the collector works while something is done. */
export const collecting = async (work: () => Promise<void>): Promise<number> => {
  let milliseconds = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) milliseconds += duration
  })
  observer.observe({ entryTypes: ["gc"] })
  await work()
  // The observer is told a little later.
  await setTimeout(50)
  observer.disconnect()
  return milliseconds
}
