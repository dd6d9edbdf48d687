/** One query of each endpoint, the fields that a reply to it has, where a hostile one does most harm, and a true answer to it. */
import * as Query from "@effect-marketdata/core/Query"
import type { EndpointName } from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"

const made = <Data>(
  query: Result.Result<Query.Query<Data, undefined>, InvalidQuery>
): Query.Query<unknown, undefined> => Result.getOrThrow(query)

/** The queries by endpoint. */
const queries: { readonly [Name in EndpointName]: Query.Query<unknown, undefined> } = {
  optionChain: made(Query.optionChain("SPX")),
  optionQuote: made(Query.optionQuote("AAPL261218C00150000")),
  optionLookup: made(Query.optionLookup("AAPL 12/18/2026 150 Call")),
  optionExpirations: made(Query.optionExpirations("AAPL")),
  optionStrikes: made(Query.optionStrikes("AAPL")),
  stockQuotes: made(Query.stockQuotes(["AAPL", "MSFT"])),
  stockPrices: made(Query.stockPrices(["AAPL", "MSFT"])),
  stockCandles: made(Query.stockCandles("D", "AAPL", { countback: 5 })),
  stockBulkCandles: made(Query.stockBulkCandles(["AAPL"])),
  stockEarnings: made(Query.stockEarnings("AAPL")),
  stockNews: made(Query.stockNews("AAPL")),
  marketStatus: made(Query.marketStatus()),
  fundCandles: made(Query.fundCandles("D", "VFINX", { countback: 5 })),
  account: Query.account,
  serviceStatus: Query.serviceStatus,
  requestHeaders: Query.requestHeaders
}

/** All endpoints, and twice those whose replies may be largest: a query of few columns, so that few of them are an attack. */
export const all: ReadonlyArray<Query.Query<unknown, undefined>> = [
  ...Object.values(queries),
  made(Query.optionChain("SPX", { columns: ["bid"] })),
  made(Query.stockCandles("D", "AAPL", { countback: 5, columns: ["c"] }))
]

const fieldsOfDocuments: Readonly<Record<string, ReadonlyArray<string>>> = {
  optionLookup: ["optionSymbol"],
  optionExpirations: ["expirations", "updated"],
  optionStrikes: ["2026-12-18", "updated"],
  account: ["x-ratelimit-requests-limit", "x-options-data-permissions"],
  requestHeaders: ["accept", "user-agent"]
}

/** The query that a request asks. */
export const queryOf = (target: string): Query.Query<unknown, undefined> | undefined =>
  all.find((query) => target.endsWith(Query.target(query)))

/** The fields that a reply to a query has. */
export const fieldsOf = ({ endpoint }: Query.Query): ReadonlyArray<string> => {
  const { columns, name } = endpoint
  return [...columns.length > 0 ? columns : fieldsOfDocuments[name] ?? [], "extra"]
}

/** What the simulated service answers, to be spoilt. */
export const answers = Effect.gen(function*() {
  yield* TestClock.setTime(Date.UTC(2026, 10, 20, 17))
  const { handle } = yield* Sandbox.Sandbox
  const answers = new Map<Query.Query, string>()
  for (const query of all) {
    const request = { method: "GET", target: Query.target(query), address: "127.0.0.1" }
    const reply = yield* handle({ ...request, headers: { authorization: "Bearer sandbox-paid" } })
    answers.set(query, SandboxReply.text(reply))
  }
  return answers
}).pipe(Effect.provide(Sandbox.layer({ seed: 1 })), Effect.provide(TestClock.layer()))
