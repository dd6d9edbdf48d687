/**
 * The bench of the gateway: one quote, and the largest chain, through it against a client of one's own, both over loopback to a server that sends
 * prepared bytes. In one process caller and runner share it; in two and three they find each other through a file of SQLite, and speak over
 * sockets. With three there are two runners, of which one has the account.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Bench } from "../bench.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import type { Paired } from "./statistics.ts"

const worker = { program: "cluster" }

/** The case of two processes is that of the issue; a call of one quote has no bound, since a hop to another process is most of it. */
const cases = [
  { name: "small-call", processes: 2, bounds: {} },
  { name: "22718-gateway", processes: 2, bounds: { limit: 4 } },
  { name: "small-call", processes: 1, bounds: {} },
  { name: "22718-gateway", processes: 1, bounds: { limit: 4 } },
  { name: "small-call", processes: 3, bounds: {} },
  { name: "22718-gateway", processes: 3, bounds: { limit: 4 } }
] as const

/** A port that nobody listens on. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(address === null || typeof address === "string" ? 0 : address.port))
    })
  })

/** Asks beside so many runners, which share a database. */
const beside = async (
  runners: number,
  port: number,
  filename: string,
  ask: () => Promise<ReadonlyArray<Paired>>
): Promise<ReadonlyArray<Paired>> =>
  runners === 0
    ? ask()
    : Process.withServer(
      worker,
      ["runner", port, filename, await freePort()],
      () => beside(runners - 1, port, filename, ask)
    )

const measured = async (name: string, processes: number, runs: number, milliseconds: number) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-cluster-"))
  const filename = join(folder, "cluster.db")
  try {
    return await Process.withServer(worker, ["serve"], (port) =>
      beside(processes - 1, port, filename, async () => {
        const own = processes === 1 ? [await freePort()] : []
        return Process.repeat(
          runs,
          () => Process.ask<Paired>(worker, "ask", name, port, filename, milliseconds, ...own)
        )
      }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const cluster: Bench = {
  runs: 3,
  measure: async function*({ milliseconds, runs }) {
    for (const { bounds, name, processes } of cases) {
      const pairs = await measured(name, processes, runs, milliseconds * 3)
      yield Report.paired(processes === 2 ? name : `${name}-${processes}`, "× direct", pairs, bounds)
    }
  }
}
