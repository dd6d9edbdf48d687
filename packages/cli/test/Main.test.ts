import * as Main from "@effect-marketdata/cli/Main"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as TestConsole from "effect/testing/TestConsole"
import * as Fs from "node:fs"
import * as Path from "node:path"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

/** Runs the command line on Friday at noon, with these variables set and no others; gives what it printed and whether it failed. */
const marketdata = (command: string, variables: Record<string, string> = {}) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(noon * 1000)
    const before = { out: (yield* TestConsole.logLines).length, errors: (yield* TestConsole.errorLines).length }
    const result = yield* Effect.result(Main.run(command.split(" ")))
    return {
      failed: result._tag === "Failure",
      out: (yield* TestConsole.logLines).slice(before.out).join("\n"),
      errors: (yield* TestConsole.errorLines).slice(before.errors).join("\n")
    }
  }).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1, base: 1, cap: 1 })),
    Effect.provide(Layer.merge(NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))))
  )

describe("marketdata chain", () => {
  it.effect("shows the whole chain from the cache of the embedded sandbox, for one credit", () =>
    Effect.gen(function*() {
      const { failed, out } = yield* marketdata("chain SPX --expiration all --mode cached")
      assert.strictEqual(failed, false)
      assert.include(out, "the embedded sandbox at http://127.0.0.1:")
      assert.include(out, "SPX: 22,718 contracts")
      assert.match(out, /provenance: the service's cache \(status 203\), asked as cached/)
      assert.match(out, /freshness: {2}real-time, newest quote 2026-11-20 1[12]:\d\d:00 EST/)
      assert.match(out, /estimate: {3}0 to 1 credit\ncharge: {5}1 credit, as the service reported\nfindings: {3}none/)
    }))

  it.effect("says that live data have no upper bound, and charges what came back", () =>
    Effect.gen(function*() {
      const { out } = yield* marketdata("chain SPX --expiration all --mode live")
      assert.include(out, "estimate:   at least 1 credit, no upper bound")
      assert.include(out, "charge:     22,718 credits")
    }))

  it.effect("knows the price of live data once the count is stated", () =>
    Effect.gen(function*() {
      const { out } = yield* marketdata("chain SPX --expiration all --mode live --contracts 22718 --budget 22718")
      assert.include(out, "estimate:   exactly 22,718 credits")
      assert.include(out, "charge:     22,718 credits")
    }))

  it.effect("has other prices with another seed, and the same with the same", () =>
    Effect.gen(function*() {
      const price = (seed: number) =>
        Effect.map(
          marketdata(`chain AAPL --seed ${seed}`),
          ({ out }) => /underlying at ([\d.]+)/.exec(out)?.[1]
        )
      assert.isDefined(yield* price(1))
      assert.strictEqual(yield* price(1), yield* price(1))
      assert.notStrictEqual(yield* price(1), yield* price(2))
    }))

  it.effect("shows the request line that was sent", () =>
    Effect.gen(function*() {
      const { out } = yield* marketdata("chain AAPL --mode cached --max-age 1h --side put --verbose")
      assert.include(
        out,
        "sent:       GET /v1/options/chain/AAPL/?side=put&mode=cached&maxage=1h HTTP/1.1 → status 203, 1 credit"
      )
    }))

  it.effect("prints the whole answer as JSON, and nothing else on standard output", () =>
    Effect.gen(function*() {
      const { out } = yield* marketdata("chain AAPL --mode cached --json")
      const answer = JSON.parse(out)
      assert.strictEqual(answer.data.s, "ok")
      assert.strictEqual(answer.data.strike.length, answer.data.bid.length)
      assert.strictEqual(answer.credits.charged, 1)
      assert.strictEqual(answer.provenance.status, 203)
      assert.strictEqual(answer.freshness.class, "realTime")
    }))

  it.effect("goes live after a miss only with consent to its price", () =>
    Effect.gen(function*() {
      const past = "chain F --mode cached --max-age 1min"
      const declined = yield* marketdata(`${past} --fallback-up-to 5`)
      assert.strictEqual(declined.failed, true)
      assert.include(declined.errors, "--contracts COUNT")
      const agreed = yield* marketdata(`${past} --fallback-up-to 5000 --contracts 5000`)
      assert.include(agreed.out, "asked as live after a cached miss")
    }))
})

describe("failures", () => {
  const token = "a-secret-token"

  const cases: ReadonlyArray<readonly [name: string, command: string, Record<string, string>, says: RegExp]> = [
    ["an unknown symbol", "chain ZZZZ", {}, /^error: optionChain ZZZZ: .*Symbol not found.*Check symbol/],
    ["a malformed symbol", "chain SP/X", {}, /^error: .*"SP\/X".*a ticker of 1 to 32 letters/],
    ["no symbol", "chain", {}, /^error: .*must be an underlying, e\.g\. marketdata chain SPX\. Nothing was sent/],
    ["cached data on a free plan", "chain SPX --mode cached --plan free", {}, /^error: .*Leave the mode out/],
    [
      "a budget too small",
      "chain SPX --mode live --contracts 22718 --budget 100",
      {},
      /^error: .*may cost 22718 credits.*100 left/
    ],
    [
      "a price without bound under a budget",
      "chain SPX --mode live --budget 100",
      {},
      /^error: .*no upper bound.*--contracts COUNT/
    ],
    [
      "an age without cached data",
      "chain SPX --max-age 5min",
      {},
      /^error: .*for cached data only.*--mode cached --max-age 5min/
    ],
    [
      "consent without cached data",
      "chain SPX --fallback-up-to 5",
      {},
      /^error: .*for cached data only.*--mode cached --fallback-up-to 5/
    ],
    ["an age under a minute", "chain SPX --mode cached --max-age 0min", {}, /^error: .*must be at least a minute/],
    ["today as a past day", "chain SPX --date 2026-11-20", {}, /^error: .*be before today in New York/],
    [
      "a service that is not there",
      "chain SPX",
      { MARKETDATA_BASE_URL: "http://127.0.0.1:9", MARKETDATA_TOKEN: token },
      /^error: .*could not be reached.*Check the base URL/
    ],
    [
      "plain http to another machine",
      "chain SPX",
      { MARKETDATA_BASE_URL: "http://service.test", MARKETDATA_TOKEN: token },
      /^error: .*must be https where MARKETDATA_TOKEN is sent/
    ],
    [
      "a token in braces",
      "chain SPX",
      { MARKETDATA_BASE_URL: "http://127.0.0.1:9", MARKETDATA_TOKEN: `{${token}}` },
      /^error: token|^error: .*braces/
    ],
    [
      "a base URL that ends in /v1",
      "chain SPX",
      { MARKETDATA_BASE_URL: "https://service.test/v1" },
      /^error: .*must not end in \/v1.*"MARKETDATA_BASE_URL"/
    ],
    ["a file that is not there", "chain --from nowhere.json", {}, /^error: nowhere\.json: /]
  ]
  for (const [name, command, variables, says] of cases) {
    it.effect(`${name}: one message that says what to do, and no token`, () =>
      Effect.gen(function*() {
        const { errors, failed, out } = yield* marketdata(command, variables)
        assert.strictEqual(failed, true)
        assert.match(errors, says)
        assert.strictEqual(errors.split("\n").length, 1)
        assert.notInclude(out + errors, token)
      }))
  }

  it.effect("a wrong token: one message that says what to do, and no token", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const { errors } = yield* marketdata("chain SPX", { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: token })
      assert.match(errors, /^error: .*did not accept the token.*request a new token/)
      assert.notInclude(errors, token)
      const without = yield* marketdata("chain SPX", { MARKETDATA_BASE_URL: baseUrl })
      assert.match(without.errors, /^error: .*requires a token.*dashboard/)
    }).pipe(Effect.provide(Layer.provide(SandboxServer.layer(), Sandbox.layer()))))
})

