/** `npm run simulate`: days of many programs that ask the service, over and over, each seed another story. */
import * as Simulation from "@effect-marketdata/testing/Simulation"
import * as Flag from "effect/cli/Flag"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import * as Script from "./shared/script.ts"
import type { Task } from "./simulate/worker.ts"

/** So many days, and what each of them brings, are expected to show everything that there is. */
const enough = 1000

Script.run({
  name: "simulate",
  what:
    `Simulates days of many programs that ask the service. Fails where a rule was broken, and says on which seed, day and step; or where ${enough} days or more had too little happen on them for the silence to mean anything.`,
  examples: [
    ["--seeds 200 --days 5", "200 seeds, from 1 on"],
    ["--seed 17 --days 5", "one seed again"]
  ]
}, {
  seeds: Script.whole("seeds", "How many seeds; 20 by default, 1 with --seed", 1).pipe(Flag.withDefault(undefined)),
  days: Script.whole("days", "Days of each seed; 5 by default", 1).pipe(Flag.withDefault(5)),
  seed: Script.whole("seed", "The first seed; 1 by default", 0).pipe(Flag.withDefault(undefined)),
  json: Script.toggle("json", "Print the report as JSON on standard output")
}, async ({ days, json, seed, seeds = seed === undefined ? 20 : 1 }) => {
  const first = seed ?? 1
  const progress = Script.progress(5)
  const tell = json ? console.error : console.log
  let next = first
  let total = Simulation.empty

  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("./simulate/worker.ts", import.meta.url))
      const take = (): void => {
        if (next === first + seeds) return resolve(void worker.terminate())
        const task: Task = { seed: next++, days }
        worker.postMessage(task, [])
      }
      worker.on("message", (report: Simulation.Report) => {
        total = Simulation.add(total, report)
        for (const violation of report.violations) tell(Simulation.formatViolation(violation))
        progress.tell(tell, () =>
          `${total.seeds} of ${seeds} seeds, ${total.calls} calls, ${total.violations.length} violations`)
        take()
      })
      worker.on("error", reject)
      take()
    })
  await Promise.all(Array.from({ length: Math.min(seeds, availableParallelism()) }, work))

  const shortcomings = total.days < enough ? [] : Simulation.shortcomings(total)
  console.log(json ? JSON.stringify({ ...total, shortcomings }, null, 2) : Simulation.format(total))
  for (const shortcoming of shortcomings) tell(shortcoming)
  tell(`${seeds} seeds from ${first} on, ${days} days each: ${progress.seconds()}`)
  return total.violations.length + shortcomings.length === 0
})
