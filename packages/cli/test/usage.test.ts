/** What is said of a command line that cannot be read: what was probably meant, ready to be typed. */
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Failure from "../src/failure/failure.ts"
import { printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

describe("the format of a failure", () => {
  const folder = Started.folder()

  /** Mistakes of the line, of a query, of a price. */
  const lines = ["nope", "chain AAPL --strke-limit 3", "chain AAPL --month 13", "chain AAPL --mode live"]

  for (const format of ["json", "jsonl"]) {
    it(`is JSON where the setting is ${format}, whatever went wrong`, async () => {
      writeFileSync(join(folder, "config.yaml"), `format: ${format}\n`)
      for (const variables of [{ MARKETDATA_FORMAT: format }, { MARKETDATA_CONFIG: join(folder, "config.yaml") }]) {
        for (const line of lines) {
          const { code, errors, out } = await printed(line.split(" "), { variables })
          assert.strictEqual(out, "")
          assert.deepNestedInclude(JSON.parse(errors), { version: 1, "error.code": code })
          assert.notStrictEqual(code, 0)
        }
      }
    })
  }

  it("is that of the flag where there is one, and text where settings are wrong", async () => {
    for (const flag of ["--format table", "--format=csv"]) {
      const { errors } = await printed(`chain AAPL --month 13 ${flag}`.split(" "), {
        variables: { MARKETDATA_FORMAT: "json" }
      })
      assert.match(errors, /^error: --month 13 must be/)
    }
    assert.match((await printed(["nope"], { variables: { MARKETDATA_FORMAT: "jsn" } })).errors, /^error: Unknown/)
  })
})

describe("a message", () => {
  it("proposes nothing for what only follows from the mistake that it tells", async () => {
    const { errors } = await printed("estimate chain SPX --fresh-within -5min".split(" "))
    assert.strictEqual(
      errors.trimEnd(),
      "error: Missing value for flag --fresh-within. Expected: DURATION\n       see `marketdata estimate chain --help`"
    )
  })

  const inCode = /option(?:Chain|Quote)|stock(?:Quotes|Prices)|CreditLedger|CacheFallback|DataMode|assume|maxAge|\{ /

  it("says what is left of a budget, and how to allow more", () => {
    const advice = { options: { mode: "cached", assume: { contracts: 100 } }, cost: 1 }
    const budget = (cause: "NoAllowance" | "Unbounded" | "Insufficient") =>
      new CreditBudgetExceeded({ cause, bound: 10, available: 5, advice: [advice] })
    const declined = [
      new FallbackDeclined({ price: 30, ceiling: 10 }),
      new FallbackDeclined({ price: undefined, ceiling: 10, advice: [advice] }),
      new FallbackDeclined({ price: 30, ceiling: 10, charged: 5, uncertain: 2 })
    ]
    for (const reason of [budget("NoAllowance"), budget("Unbounded"), budget("Insufficient"), ...declined]) {
      // A name that holds full stops is not a sentence.
      const { message, next } = Failure.of(
        new MarketDataError({ query: "optionLookup AAPL Dec. 18 2026. 350 call", reason, trace: [] })
      )
      assert.match(message, /^lookup AAPL Dec\. 18 2026\. 350 call: [^.]+\. [^.]+\.$/)
      assert.notMatch(message, inCode)
      assert.match(next ?? "", /--(?:budget|fallback-up-to) CREDITS/)
    }
  })
})
