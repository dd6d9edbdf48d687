/**
 * The bench of `marketdata mcp` as it is packed, over standard input and output: a tool against the simplest of the same server, `budget`, by turns; and the
 * time from the start to the first answer, against a Node that does nothing.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Bundle from "../../packages/cli/bundle.ts"
import * as Called from "../../packages/cli/called.ts"
import { temporaryFolder } from "../shared/files.ts"
import { root } from "../shared/script.ts"
import { type Environment, program } from "./cli.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { medians, pair, timed } from "./statistics.ts"

type Call = (name: string, given: object) => Promise<void>

/** Starts the server, initializes the connection, and passes on a function that calls a tool. */
const connected = async <A>(node: string, env: Environment, use: (call: Call) => Promise<A>): Promise<A> => {
  const server = spawn(node, [program, "mcp", "--budget", "1000000"], { env, stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  let id = 0
  const request = async (method: string, params: object) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`)
    for (;;) {
      const { done, value } = await lines.next()
      if (done === true) throw new Error("the server ended")
      const message = JSON.parse(value)
      if (message.id !== id) continue
      if (message.error !== undefined || message.result.isError === true) throw new Error(value)
      return
    }
  }
  try {
    const client = { name: "bench", version: "1" }
    await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client })
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
    return await use((name, given) => request("tools/call", { name, arguments: given }))
  } finally {
    server.kill()
  }
}

const slice = { symbol: "SPX", strikes: 10, preset: "smile" }

const tools = [
  { name: "estimate", tool: "estimate", given: { tool: "chain_slice", arguments: slice }, limit: 3 },
  // After the first call its reply comes from the cache on disk, so that the server is measured, not the service.
  { name: "chain-slice", tool: "chain_slice", given: slice, limit: 6 }
]

export const mcp: Report.Bench = {
  runs: 9,
  measure: async function*({ node, quick, runs }) {
    await Bundle.bundle(root)
    using folder = temporaryFolder()
    const home = { HOME: folder.path, TMPDIR: folder.path }
    for (const { given, limit, name, tool } of tools) {
      const measured = (service: Environment) =>
        connected(node, { ...home, ...service, MARKETDATA_CACHE: join(folder.path, "cache") }, async (call) => {
          const took = (name: string, given: object) => timed(() => call(name, given))
          for (let warm = quick ? 20 : 200; warm > 0; warm--) {
            await call("budget", {})
            await call(tool, given)
          }
          // By turns, one call at a time: the median leaves out calls that other work on the machine has slowed.
          const turn = async () => ({ baseline: await took("budget", {}), subject: await took(tool, given) })
          return Process.repeat(runs, async () => {
            const { baseline, subject } = medians(await Process.repeat(quick ? 20 : 60, turn))
            return pair(baseline, subject)
          })
        })
      const pairs = await Called.withSandbox(program, measured, ["--clock", "real"])
      yield Report.paired(name, "× a bare tool", pairs, { limit })
    }
    const nothing = () => new Promise((resolve) => spawn(node, ["-e", "0"], { stdio: "ignore" }).once("exit", resolve))
    const first = () => connected(node, home, (call) => call("explain_symbol", { symbol: "AAPL261218C00350000" }))
    // The first start fills the cache of compiled code for the others.
    await first()
    const starts = await Process.repeat(runs, async () => pair(await timed(nothing), await timed(first)))
    yield Report.paired("first-answer", "× node -e 0", starts, { limit: 6 })
  }
}
