import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { marketdata } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const baseUrl = await Started.sandbox()

describe("marketdata chain", () => {
  it.effect("shows the whole chain from the cache of the embedded sandbox, for one credit: data here, what they came to there", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* marketdata("chain SPX --expiration all --mode cached")
      assert.strictEqual(code, 0)
      assert.match(out, /^SPX: 22,718 contracts/)
      assert.notInclude(out, "charge")
      assert.include(errors, "the embedded sandbox at http://127.0.0.1:")
      assert.match(errors, /provenance: the service's cache \(status 203\), asked as cached/)
      assert.strictEqual(errors.match(/^estimate: {3}0 to 1 credit$/gm)?.length, 1)
      assert.include((yield* marketdata("chain F --mode cached --verbose")).errors, "findings:   none")
      assert.match(errors, /freshness: {2}real-time, newest quote 2026-11-20 1[12]:\d\d:00 EST/)
      assert.match(
        errors,
        /charge: {5}1 credit, as the service reported$/
      )
    }))

  it.effect("has other prices with another seed, and the same with the same", () =>
    Effect.gen(function*() {
      const price = (seed: number) =>
        Effect.map(
          marketdata(`chain F --mode cached --seed ${seed}`),
          ({ out }) => /underlying at ([\d.]+)/.exec(out)?.[1]
        )
      assert.isDefined(yield* price(1))
      assert.strictEqual(yield* price(1), yield* price(1))
      assert.notStrictEqual(yield* price(1), yield* price(2))
    }))

  it.effect("shows the request line that was sent", () =>
    Effect.gen(function*() {
      const { errors } = yield* marketdata("chain AAPL --mode cached --max-age 1h --side put --verbose")
      assert.include(
        errors,
        "sent:       GET /v1/options/chain/AAPL/?side=put&mode=cached&maxage=1h HTTP/1.1 → status 203, 1 credit"
      )
    }))

  it.effect("leaves standard error to failures alone where lines of JSON are read, as with --json", () =>
    Effect.gen(function*() {
      for (const format of ["json", "jsonl"]) {
        const done = yield* marketdata(`chain AAPL --mode cached --verbose --format ${format}`)
        assert.deepStrictEqual([done.code, done.errors], [0, ""])
        const failed = yield* marketdata(`chain NONE --mode cached --format ${format}`)
        assert.strictEqual(failed.code, 4)
        assert.strictEqual(JSON.parse(failed.errors).error.code, 4)
      }
    }))

  it.effect("prints a row a contract as CSV and as lines of JSON", () =>
    Effect.gen(function*() {
      const asCsv = yield* marketdata("chain AAPL --mode cached --format csv")
      const [head = "", ...rows] = asCsv.out.split("\n")
      assert.match(head, /^optionSymbol,underlying,expiration,side,strike,/)
      const asLines = (yield* marketdata("chain AAPL --mode cached --format jsonl")).out.split("\n")
      assert.strictEqual(asLines.length, rows.length)
      assert.hasAllKeys(JSON.parse(asLines[0]!), head.split(","))
      assert.include(asCsv.errors, "charge:     1 credit")
    }))

  it.effect("says without a token where to get one", () =>
    Effect.gen(function*() {
      const { errors } = yield* marketdata("chain SPX --yes", { variables: { MARKETDATA_BASE_URL: baseUrl } })
      assert.match(errors, /^error: .*requires a token.*dashboard/m)
    }))
})

describe("marketdata chain --reply", () => {
  const saved = (text: string) =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped({ suffix: ".json" })
      yield* files.writeFileString(file, text)
      return yield* marketdata(`chain --reply ${file}`)
    }).pipe(Effect.provide(NodeServices.layer))

  it.effect("shows a partial reply, with every finding", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* saved(
        `{"s":"ok","optionSymbol":["AAPL261218C00150000"],"strike":[155],"bid":[1],"rho":[0]}`
      )
      assert.strictEqual(code, 0)
      assert.include(out, "1 contract, 1 expiration")
      assert.include(errors, "UnknownField in rho")
      assert.include(errors, "MissingColumn in ask")
      assert.include(errors, "StrikeMismatch in strike: row 0: expected 150, received 155")
    }))

  it.effect("lists rows that have no option symbol", () =>
    Effect.gen(function*() {
      const { out } = yield* saved(`{"s":"ok","strike":[150,155],"last":[1.5,null]}`)
      assert.match(out, /strike +last\n150\.00 +1\.50\n155\.00 +-/)
    }))

  const broken: ReadonlyArray<readonly [string, string, string]> = [
    [
      "ragged columns",
      `{"s":"ok","optionSymbol":["AAPL261218C00150000"],"strike":[150,155]}`,
      "LengthMismatch in column strike"
    ],
    ["no data", `{"s":"no_data","nextTime":null}`, `its status is "no_data"`],
    ["a page", "<html><h1>Bad Gateway</h1></html>", "it says: Bad Gateway"],
    ["another resource", `{"s":"ok","symbol":["AAPL"],"bid":[1]}`, "not an option chain, but a reply with symbol, bid"],
    ["nothing", "", "an empty body"]
  ]
  for (const [name, text, says] of broken) {
    it.effect(`says what is wrong with ${name}`, () =>
      Effect.gen(function*() {
        const { code, errors } = yield* saved(text)
        assert.strictEqual(code, 2)
        assert.include(errors, says)
      }))
  }
})
