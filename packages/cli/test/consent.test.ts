import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { atNoon, type Place, printed } from "./support/printed.ts"

/** A service that nobody listens at: what is sent to it ends in exit code 7, and what is refused before does not. */
const nowhere = { MARKETDATA_BASE_URL: "http://127.0.0.1:9", MARKETDATA_TOKEN: "a-token-for-tests" }

const refused = 3
const sent = 7

const codeOf = async (line: string, variables: Readonly<Record<string, string>> = {}): Promise<number> =>
  (await printed(line.split(" "), { variables: { ...nowhere, ...variables } })).code

describe("consent to a price", () => {
  it("names commands that do what they say: what was typed of a flag before is replaced, before the end of the flags", async () => {
    const line = "chain --mode=live --budget 50 --expiration 2026-12-18 -- AAPL"
    const { errors } = await printed(line.split(" "), { variables: nowhere })
    const commands = errors.split("\n").slice(2).map((line) => line.trim().split("  ")[0]!)
    assert.deepEqual(commands, [
      "marketdata chain --budget 50 --expiration 2026-12-18 --mode cached -- AAPL",
      "marketdata chain --mode=live --budget 50 --expiration 2026-12-18 --strike-limit 10 -- AAPL",
      "marketdata strikes AAPL",
      "marketdata chain --mode=live --expiration 2026-12-18 --yes -- AAPL"
    ])
    for (const command of commands) assert.strictEqual(await codeOf(command.replace("marketdata ", "")), sent, command)
  })

  it("[8.2-cost-candles] counts the days of candles up to today, also where they are told from today", async () => {
    const ranges = [["--from", "20 days ago"], ["--from", "2026-11-01", "--to", "today"], ["--from", "2026-11-01"]]
    for (const range of ranges) {
      assert.strictEqual((await printed(["stock", "candles", "AAPL", ...range], { variables: nowhere })).code, sent)
    }
    assert.strictEqual(await codeOf("fund candles VFINX --from yesterday"), sent)
  })

  it("[8.3-fallback] tells the ceiling of live data as the bound, in the estimate, in the refusal and in the document", async () => {
    const line = "chain SPX --mode cached --max-age 1min --fallback-up-to 50 --dte 30"
    const { code, errors } = await printed(line.split(" "), {})
    assert.strictEqual(code, 0)
    assert.match(errors, /estimate: +0 to 50 credits/)
    assert.notInclude(errors, "no upper bound")
    const refusal = await printed(`${line} --budget 10`.split(" "), { variables: nowhere })
    assert.strictEqual(refusal.code, refused)
    assert.include(refusal.errors, "up to 50 credits")
    const document = JSON.parse((await printed(`${line} --json`.split(" "), {})).out)
    assert.deepInclude(document.answer.credits.estimate, { _tag: "Range", min: 0, max: 50 })
  })

  it("adds up what several queries cost, and takes a ceiling of live data once for each", async () => {
    const list = "stock bulk-candles AAPL MSFT SPY"
    assert.strictEqual(await codeOf(`${list} --budget 3`, { MARKETDATA_MAX_SYMBOLS: "1" }), sent)
    assert.strictEqual(await codeOf(`${list} --budget 2`, { MARKETDATA_MAX_SYMBOLS: "1" }), refused)
    const quotes = "quote AAPL261218C00350000 AAPL261218C00360000 AAPL261218C00370000 --mode cached"
    const none = { MARKETDATA_CONFIRM_ABOVE: "0" }
    assert.deepStrictEqual([await codeOf(quotes, none), await codeOf(`${quotes} --budget 3`)], [refused, sent])
    assert.strictEqual(await codeOf(`${quotes} --budget 2`), refused)
    assert.strictEqual(await codeOf(`${quotes} --fallback-up-to 1`, none), sent)
    assert.strictEqual(await codeOf(`${quotes} --fallback-up-to 0`, none), refused)
  })

  it("is charged no more than was allowed, where there are more contracts than were expected", async () => {
    for (const flags of ["--mode live", "--mode live --limit 90", "--mode cached --max-age 1min --fallback-up-to 60"]) {
      const { code, errors } = await atNoon(`chain F ${flags} --contracts 60 --budget 60`.split(" "))
      assert.match(`${code} ${errors}`, /^0 [^]*charge: +60 credits/)
    }
    assert.strictEqual(await codeOf("chain F --mode live --yes --budget 10"), refused)
  })
})

