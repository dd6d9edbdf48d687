/**
 * The bench of the ledger in a database. First its operations against those of the ledger in memory: an operation is a query of one request, reserved,
 * marked as sent, charged and settled. Then a small call over loopback, with ledger and guard in the database against both in memory. PostgreSQL is measured
 * where `MARKETDATA_TEST_POSTGRES` names a server.
 */
import type { Bench } from "../bench.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { median, type Paired } from "./statistics.ts"

const databases = process.env["MARKETDATA_TEST_POSTGRES"] === undefined ? ["sqlite"] : ["sqlite", "postgresql"]

const perSecond = (milliseconds: ReadonlyArray<number>): number => Math.round(1000 / median(milliseconds))

/** The row of operations: a ratio, and how many there are in a second. */
const operations = (name: string, pairs: ReadonlyArray<Paired>): Report.Row => {
  const inDatabase = perSecond(pairs.map(({ subject }) => subject))
  const inMemory = perSecond(pairs.map(({ baseline }) => baseline))
  return {
    case: name,
    unit: "× memory",
    figures: pairs.map(({ ratio }) => ratio),
    beside: `${inDatabase} operations/s, ${inMemory} in memory`,
    also: { perSecond: inDatabase }
  }
}

export const ledger: Bench = {
  runs: 5,
  measure: async function*({ milliseconds, runs }) {
    const worker = { program: "ledger" }
    for (const database of databases) {
      const name = `operations-${database}`
      const ask = () => Process.ask<Paired>(worker, "operations", database, milliseconds * 3)
      yield operations(name, await Process.repeat(runs, ask))
    }
    for (const database of databases) {
      const pairs = await Process.withServer(
        { program: "call" },
        ["serve", "plain"],
        (port) => Process.repeat(runs, () => Process.ask<Paired>(worker, "call", database, port, milliseconds * 3))
      )
      yield Report.paired(`small-call-${database}`, "× memory", pairs)
    }
  }
}
