/** The ways in which a program may get a chain. Each keeps its connection, and ends with something whose rows or columns can be read. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Caller from "../caller.ts"
import type { Cost, Works } from "../beside.ts"
import { collecting, peak } from "../memory.ts"
import type { Columns } from "../others.ts"
import * as Replies from "../replies.ts"
import { median } from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

/** Calls again and again, one after another. The first third of the time only warms up. */
const cost = async (call: () => Promise<unknown>, milliseconds: number): Promise<Cost> => {
  const warm = performance.now() + milliseconds / 3
  while (performance.now() < warm) await call()
  const before = process.cpuUsage()
  const times: Array<number> = []
  const collector = await collecting(async () => {
    const end = performance.now() + milliseconds
    while (performance.now() < end || times.length < 5) {
      const start = performance.now()
      await call()
      times.push(performance.now() - start)
    }
  })
  const { system, user } = process.cpuUsage(before)
  return {
    milliseconds: median(times),
    processor: (system + user) / 1000 / times.length,
    collector: collector / times.length,
    megabytes: peak() / 1024 / 1024
  }
}

/** Fetches the text of a reply, parses it, and makes something of it. Loaded late: what is compared with fills the heap. */
const parsed =
  (make: (others: typeof import("../others.ts")) => (columns: Columns) => unknown) =>
  async (port = "0", contracts = "0", milliseconds = "0") => {
    const use = make(await import("../others.ts"))
    const call = async () => {
      const response = await fetch(Targets.origin(port) + Targets.chain(Number(contracts)), {
        headers: Targets.headers
      })
      return use(JSON.parse(await response.text()))
    }
    return cost(call, Number(milliseconds))
  }

const ours = async (port = "0", contracts = "0", milliseconds = "0"): Promise<Cost> => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(Caller.client(port))))
  return cost(() => Effect.runPromiseWith(context)(Caller.chain(Number(contracts))), Number(milliseconds))
}

// The path of the official JavaScript SDK is: fetch, text, `JSON.parse`, a schema of Zod for the arrays, rows.
await answer(
  {
    serve: (coding = "plain") => Replies.serve(coding),
    ours,
    "fetch + JSON.parse": parsed(() => (columns) => columns),
    "the official SDK's path": parsed(({ toRows, zodColumns }) => (columns) => {
      zodColumns.parse(columns)
      return toRows(columns)
    }),
    "zod rows": parsed(({ toRows, zodRows }) => (columns) => zodRows.parse(toRows(columns))),
    "Effect Schema columns": parsed(({ schemaColumns }) => schemaColumns()),
    // The compiler of schemas, once switched on, stays on.
    "Effect Schema columns, compiled": async (...args) => {
      await import("effect/schema/SchemaJITCompiler/enable")
      return parsed(({ schemaColumns }) => schemaColumns())(...args)
    },
    "Effect Schema rows": parsed(({ schemaRows, toRows }) => {
      const decode = schemaRows()
      return (columns) => decode(toRows(columns))
    }),
    "apache-arrow": parsed(({ toArrow }) => toArrow)
  } satisfies Works
)
