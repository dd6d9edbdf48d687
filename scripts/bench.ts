/**
 * `npm run bench -- NAME`: measures, and holds what it measures to its limits. Each bench is a module of scripts/bench.
 *
 *     npm run bench -- decode [--json] [--markdown] [--quick] [--node20 PATH] [--stages]
 *     npm run bench -- sandbox [--json] [--markdown] [--quick]
 *     npm run bench -- call [--json] [--markdown] [--quick]
 *     npm run bench -- beside [--json] [--markdown] [--quick]
 *     npm run bench -- start [--json] [--markdown] [--quick]
 */
import { parseArgs } from "node:util"

const benches: ReadonlyMap<string, () => Promise<{ readonly run: (options: Options) => Promise<boolean> }>> = new Map([
  ["decode", () => import("./bench/decode.ts")],
  ["sandbox", () => import("./bench/sandbox.ts")],
  ["call", () => import("./bench/call.ts")],
  ["beside", () => import("./bench/beside.ts")],
  ["start", () => import("./bench/start.ts")]
])

/** How to measure, and how to say it. `node20` is a second Node to measure with; `stages` says where the time goes instead. */
export interface Options {
  readonly json: boolean
  readonly markdown: boolean
  readonly quick: boolean
  readonly node20: string | undefined
  readonly stages: boolean
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    node20: { type: "string" },
    stages: { type: "boolean", default: false }
  }
})
const [name = "decode"] = positionals
const load = benches.get(name)
if (load === undefined) {
  console.error(`There is no bench ${name}; there are ${[...benches.keys()].join(", ")}.`)
  process.exit(2)
}
const { run } = await load()
const holds = await run({ ...values, node20: values.node20 })
process.exit(holds ? 0 : 1)
