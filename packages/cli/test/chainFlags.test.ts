import { assert, describe, it } from "@effect/vitest"
import { printed } from "./support/printed.ts"

/** The query that a command line makes, without asking it. */
const queryOf = async (...words: ReadonlyArray<string>): Promise<Readonly<Record<string, unknown>>> => {
  const { code, errors, out } = await printed(["estimate", ...words, "--format", "json"])
  assert.strictEqual(errors, "")
  assert.strictEqual(code, 0)
  return JSON.parse(out).queries[0]
}

const parametersOf = async (...flags: ReadonlyArray<string>): Promise<unknown> =>
  (await queryOf("chain", "SPX", ...flags))["parameters"]

describe("the filters of a chain are flags", () => {
  const cases: ReadonlyArray<readonly [flags: ReadonlyArray<string>, parameters: object]> = [
    [["--expiration", "2026-12-18"], { expiration: "2026-12-18" }],
    [["--expiration", "all"], { expiration: "all" }],
    [["--dte", "30"], { dte: 30 }],
    [["--month", "12", "--year", "2026"], { month: 12, year: 2026 }],
    [["--from", "2026-12-01", "--to", "2026-12-31"], { from: "2026-12-01", to: "2026-12-31" }],
    [["--weekly", "--monthly"], { weekly: true, monthly: true }],
    [["--no-quarterly"], { quarterly: false }],
    [["--side", "put", "--range", "otm"], { side: "put", range: "otm" }],
    [["--strike", "6500"], { strike: 6500 }],
    [["--strike", "6500,6510.5"], { strike: "6500,6510.5" }],
    [["--strike", "6500-6600"], { strike: "6500-6600" }],
    [["--strike", ">=6500"], { strike: ">=6500" }],
    [["--strike", "< 6500"], { strike: "<6500" }],
    [["--delta", "0.2-.8"], { delta: "0.2-0.8" }],
    [["--strike-limit", "10"], { strikeLimit: 10 }],
    [["--min-bid", "0.5", "--max-bid", "5"], { minBid: 0.5, maxBid: 5 }],
    [["--min-ask", "0.5", "--max-ask", "5"], { minAsk: 0.5, maxAsk: 5 }],
    [["--max-bid-ask-spread", "0.1"], { maxBidAskSpread: 0.1 }],
    [["--max-bid-ask-spread-pct", "0.005"], { maxBidAskSpreadPct: 0.005 }],
    [["--min-open-interest", "100", "--min-volume", "10"], { minOpenInterest: 100, minVolume: 10 }],
    [["--nonstandard"], { nonstandard: true }],
    [["--am", "--no-pm"], { am: true, pm: false }],
    [["--limit", "100", "--offset", "200"], { limit: 100, offset: 200 }],
    [["--date", "2026-11-19"], { date: "2026-11-19" }]
  ]
  for (const [flags, parameters] of cases) {
    it(flags.join(" "), async () => assert.deepEqual(await parametersOf(...flags), { ...parameters }))
  }

  it("--columns and --contracts", async () => {
    const query = await queryOf("chain", "SPX", "--columns", "strike, bid", "--contracts", "300")
    assert.deepEqual(query["columns"], ["strike", "bid"])
    assert.deepEqual(query["assume"], { contracts: 300 })
  })
})

describe("what bounds a price", () => {
  const boundOf = async (...flags: ReadonlyArray<string>): Promise<unknown> => {
    const { out } = await printed(["estimate", "chain", "SPX", "--mode", "live", ...flags, "--json"])
    return JSON.parse(out).cost.max
  }

  it("[4.1-cost-live] a limit is the service's promise, and one expiration and its strikes bound it as well", async () => {
    assert.strictEqual(await boundOf(), "Infinity")
    assert.strictEqual(await boundOf("--limit", "7"), 7)
    assert.strictEqual(await boundOf("--dte", "30", "--strike", "6500", "--side", "put", "--pm", "--no-am"), 1)
    assert.isBelow((await boundOf("--dte", "30", "--strike-limit", "10")) as number, 100)
  })
})
