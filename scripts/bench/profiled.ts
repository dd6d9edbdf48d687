/** Where the time of some work goes, by parts of the program: sampled in a process that does nothing else. */
import { type Profiler, Session } from "node:inspector/promises"

export const parts = ["core", "client", "effect", "node", "collector", "v8"] as const

/** Milliseconds by part. */
export type Parts = Record<typeof parts[number], number>

/** The part of the program that a sample is in. "(program)" is what is not JavaScript: V8's compilers, and system calls. */
const partOf = ({ functionName, url }: Profiler.Profile["nodes"][number]["callFrame"]): keyof Parts => {
  if (functionName === "(garbage collector)") return "collector"
  if (url.includes("/packages/client/")) return "client"
  if (url.includes("/packages/core/") || url.startsWith("wasm:")) return "core"
  if (url.includes("/node_modules/effect/")) return "effect"
  return functionName === "(program)" ? "v8" : "node"
}

/**
 * Profiles some work, which returns how often it ran, and returns the milliseconds of each part per run, without waiting. Sampling takes time itself, so the
 * interval, in microseconds, is short only for work that runs once.
 */
export const profiled = async (work: () => Promise<number>, interval = 200): Promise<Parts> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval })
  await session.post("Profiler.start")
  const times = await work()
  const { profile: { nodes, samples = [], timeDeltas = [] } } = await session.post("Profiler.stop")
  session.disconnect()
  const frames = new Map(nodes.map(({ callFrame, id }) => [id, callFrame]))
  const sums: Parts = { core: 0, client: 0, effect: 0, node: 0, collector: 0, v8: 0 }
  samples.forEach((id, at) => {
    const frame = frames.get(id)!
    // A sample lasts until the next one.
    if (frame.functionName !== "(idle)") sums[partOf(frame)] += (timeDeltas[at + 1] ?? 0) / 1000 / times
  })
  return sums
}

/** The same of work that runs once. */
export const profiledOnce = (work: () => unknown): Promise<Parts> =>
  profiled(async () => {
    await work()
    return 1
  })
