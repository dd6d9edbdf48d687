/** The ways in which a program may get a chain. Each keeps its connection, and ends with something whose rows or columns can be read. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Columns } from "../others.ts"
import type { names } from "./cost.ts"
import { target } from "./target.ts"

/** Asks the server at an origin for a chain of so many contracts, again and again. */
export type Way = (origin: string, contracts: number) => Promise<() => Promise<unknown>>

const headers = { authorization: "Bearer bench", accept: "application/json" }

/** Fetches the text of a reply, parses it, and makes something of it. Loaded late: what is compared with fills the heap. */
const parsed = (make: (others: typeof import("../others.ts")) => (columns: Columns) => unknown): Way =>
async (
  origin,
  contracts
) => {
  const use = make(await import("../others.ts"))
  return async () => {
    const response = await fetch(origin + target(contracts), { headers })
    return use(JSON.parse(await response.text()))
  }
}

/** The client as a program has it: ledger, spans, metrics, retries and limits are on. */
const ours: Way = async (origin, contracts) => {
  const context = await Effect.runPromise(
    Layer.build(
      MarketData.layer({ baseUrl: origin, token: Redacted.make("bench") }).pipe(
        Layer.provide(CreditLedger.layerMemory({ allowance: 1e12 })),
        Layer.provide(FetchHttpClient.layer)
      )
    ).pipe(Effect.scoped)
  )
  const ask = MarketData.optionChain("SPX", { expiration: "all", strikeLimit: contracts, assume: { contracts } })
  return () => Effect.runPromiseWith(context)(ask)
}

/** The ways by name. The path of the official JavaScript SDK is: fetch, text, `JSON.parse`, a schema of Zod for the arrays, rows. */
export const ways = {
  ours,
  "fetch + JSON.parse": parsed(() => (columns) => columns),
  "the official SDK's path": parsed(({ toRows, zodColumns }) => (columns) => {
    zodColumns.parse(columns)
    return toRows(columns)
  }),
  "zod rows": parsed(({ toRows, zodRows }) => (columns) => zodRows.parse(toRows(columns))),
  "Effect Schema columns": parsed(({ schemaColumns }) => {
    const decode = schemaColumns()
    return (columns) => decode(columns)
  }),
  "Effect Schema rows": parsed(({ schemaRows, toRows }) => {
    const decode = schemaRows()
    return (columns) => decode(toRows(columns))
  }),
  "apache-arrow": parsed(({ toArrow }) => (columns) => toArrow(columns))
} satisfies Readonly<Record<(typeof names)[number], Way>>
