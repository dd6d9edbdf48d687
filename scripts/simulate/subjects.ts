/** What can be simulated: trading days, a gateway of several machines, and programs with one allowance. */
import * as Simulation from "@effect-marketdata/testing/Simulation"
import * as Gateway from "../../packages/cluster/test/simulation/report.ts"
import * as World from "../../packages/sql/test/simulation/world.ts"
import * as GatewayRun from "../../packages/cluster/test/simulation/run.ts"

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

/** A thousand days are expected to show everything that there is. */
const enough = 1000

const desks: Subject<Simulation.Report> = {
  run: (seed, days) => Simulation.run({ seed, days }),
  empty: Simulation.empty,
  add: Simulation.add,
  format: Simulation.format,
  complaints: ({ violations }) => violations.map(Simulation.formatViolation),
  shortcomings: (report) => report.days < enough ? [] : Simulation.shortcomings(report)
}

const gateway: Subject<Gateway.Report> = {
  run: (seed) => Gateway.of(GatewayRun.run(seed)),
  empty: Gateway.empty,
  add: Gateway.add,
  format: Gateway.format,
  complaints: ({ violations }) => violations.map(Gateway.formatViolation),
  shortcomings: Gateway.shortcomings
}

const programs: Subject<World.Report> = {
  run: (seed) => World.run(seed),
  empty: World.empty,
  add: World.add,
  format: World.format,
  complaints: ({ violations }) => violations,
  shortcomings: World.shortcomings
}

export const subjects = { desks, gateway, programs }
