/** What is said of a command line that cannot be read: what was probably meant, ready to be typed. */
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Failure from "../src/failure/failure.ts"
import { printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

/** Command lines, and the line that says what to type instead. */
const meant: ReadonlyArray<readonly [string, string]> = [
  ["chian AAPL", "did you mean chain?"],
  ["candles AAPL", "did you mean `marketdata stock candles` or `marketdata fund candles`?"],
  ["login", "did you mean `marketdata auth login`?"],
  ["AAPL", "did you mean `marketdata chain AAPL`?"],
  ["estimate SPX", "did you mean `marketdata estimate chain SPX`?"],
  ["AAPL26121C150", "did you mean `marketdata symbol explain AAPL26121C150`?"],
  ["symbol AAPL261218C00150000", "did you mean `marketdata symbol explain AAPL261218C00150000`?"],
  ["estimate chain SPX --every 1min", "did you mean --when?"],
  ["chain SPX --every 1min", "did you mean --watch?"],
  ["chain AAPL --expiry 2026-12-18", "did you mean --expiration?"],
  ["stock candles AAPL --last 20", "did you mean --countback?"],
  ["chain AAPL --strke-limit 3", "did you mean --strike-limit?"],
  ["chain AAPL --jsn", "did you mean --json?"],
  ["chain AAPL --lgo-level all", "did you mean --log-level?"],
  // A word for a flag that this command has not is none that was meant.
  ["lookup AAPL --every 1min", "see `marketdata lookup --help`"],
  ["--mode live chain AAPL", "flags stand after the command that they are for"]
]

describe("a command line that cannot be read", () => {
  for (const [line, expected] of meant) {
    it(`${line}: ${expected}`, async () => {
      const { code, errors, out } = await printed(line.split(" "))
      assert.strictEqual(code, 2)
      assert.strictEqual(out, "")
      assert.include(errors.split("\n")[1], expected)
    })
  }
})

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
  const inCode = /option(?:Chain|Quote)|stock(?:Quotes|Prices)|CreditLedger|CacheFallback|DataMode|assume|maxAge|\{ /

  it("names commands and flags, and nothing of the library", async () => {
    const expected: ReadonlyArray<readonly [string, RegExp]> = [
      ["chain AAPL --strike 340-330", /^error: --strike 340-330 must go from the smaller number .*, e\.g\. 330-340\./],
      [
        "stock candles AAPL --from 2026-11-20 --to 2026-11-19",
        /^error: --from "2026-11-20" must not be after --to \(2026-11-19\)/
      ],
      ["chain --mode cached", /^error: no underlying is named, e\.g\. `marketdata chain SPX`/],
      ["chain AAPL --limit abc", /^error: Invalid value for flag --limit: "abc"\. Expected a number, e\.g\. 50$/m],
      ["chain ZZZZ --mode cached", /error: chain ZZZZ: the service knows no such symbol/]
    ]
    for (const [line, told] of expected) {
      const { errors } = await printed(line.split(" "))
      assert.match(errors, told)
      assert.notMatch(errors, inCode)
    }
  })

  it("says what is left of a budget, and how to allow more", () => {
    const budget = (cause: "NoAllowance" | "Unbounded" | "Insufficient") =>
      new CreditBudgetExceeded({ cause, bound: 10, available: 5, advice: ["assume: { contracts: 100 }"] })
    const declined = [
      new FallbackDeclined({ price: 30, ceiling: 10 }),
      new FallbackDeclined({ price: undefined, ceiling: 10, advice: ["mode: DataMode.cached()"] }),
      new FallbackDeclined({ price: 30, ceiling: 10, charged: 5, uncertain: 2 })
    ]
    for (const reason of [budget("NoAllowance"), budget("Unbounded"), budget("Insufficient"), ...declined]) {
      // A name that holds full stops is no sentence.
      const { message, next } = Failure.of(
        new MarketDataError({ query: "optionLookup AAPL Dec. 18 2026. 350 call", reason, trace: [] })
      )
      assert.match(message, /^lookup AAPL Dec\. 18 2026\. 350 call: [^.]+\. [^.]+\.$/)
      assert.notMatch(message, inCode)
      assert.match(next ?? "", /--(?:budget|fallback-up-to) CREDITS/)
    }
  })
})

describe("a flag", () => {
  it("-v is the version of the program, and nothing else", async () => {
    assert.match((await printed(["-v"])).out, /^marketdata v/)
    assert.notMatch((await printed(["chain", "--help"])).out, /--verbose, -v/)
  })

  it("of a day is not needed where the day is named", async () => {
    const { code, out } = await printed(["market", "status", "2026-12-25", "--format", "csv"])
    assert.strictEqual(code, 0)
    assert.include(out, "closed")
    const both = await printed(["market", "status", "2026-12-25", "--date", "2026-12-24"])
    assert.strictEqual(both.code, 2)
    assert.include(both.errors, "--date \"2026-12-24\" cannot be combined with the day 2026-12-25")
  })
})

describe("a flag that would do nothing", () => {
  it("is refused before anything is sent, with what it needs", async () => {
    const { code, errors } = await printed("chain AAPL --mode cached --columns strike,bid --strikes 2".split(" "))
    assert.strictEqual(code, 2)
    assert.include(errors, "--strikes 2 needs the option symbols")
    assert.include(errors, "--columns optionSymbol,strike,bid --strikes 2. Nothing was sent.")
  })

  it("names the true rule of an age that is too short", async () => {
    const { errors } = await printed("stock prices AAPL --mode cached --max-age 5s".split(" "))
    assert.include(errors, `--max-age "5s" must be at least a minute`)
  })
})
