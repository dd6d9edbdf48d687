/** What a process holds, and what its collector does. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
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

const ofKernel = "/proc/self/status"

/** The most memory that this process had, in bytes. What `resourceUsage` says begins with what the process had that started it. */
const peak = (): number =>
  existsSync(ofKernel)
    ? Number(/VmHWM:\s*(\d+)/.exec(readFileSync(ofKernel, "utf8"))![1]) * 1024
    : process.resourceUsage().maxRSS * 1024

/** The most memory that some work takes beside what is held before it, in bytes. Where the kernel does not count anew, that of the process. */
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
  // The observer is told a little later.
  await setTimeout(50)
  observer.disconnect()
  return milliseconds
}