describe("consent on a terminal", () => {
  const unbounded = "chain AAPL --mode live".split(" ")
  const bounded = "chain AAPL --mode live --contracts 300".split(" ")
  const asked = (line: ReadonlyArray<string>, keys: ReadonlyArray<string>, more: Partial<Place> = {}) =>
    printed(line, { variables: nowhere, isTerminal: true, columns: Effect.succeed(200), keys, ...more })

  it("asks, with the price, what the cache costs, how to bound it and how to find out, and sends where the answer is yes", async () => {
    const { code, errors } = await asked(unbounded, [..."yes", "enter"])
    assert.strictEqual(code, sent)
    const tolds = [
      "no upper bound",
      "a  marketdata chain AAPL --mode cached                           0 to 1 credit",
      "b  marketdata chain AAPL --mode live --dte 30 --strike-limit 10",
      "c  marketdata strikes AAPL                                       1 credit: two contracts for each strike"
    ]
    for (const told of tolds) assert.include(errors, told)
  })

  it("asks with the price in the question itself, where standard error goes elsewhere", async () => {
    const drawn: Array<string> = []
    await asked(bounded, [..."n", "enter"], { drawn })
    assert.include(drawn.join(""), "AAPL may cost up to 300 credits. Type y to send it, or the letter of a command")
    // No number holds several queries without a bound.
    await asked("quote AAPL261218C00350000 AAPL261218C00360000 --date 2026-11-18".split(" "), ["n", "enter"], { drawn })
    assert.include(drawn.join(""), "it has no upper bound. Type the word yes for any price")
  })

  it.each<[string, ReadonlyArray<string>, string, number]>([
    ["y without an upper bound", unbounded, "y", refused],
    ["nothing", unbounded, "", refused],
    ["n", bounded, "n", refused],
    ["y to a bounded price", bounded, "y", sent],
    ["yes to a bounded price", bounded, "yes", sent],
    ["y to the price of each round", [...bounded, "--watch", "1s"], "y", refused],
    ["fewer credits than it may cost", bounded, "299", refused],
    ["as many credits as it may cost", bounded, "300", sent],
    ["a letter that no command has", bounded, "h", refused]
  ])("takes for an answer: %s", async (_, line, answer, code) => {
    const { code: ended, errors } = await asked(line, [...answer, "enter"])
    assert.strictEqual(ended, code)
    assert.strictEqual(errors.includes("you declined the price. Nothing was sent."), code === refused)
  })

  it("runs the command whose letter was chosen", async () => {
    const { code, out } = await printed(unbounded, { isTerminal: true, keys: ["c", "enter"], variables: {} })
    assert.strictEqual(code, 0)
    assert.match(out, /^.*20\d\d-\d\d-\d\d [A-Z][a-z]{2}.*, in \d+ days?/m)
  })

  it("holds a price without an upper bound to the credits that were typed", async () => {
    const line = [...unbounded, "--json"]
    const { code, errors } = await printed(line, { isTerminal: true, keys: [..."60", "enter"], variables: {} })
    assert.strictEqual(code, 0, errors)
  })

  it("takes no key for an answer that was pressed before the question was there", async () => {
    const { code } = await asked(unbounded, [..."no", "enter"], { typedBefore: [..."yes", "enter"] })
    assert.strictEqual(code, refused)
  })

  it("sends nothing where the question is left, and says so", async () => {
    for (const typedBefore of [[], ["ctrl-c"]]) {
      const { code, errors } = await asked(unbounded, ["ctrl-c"], { typedBefore })
      assert.strictEqual(code, 130)
      assert.match(errors, /\n\nerror: stopped\. Nothing was sent\.$/)
    }
  })

  it("does not ask where a flag has said it", async () => {
    const { code } = await asked([...unbounded, "--budget", "10"], [])
    assert.strictEqual(code, refused)
  })
})
