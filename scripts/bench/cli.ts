/**
 * The bench of the program `marketdata` as it is packed: what the processor does for a command, against a Node that does nothing, by turns. Time of the
 * processor, and not of the clock, so that other work on the machine counts as little as it can.
 */
import { spawnSync, type StdioOptions } from "node:child_process"
import { join } from "node:path"
import * as Bundle from "../../packages/cli/bundle.ts"
import * as Called from "../../packages/cli/called.ts"
import { temporaryFolder } from "../shared/files.ts"
import { root } from "../shared/script.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { pair } from "./statistics.ts"

export const program = join(root, Bundle.program)

/** What is typed, and how often a Node that does nothing may fit into it. */
const cases = [
  { name: "version", line: ["--version"], limit: 5 },
  { name: "symbol", line: ["symbol", "explain", "AAPL261218C00150000"], limit: 3.5 },
  { name: "estimate", line: ["estimate", "chain", "SPX", "--mode", "cached"], limit: 4 },
  { name: "quote-cached", line: ["quote", "AAPL261218C00150000", "--mode", "cached"], limit: 4 },
  { name: "chain-cached", line: ["chain", "SPX", "--mode", "cached"], limit: 9 },
  { name: "chain-csv", line: ["chain", "SPX", "--expiration", "all", "--mode", "cached", "--format", "csv"], limit: 8 }
] as const

export type Environment = Readonly<Record<string, string>>

/** Runs a Node to its end, and returns the milliseconds of its processor. */
const processorTime = (node: string, args: ReadonlyArray<string>, env: Environment): number => {
  const usage = join(import.meta.dirname, "cli", "usage.cjs")
  const stdio: StdioOptions = ["ignore", "ignore", "pipe", "pipe"]
  const { output, status } = spawnSync(node, ["--require", usage, ...args], { encoding: "utf8", env, stdio })
  if (status !== 0) throw new Error(`marketdata ${args.slice(1).join(" ")} failed: ${output[2]}`)
  return Number(output[3])
}

export const cli: Report.Bench = {
  runs: 25,
  measure: async function*({ node, runs }) {
    await Bundle.bundle(root)
    // For compiled code, and so that no settings of the user are found.
    using folder = temporaryFolder()
    for (const { limit, line, name } of cases) {
      const pairs = await Called.withSandbox(program, (service) => {
        const env = { HOME: folder.path, TMPDIR: folder.path, ...service }
        const baseline = () => processorTime(node, ["-e", "0"], env)
        const subject = () => processorTime(node, [program, ...line], env)
        // The first start fills the cache of compiled code for the others.
        subject()
        return Process.repeat(runs, () => Promise.resolve(pair(baseline(), subject())))
      })
      yield Report.paired(name, "× node -e 0", pairs, { limit })
    }
  }
}
