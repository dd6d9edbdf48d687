/** `npm run bench`: measures, and holds what it measures to its limits. */
import * as Argument from "effect/cli/Argument"
import { cli } from "./bench/cli.ts"
import { decode } from "./bench/decode.ts"
import { exporting } from "./bench/export.ts"
import { mcp } from "./bench/mcp.ts"
import { cache, call, cluster, ledger, stalls, start } from "./bench/pairs.ts"
import { profile } from "./bench/profile.ts"
import * as Report from "./bench/report.ts"
import { sandbox } from "./bench/sandbox.ts"
import * as Setting from "./bench/setting.ts"
import { volatility } from "./bench/volatility.ts"
import * as Script from "./shared/script.ts"

/** The benches in the order in which the help lists them: of what is most of the work, and of the rest. */
const most = { decode, sandbox, call, cache, cluster, export: exporting }
const benches = { ...most, ledger, stalls, start, volatility, profile, mcp, cli }

const names = Object.keys(benches) as ReadonlyArray<keyof typeof benches>

Script.run({
  what: "Measures, and holds what it measures to its limits. Prints a table for docs/benchmarks.md, row by row.",
  examples: [
    ["call --quick", "one process a figure, and less time"],
    ["decode --json", "the report as JSON on standard output, and nothing else"],
    ["decode --with ~/.bun/bin/bun", "with bun too"]
  ]
}, {
  name: Argument.Literals("bench", names).pipe(
    Argument.withDescription(`What to measure: ${names.join(", ")}; decode without`),
    Argument.withDefault("decode")
  ),
  json: Script.toggle("json", "Print the report as JSON, and the table on standard error"),
  quick: Script.toggle("quick", "Measure once, and for a shorter time"),
  other: Script.text("with", "The path of another Node, or of bun, to measure decode with too")
}, async ({ json, name, other, quick }) => {
  const { measure, onOlder = false, ...bench }: Report.Bench = benches[name]
  if (other !== undefined && !onOlder) throw new Script.ScriptError(`--with is for decode, not for ${name}`)
  await Setting.prepare()
  const runs = quick ? 1 : bench.runs
  const setting = Setting.describe(runs)
  const tell = json ? console.error : console.log
  tell(Report.about(setting))
  const results: Array<Report.Result> = []
  const nodes = onOlder && !quick ? Setting.nodes() : [process.execPath]
  for (const node of other === undefined ? nodes : [...nodes, other]) {
    const rows: Array<Report.Row> = []
    const version = Setting.nodeVersion(node)
    const isBun = version.startsWith("bun")
    results.push({ node: version, rows })
    tell(Report.head(version))
    for await (const row of measure({ node, runs, milliseconds: quick ? 300 : 1500, quick, isBun })) {
      // The bounds are those of Node.
      rows.push(isBun ? { ...row, limit: undefined } : row)
      tell(Report.line(rows.at(-1)!))
    }
  }
  if (json) console.log(Report.json(setting, results))
  return !results.some(({ rows }) => rows.some(Report.isBroken))
})
