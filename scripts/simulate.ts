/** `npm run simulate`: days of many programs that ask the service, a gateway of several machines, or programs with one allowance, each seed another story. */
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import * as Script from "./shared/script.ts"
import { type Counts, type Subject, subjects, type Task } from "./simulate/subjects.ts"

/** Runs seeds on all processors, and prints the sum of their reports. */
const simulate = async <Report extends Counts>(
  name: Task["subject"],
  subject: Subject<Report>,
  { days, first, isJson, seeds }: Record<"days" | "first" | "seeds", number> & { readonly isJson: boolean }
): Promise<boolean> => {
  const progress = Script.progress(5)
  const tell = isJson ? console.error : console.log
  let next = first
  let total = subject.empty

  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("./simulate/subjects.ts", import.meta.url))
      const take = (): void => {
        if (next === first + seeds) return resolve(void worker.terminate())
        const task: Task = { subject: name, seed: next++, days }
        worker.postMessage(task, [])
      }
      worker.on("message", (report: Report) => {
        total = subject.add(total, report)
        for (const complaint of subject.complaints(report)) tell(complaint)
        progress.tell(tell, () =>
          `${total.seeds} of ${seeds} seeds, ${total.calls} calls, ${total.violations.length} violations`)
        take()
      })
      worker.on("error", reject)
      take()
    })
  await Promise.all(Array.from({ length: Math.min(seeds, availableParallelism()) }, work))

  const shortcomings = subject.shortcomings(total)
  console.log(isJson ? JSON.stringify({ ...total, shortcomings }, null, 2) : subject.format(total))
  for (const shortcoming of shortcomings) tell(shortcoming)
  tell(`${seeds} seeds from ${first} on: ${progress.seconds()}`)
  return total.violations.length + shortcomings.length === 0
}

Script.run({
  name: "simulate",
  what:
    "Simulates days of many programs that ask the service, a gateway whose machines crash, are cut off and hand over, or programs that share an allowance under clocks that are apart. Fails if a rule was broken, and says on which seed and step; or if many seeds had too little happen in them for the silence to mean anything.",
  examples: [
    ["--seeds 200 --days 5", "200 seeds, from 1 on"],
    ["--seed 17 --days 5", "one seed again"],
    ["--gateway --seeds 500", "500 stories of a gateway"],
    ["--programs --seeds 100", "100 worlds of programs with one allowance"]
  ]
}, {
  seeds: Script.whole("seeds", "How many seeds; 20 by default, 1 with --seed"),
  gateway: Script.toggle("gateway", "A gateway with several runners, in place of trading desks"),
  programs: Script.toggle("programs", "Programs with one allowance, in place of trading desks"),
  days: Script.whole("days", "Days of each seed of trading desks", 5),
  seed: Script.whole("seed", "The first seed; 1 by default", undefined, 0),
  json: Script.toggle("json", "Print the report as JSON on standard output")
}, ({ days, gateway, json, programs, seed, seeds = seed === undefined ? 20 : 1 }) => {
  const settings = { days, isJson: json, first: seed ?? 1, seeds }
  return gateway
    ? simulate("gateway", subjects.gateway, settings)
    : programs
    ? simulate("programs", subjects.programs, settings)
    : simulate("desks", subjects.desks, settings)
})
