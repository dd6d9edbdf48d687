/** `npm run simulate`: days of many programs that ask the service, a gateway of several machines, or programs with one allowance, each seed another story. */
import * as Simulation from "@effect-marketdata/testing/Simulation"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { parentPort, Worker } from "node:worker_threads"
import * as Gateway from "../packages/cluster/test/simulation/report.ts"
import * as GatewayRun from "../packages/cluster/test/simulation/run.ts"
import * as World from "../packages/sql/test/simulation/world.ts"
import * as Script from "./shared/script.ts"

/** What every report counts. */
interface Counts {
  readonly seeds: number
  readonly calls: number
  readonly violations: ReadonlyArray<unknown>
}

/** How seeds of something are run and added up. */
interface Subject<Report extends Counts> {
  run(seed: number, days: number): Report | Promise<Report>
  readonly empty: Report
  add(one: Report, other: Report): Report
  format(report: Report): string
  complaints(report: Report): ReadonlyArray<string>
  shortcomings(report: Report): ReadonlyArray<string>
}

/** The days after which every kind of event must have occurred. */
const enough = 1000

const desks: Subject<Simulation.Report> = {
  ...Simulation,
  run: (seed, days) => Simulation.run({ seed, days }),
  complaints: ({ violations }) => violations.map(Simulation.formatViolation),
  shortcomings: (report) => report.days < enough ? [] : Simulation.shortcomings(report)
}

const gateway: Subject<Gateway.Report> = {
  ...Gateway,
  run: (seed) => Gateway.of(GatewayRun.run(seed)),
  complaints: ({ violations }) => violations.map(Gateway.formatViolation)
}

const programs: Subject<World.Report> = {
  ...World,
  run: (seed) => World.run(seed),
  complaints: ({ violations }) => violations
}

const subjects = { desks, gateway, programs }

/** One seed of a subject; days are for trading desks. */
type Task = { readonly subject: keyof typeof subjects; readonly seed: number; readonly days: number }

/** Runs seeds on all processors, and prints the sum of their reports. */
const simulate = async (name: Task["subject"], first: number, seeds: number, days: number, isJson: boolean) => {
  const subject: Subject<Counts> = subjects[name]
  const progress = Script.progress(5)
  const tell = isJson ? console.error : console.log
  let next = first
  let total = subject.empty

  const soFar = () => `${total.seeds} of ${seeds} seeds, ${total.calls} calls, ${total.violations.length} violations`
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL(import.meta.url))
    while (next < first + seeds) {
      const task: Task = { subject: name, seed: next++, days }
      worker.postMessage(task, [])
      const report: Counts = (await once(worker, "message"))[0]
      total = subject.add(total, report)
      for (const complaint of subject.complaints(report)) tell(complaint)
      progress.tell(tell, soFar)
    }
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(seeds, availableParallelism()) }, work))

  const shortcomings = subject.shortcomings(total)
  console.log(isJson ? JSON.stringify({ ...total, shortcomings }, null, 2) : subject.format(total))
  for (const shortcoming of shortcomings) tell(shortcoming)
  tell(`${seeds} seeds from ${first} on: ${progress.seconds()}`)
  return total.violations.length + shortcomings.length === 0
}

const main = () =>
  Script.run({
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
    const subject = gateway ? "gateway" : programs ? "programs" : "desks"
    return simulate(subject, seed ?? 1, seeds, days, json)
  })

/** Simulates the seeds that it is sent. */
const answer = (port: NonNullable<typeof parentPort>) => {
  // A simulation makes many errors, whose stack traces nobody reads.
  Error.stackTraceLimit = 0
  const run = async ({ days, seed, subject }: Task) => port.postMessage(await subjects[subject].run(seed, days), [])
  port.on("message", run)
}

// As a worker it simulates.
if (parentPort === null) main()
else answer(parentPort)
