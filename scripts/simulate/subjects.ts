/** What can be simulated: trading days, a gateway of several machines, and programs with one allowance. As a worker it simulates the seeds that it is sent. */
import * as Simulation from "@effect-marketdata/testing/Simulation"
import * as Gateway from "../../packages/cluster/test/simulation/report.ts"
import * as World from "../../packages/sql/test/simulation/world.ts"
import * as GatewayRun from "../../packages/cluster/test/simulation/run.ts"
import { parentPort } from "node:worker_threads"

/** What every report counts. */
export interface Counts {
  readonly seeds: number
  readonly calls: number
  readonly violations: ReadonlyArray<unknown>
}

/** How seeds of something are run and added up. */
export interface Subject<Report extends Counts> {
  readonly run: (seed: number, days: number) => Report | Promise<Report>
  readonly empty: Report
  readonly add: (one: Report, other: Report) => Report
  readonly format: (report: Report) => string
  readonly complaints: (report: Report) => ReadonlyArray<string>
  readonly shortcomings: (report: Report) => ReadonlyArray<string>
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

export const subjects = { desks, gateway, programs }

/** One seed of a subject; days are for trading desks. */
export interface Task {
  readonly subject: keyof typeof subjects
  readonly seed: number
  readonly days: number
}

// A simulation makes many errors, whose stack traces nobody reads.
if (parentPort !== null) Error.stackTraceLimit = 0

parentPort?.on(
  "message",
  async ({ days, seed, subject }: Task) => parentPort?.postMessage(await subjects[subject].run(seed, days), [])
)
