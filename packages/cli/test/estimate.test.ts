import { Effect, Schema } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import * as Document from "./support/documents.ts"
import { marketdata } from "./support/printed.ts"

const documentOf = (line: string) =>
  Effect.map(marketdata(`estimate ${line} --json`), ({ code, errors, out }) => {
    assert.strictEqual(code, 0, errors)
    assert.strictEqual(errors, "")
    return Schema.decodeUnknownSync(Document.Estimated)(JSON.parse(out))
  })

it.effect("[8.1-batches] says how many requests a long list takes", function*() {
  const symbols = Array.from({ length: 1100 }, (_, index) => `S${index}`)
  const { requests } = yield* documentOf(`stock prices ${symbols.join(" ")} --mode cached`)
  assert.strictEqual(requests, 3)
  const fewer = yield* marketdata(`estimate stock prices ${symbols.join(" ")} --mode cached`, {
    variables: { MARKETDATA_MAX_SYMBOLS: "100" }
  })
  assert.match(fewer.out, /^requests: +11 each time$/m)
  assert.match(fewer.out, /0 to 11 +8\.2-cost-quotes/)
})

const queries = "chain SPX, chain SPX --expiration all, chain SPX --date 2026-11-19, stock bulk-candles --all, " +
  "stock candles AAPL --resolution 5 --from 2026-01-02, stock quote AAPL MSFT SPY, fund candles VFINX --from 1990-01-02"

it.effect.each(queries.split(", "))(
  "a budget for %s covers what it says and not one more, and its ways fit it",
  function*(line) {
    for (const credits of [1, 7, 500, 5000]) {
      const { budget } = yield* documentOf(`${line} --budget ${credits}`)
      if (budget === undefined) return assert.fail("there is no budget")
      const { covers, ways } = budget
      const most = (flags: string) => Effect.map(documentOf(`${line} ${flags}`), ({ cost }) => cost.max)
      if (covers !== undefined && covers.count > 0 && covers.count < Infinity) {
        assert.isAtMost(yield* most(`--${covers.unit} ${covers.count}`), credits)
        assert.isAbove(yield* most(`--${covers.unit} ${covers.count + 1}`), credits)
      }
      for (const { flags, without } of ways) {
        // A flag that is there already takes another value.
        const left = [...without, ...flags.split(" ").filter((word) => word.startsWith("--"))]
        const narrower = `${left.reduce((line, name) => line.replace(new RegExp(`${name} \\S+`), ""), line)} ${flags}`
        assert.isAtMost((yield* documentOf(narrower)).cost.max, credits, flags)
      }
    }
  }
)
