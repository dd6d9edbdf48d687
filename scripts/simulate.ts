/**
 * `npm run simulate`: days of many programs that ask the service, over and over, each seed another story.
 *
 *     npm run simulate -- --seeds 200 --days 5           as many seeds, from 1 on
 *     npm run simulate -- --seed 17 --days 5             one seed again
 *     npm run simulate -- --seeds 200 --days 5 --json    the report as JSON
 *
 * Prints a table, and exits with 1 where a rule was broken, with the seed, day and step of it, or where so many days (`enough`) had too
 * little happen on them for the silence to mean anything.
 */
import * as Simulation from "@effect-marketdata/testing/Simulation"
import { availableParallelism } from "node:os"
import { parseArgs } from "node:util"
import { Worker } from "node:worker_threads"
import type { Task } from "./simulate/worker.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    days: { type: "string", default: "5" },
    seed: { type: "string" },
    json: { type: "boolean", default: false }
  }
})

const whole = (name: string, text: string, least: number): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  console.error(`--${name} is a whole number from ${least} on, and not ${text}`)
  process.exit(2)
}

/** So many days, and what each of them brings, is expected to show everything that there is. */
const enough = 1000

const days = whole("days", values.days, 1)
const first = whole("seed", values.seed ?? "1", 0)
const seeds = whole("seeds", values.seeds ?? (values.seed === undefined ? "20" : "1"), 1)
const started = performance.now()
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
const tell = (text: string): void => values.json ? console.error(text) : console.log(text)

let next = 0
let told = started
let total = Simulation.empty

const work = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./simulate/worker.ts", import.meta.url))
    const take = (): void => {
      if (next === seeds) return resolve(void worker.terminate())
      const task: Task = { seed: first + next++, days }
      worker.postMessage(task, [])
    }
    worker.on("message", (report: Simulation.Report) => {
      total = Simulation.add(total, report)
      for (const violation of report.violations) tell(Simulation.formatViolation(violation))
      if (performance.now() - told > 5000) {
        told = performance.now()
        tell(
          `${seconds()}: ${total.seeds} of ${seeds} seeds, ${total.calls} calls, ${total.violations.length} violations`
        )
      }
      take()
    })
    worker.on("error", reject)
    take()
  })

await Promise.all(Array.from({ length: Math.min(seeds, availableParallelism()) }, work))

const shortcomings = total.days < enough ? [] : Simulation.shortcomings(total)
if (values.json) console.log(JSON.stringify({ ...total, shortcomings }, null, 2))
else console.log(Simulation.format(total))
for (const shortcoming of shortcomings) tell(shortcoming)
tell(`${seeds} seeds from ${first} on, ${days} days each: ${seconds()}`)
process.exitCode = total.violations.length + shortcomings.length > 0 ? 1 : 0
