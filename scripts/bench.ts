/** `npm run bench`: measures, and holds what it measures to its limits. */
import * as Argument from "effect/cli/Argument"
import * as Report from "./bench/report.ts"
import * as Setting from "./bench/setting.ts"
import * as Script from "./shared/script.ts"

const benches = {
  decode: async () => (await import("./bench/decode.ts")).decode,
  sandbox: async () => (await import("./bench/sandbox.ts")).sandbox,
  call: async () => (await import("./bench/pairs.ts")).call,
  cache: async () => (await import("./bench/pairs.ts")).cache,
  cluster: async () => (await import("./bench/pairs.ts")).cluster,
  export: async () => (await import("./bench/export.ts")).exporting,
  ledger: async () => (await import("./bench/pairs.ts")).ledger,
  stalls: async () => (await import("./bench/pairs.ts")).stalls,
  start: async () => (await import("./bench/pairs.ts")).start,
  volatility: async () => (await import("./bench/volatility.ts")).volatility,
  profile: async () => (await import("./bench/profile.ts")).profile,
  mcp: async () => (await import("./bench/mcp.ts")).mcp,
  cli: async () => (await import("./bench/cli.ts")).cli
} satisfies Readonly<Record<string, () => Promise<Report.Bench>>>

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
  const { measure, onOlder = false, ...bench } = await benches[name]()
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
