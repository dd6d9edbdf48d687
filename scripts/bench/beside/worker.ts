/** One process of the bench: a server of chains, or one way to ask it, whose figures it prints as JSON. */
import { PerformanceObserver } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { median } from "../statistics.ts"
import type { Cost } from "./cost.ts"
import * as Replies from "./replies.ts"
import { type Way, ways } from "./ways.ts"

/** Calls again and again, one after another. The first third of the time only warms up. */
const measure = async (call: () => Promise<unknown>, milliseconds: number): Promise<Cost> => {
  const warm = performance.now() + milliseconds / 3
  while (performance.now() < warm) await call()
  let collector = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collector += duration
  })
  observer.observe({ entryTypes: ["gc"] })
  const before = process.cpuUsage()
  const times: Array<number> = []
  const end = performance.now() + milliseconds
  while (performance.now() < end || times.length < 5) {
    const start = performance.now()
    await call()
    times.push(performance.now() - start)
  }
  const { system, user } = process.cpuUsage(before)
  // The observer is told a little later.
  await setTimeout(50)
  return {
    milliseconds: median(times),
    processor: (system + user) / 1000 / times.length,
    collector: collector / times.length,
    megabytes: process.resourceUsage().maxRSS / 1024
  }
}

const [what = "", ...args] = process.argv.slice(2)
if (what === "serve") console.log(JSON.stringify(await Replies.serve(args[0] ?? "plain")))
else {
  const way = new Map<string, Way>(Object.entries(ways)).get(what)
  if (way === undefined) throw new Error(`nothing is called ${what}`)
  const [port = "0", contracts = "0", milliseconds = "0"] = args
  console.log(
    JSON.stringify(await measure(await way(`http://127.0.0.1:${port}`, Number(contracts)), Number(milliseconds)))
  )
  process.exit(0)
}