describe("marketdata chain --from", () => {
  const saved = (text: string) =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped({ suffix: ".json" })
      yield* files.writeFileString(file, text)
      return yield* marketdata(`chain --from ${file}`)
    }).pipe(Effect.provide(NodeServices.layer))

  it.effect("shows a partial reply, with every finding", () =>
    Effect.gen(function*() {
      const { failed, out } = yield* saved(
        `{"s":"ok","optionSymbol":["AAPL261218C00150000"],"strike":[155],"bid":[1],"rho":[0]}`
      )
      assert.strictEqual(failed, false)
      assert.include(out, "1 contract, 1 expiration")
      assert.include(out, "UnknownField in rho")
      assert.include(out, "MissingColumn in ask")
      assert.include(out, "StrikeMismatch in strike: row 0: expected 150, received 155")
    }))

  it.effect("lists rows that have no option symbol", () =>
    Effect.gen(function*() {
      const { out } = yield* saved(`{"s":"ok","strike":[150,155],"last":[1.5,null]}`)
      assert.match(out, /strike +last\n +150 +1.5\n +155 +-/)
    }))

  const broken: ReadonlyArray<readonly [string, string, string]> = [
    [
      "ragged columns",
      `{"s":"ok","optionSymbol":["AAPL261218C00150000"],"strike":[150,155]}`,
      "LengthMismatch in column strike"
    ],
    ["half a reply", `{"s":"ok","strike":[150,`, "UnexpectedEnd"],
    ["an error", `{"s":"error","errmsg":"Invalid token."}`, "it says: Invalid token."],
    ["no data", `{"s":"no_data","nextTime":null}`, `its status is "no_data"`],
    ["a page", "<html><h1>Bad Gateway</h1></html>", "it says: Bad Gateway"],
    ["another resource", `{"s":"ok","symbol":["AAPL"],"bid":[1]}`, "not an option chain, but a reply with symbol, bid"],
    ["nothing", "", "an empty body"]
  ]
  for (const [name, text, says] of broken) {
    it.effect(`says what is wrong with ${name}`, () =>
      Effect.gen(function*() {
        const { errors, failed } = yield* saved(text)
        assert.strictEqual(failed, true)
        assert.include(errors, says)
      }))
  }

  const fixtures = process.env["MARKETDATA_FIXTURES"]
  const documented = fixtures === undefined
    ? []
    : Fs.readdirSync(fixtures).filter((name) => /\.(json|html)$/.test(name))
  for (const name of documented) {
    it.effect(`tells what the documented reply ${name} is`, () =>
      Effect.gen(function*() {
        const { errors, failed, out } = yield* marketdata(`chain --from ${Path.join(fixtures!, name)}`)
        const isChain = /^options-(chain|quotes)|universal-columns/.test(name)
        assert.strictEqual(failed, !isChain)
        assert.match(isChain ? out : errors, isChain ? /findings: +\d/ : /^error: [^\n]+$/)
      }))
  }
})
