/** What is said of a command line that cannot be read: what was probably meant, ready to be typed. */
import { assert, describe, it } from "@effect/vitest"
import { printed } from "./support/printed.ts"

/** Command lines, and the line that says what to type instead. */
const meant: ReadonlyArray<readonly [string, string]> = [
  ["chian AAPL", "did you mean chain?"],
  ["candles AAPL", "did you mean `marketdata stock candles` or `marketdata fund candles`?"],
  ["login", "did you mean `marketdata auth login`?"],
  ["AAPL", "did you mean `marketdata chain AAPL`?"],
  ["estimate SPX", "did you mean `marketdata estimate chain SPX`?"],
  ["AAPL26121C150", "did you mean `marketdata symbol explain AAPL26121C150`?"],
  ["symbol AAPL261218C00150000", "did you mean `marketdata symbol explain AAPL261218C00150000`?"],
  ["help chain", "did you mean `marketdata --help`?"],
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

describe("a flag", () => {
  it("says in the help what holds where it is left out", async () => {
    assert.match((await printed(["stock", "candles", "--help"])).out, /--resolution, .*; D where it is left out/)
    assert.match((await printed(["sandbox", "--help"])).out, /--profile .*; contract where it is left out/)
  })

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
