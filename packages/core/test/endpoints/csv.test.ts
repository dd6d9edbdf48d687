/** What the reply to a query for CSV is read as. */
import { DataMode, HttpRequest, Query, Reply } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import { made } from "../support/everyQuery.ts"
import { exchanges } from "../support/replies.ts"

const csvHeaders = { "content-type": "text/csv" }

/** Reads a whole reply, in pieces of seven bytes. */
const outcome = <Data>(query: Query.Query<Data>, status: number, text: string, headers = csvHeaders) => {
  const head = Reply.head({ status, headers })
  const reader = Reply.reader(query, head, { strict: true })
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 7) reader.push(bytes.subarray(at, at + 7))
  return Reply.outcome(query, head, reader.end(), { receivedAt: 1_795_208_500, tokenSent: true })
}

const delivered = <Data>(query: Query.Query<Data>, text: string, status = 200) => {
  const reply = outcome(query, status, text)
  assert(reply._tag === "Delivered")
  return reply
}

const prices = Query.asCsv(made(Query.stockPrices(["A", "B", "C"])))
const body = `symbol,mid,updated\r\nA,1.5,1795208000\r\n"B,\n""b""",,1795208100\r\nC,2,\r\n`

it("[4.5-general-params] is the text as it came, at every endpoint under /v1/", () => {
  for (const { query } of Object.values(exchanges)) {
    if (!query.path.startsWith("/v1/")) continue
    const { data, findings } = delivered(Query.asCsv(query), "a,b\r\n1,2\r\n")
    assert.strictEqual(data, "a,b\r\n1,2\r\n")
    assert.deepStrictEqual(findings, [])
  }
})

it("[4.5-general-params] costs what the same answer costs otherwise", () => {
  const chain = made(Query.optionChain("SPX"))
  const rows = `strike,bid\n${"100,1\n".repeat(1001)}`
  assert.strictEqual(delivered(Query.asCsv(chain), rows).charge.computed, 1001)
  assert.strictEqual(delivered(Query.withMode(Query.asCsv(chain), DataMode.cached()), rows, 203).charge.computed, 1)
  assert.strictEqual(delivered(Query.asCsv(made(Query.stockCandles("D", "A"))), rows).charge.computed, 2)
  assert.strictEqual(delivered(Query.asCsv(made(Query.stockNews("A"))), rows).charge.computed, 1)
  // Of quotes those are paid for that have a price: B has none.
  const { charge, provenance } = delivered(prices, body)
  assert.strictEqual(charge.computed, 2)
  assert.deepStrictEqual(provenance.updated, { oldest: 1_795_208_000, newest: 1_795_208_100 })
  // Without the price nobody can tell which of them had one.
  const { credits, uncertain } = delivered(prices, "symbol\nA\nB\n").charge
  assert.deepStrictEqual([credits, uncertain], [0, 2])
})

it("[4.5-general-params] of several batches is one text with one line of names, in the order of the query", () => {
  const batches = made(HttpRequest.batches(prices, { baseUrl: "https://api.test", maxSymbols: 1 }))
  assert.deepStrictEqual(batches.map(({ request }) => request.target), [
    "/v1/stocks/prices/?symbols=A&format=csv",
    "/v1/stocks/prices/?symbols=B&format=csv",
    "/v1/stocks/prices/?symbols=C&format=csv"
  ])
  const [first, ...others] = batches.map(({ query }) => delivered(query, `symbol,mid\r\n${query.tickers[0]},"1,5"\r\n`))
  assert.strictEqual(Reply.join(prices, [first!, ...others]).data, `symbol,mid\r\nA,"1,5"\r\nB,"1,5"\r\nC,"1,5"\r\n`)
})

it("[4.5-general-params] explains a refusal as JSON does", () => {
  const reason = (status: number, text: string) => {
    const reply = outcome(prices, status, text)
    assert(reply._tag === "Refused")
    return reply.reason
  }
  const error = (words: string) => `s,errmsg\r\nerror,${words}\r\n`
  assert.deepInclude(reason(400, error("No such column.")), { _tag: "BadRequest", body: "No such column." })
  const dated = reason(400, error("Invalid date. The date parameter is used for historical queries only."))._tag
  assert.strictEqual(dated, "InvalidDate")
  const noData = reason(404, `s,nextTime,prevTime\r\nno_data,,1795208000\r\n`)
  assert.deepInclude(noData, { _tag: "NotFound", cause: "NoData", prevTime: 1_795_208_000 })
  const blocked = reason(403, `s,errmsg,authorizedIP,blockedIP\r\nerror,Wait.,10.0.0.1,10.0.0.2\r\n`)
  assert.deepInclude(blocked, { _tag: "AddressBlocked", authorizedIP: "10.0.0.1" })
  for (const text of ["", "a,b", `"`, "no table, only words"]) {
    assert.strictEqual(reason(404, text)._tag, "NotFound", text)
  }
})
