/** What a process holds, and what its collector does. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { PerformanceObserver } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"

/** Memory in use after garbage collection. Needs `--expose-gc`. */
export const settle = async (): Promise<NodeJS.MemoryUsage> => {
  if (globalThis.gc === undefined) throw new Error("memory can only be measured with --expose-gc")
  for (let at = 0; at < 4; at++) {
    globalThis.gc()
    await setTimeout(10)
  }
  return process.memoryUsage()
}

const ofKernel = "/proc/self/status"

/** The most memory that this process had, in bytes. `resourceUsage` would begin with that of the parent process. */
const peak = (): number =>
  existsSync(ofKernel)
    ? Number(/VmHWM:\s*(\d+)/.exec(readFileSync(ofKernel, "utf8"))![1]) * 1024
    : process.resourceUsage().maxRSS * 1024

/** The most memory that some work adds to what was held before it, in bytes; if the kernel cannot reset its count, to the peak of the process so far. */
export const growth = async (work: () => unknown): Promise<number> => {
  await settle()
  const isCounted = existsSync(ofKernel)
  if (isCounted) writeFileSync("/proc/self/clear_refs", "5")
  const before = isCounted ? peak() : 0
  work()
  return peak() - before
}

/** The milliseconds that the collector works while something is done. */
export const collecting = async (work: () => Promise<void>): Promise<number> => {
  let milliseconds = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) milliseconds += duration
  })
  observer.observe({ entryTypes: ["gc"] })
  await work()
  // The observer is called a little later.
  await setTimeout(50)
  observer.disconnect()
  return milliseconds
}
