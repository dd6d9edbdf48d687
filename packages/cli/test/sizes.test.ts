/** Sizes of chains that commands have seen bound the price of the next one. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import { Effect, Stream } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, it } from "../../core/test/support/it.ts"
import { marketdata, noon, type Place, run } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const home = Started.folder()
const file = join(home, "ledger.db")
const baseUrl = await Started.sandbox(noon)

beforeEach(() => rmSync(file, { force: true }))

const user = (variables: Readonly<Record<string, string>> = {}): Place => ({
  variables: {
    MARKETDATA_HOME: home,
    MARKETDATA_BASE_URL: baseUrl,
    MARKETDATA_TOKEN: "sandbox-paid",
    MARKETDATA_LEDGER: "on",
    MARKETDATA_CACHE: "off",
    ...variables
  }
})

const live = "chain F --expiration all --mode live"

/** The chain for one credit, and how many contracts it has. */
const asking = Effect.suspend(() => marketdata("chain F --expiration all --mode cached --json", user()))
const seen = Effect.map(asking, ({ out }): number => JSON.parse(out).answer.data.length)

it.effect("bounds the price of `estimate`, which says how large it was and when", function*() {
  assert.match((yield* marketdata(`estimate ${live}`, user())).out, /^estimate: .* no upper bound$/m)
  assert.isFalse(existsSync(file))
  const contracts = yield* seen
  const [shown, price] = [contracts, contracts + 1].map((count) => count.toLocaleString("en-US"))
  const { out } = yield* marketdata(`estimate ${live}`, user())
  assert.include(out, `estimate:   chain F: 1 to ${price} credits\n`)
  assert.match(out, new RegExp(`^live \\(asked\\) +1 to ${price} +4\\.1-cost-live$`, "m"))
  assert.match(out, new RegExp(`^assumes: +size of the chain: ${shown} contracts, seen `, "m"))
  assert.notInclude(out, "bound it")
  const json = JSON.parse((yield* marketdata(`estimate ${live} --json`, user())).out)
  assert.deepInclude(json.cost, { min: 1, max: contracts + 1 })
  const planned = yield* marketdata("plan - --json", {
    ...user(),
    stdin: Stream.make(new TextEncoder().encode("[{ chain: F, expiration: all, mode: live, when: 3 times }]"))
  })
  assert.deepInclude(JSON.parse(planned.out).cost, { min: 3, max: 3 * (contracts + 1) })
  const budget = yield* marketdata(`estimate ${live} --budget ${(contracts + 1) * 2}`, user())
  assert.match(budget.out, /they cover the query 2 times at its\s+highest price/)
})

it.effect("bounds what is asked for consent, and is told with the price", function*() {
  const contracts = yield* seen
  const [shown, price] = [contracts, contracts + 1].map((count) => count.toLocaleString("en-US"))
  const refused = yield* marketdata(live, user())
  assert.strictEqual(refused.code, 3)
  assert.include(refused.errors, `chain F may cost up to ${price} credits (${shown} contracts, seen `)
  assert.include(refused.errors, `--budget ${contracts + 1} `)
  const sent = yield* marketdata(`${live} --budget ${contracts + 1} --json`, user())
  assert.strictEqual(sent.code, 0, sent.errors)
  const { answer: { credits, trace }, notes } = JSON.parse(sent.out)
  assert.deepInclude(credits, { charged: contracts })
  // What was consented to holds also where the chain has grown since; where it has not, nothing is said of more.
  assert.include(trace[0].target, `limit=${contracts + 1}`)
  assert.deepStrictEqual(notes, [])
  assert.deepInclude(credits.estimate, { _tag: "Range", max: contracts + 1 })
  const told = yield* marketdata(`${live} --budget ${contracts + 1}`, user())
  assert.notInclude(told.errors, "note:")
  assert.notInclude(told.errors, "findings")
  assert.match(told.errors, new RegExp(`^estimate: +1 to ${price} credits \\(${shown} contracts, seen .*\\)$`, "m"))
})

it.effect("[8.3-fallback] bounds a fallback: its price is that of the chain, or the ceiling where that is less", function*() {
  const contracts = yield* seen
  const fallback = "chain F --expiration all --mode cached --max-age 1min --fallback-up-to"
  const enough = yield* marketdata(`estimate ${fallback} ${contracts + 1}`, user())
  assert.include(enough.out, `chain F: 1 to ${(contracts + 1).toLocaleString("en-US")} credits\n`)
  const less = yield* marketdata(`estimate ${fallback} ${contracts}`, user())
  assert.include(less.out, `chain F: 0 to ${contracts.toLocaleString("en-US")} credits\n`)
})

it.effect("holds until the next session opens", function*() {
  yield* seen
  yield* TestClock.setTime(NewYork.at({ year: 2026, month: 11, day: 23 }, 9, 31) * 1000)
  assert.match((yield* run(`estimate ${live}`.split(" "), user())).out, /no upper bound$/m)
})

it.effect("is of its service alone, and none of the embedded sandbox or where the ledger is off", function*() {
  yield* seen
  for (const other of [{ MARKETDATA_BASE_URL: "http://127.0.0.1:9" }, { MARKETDATA_LEDGER: "off" }]) {
    assert.match((yield* marketdata(`estimate ${live}`, user(other))).out, /no upper bound$/m)
  }
  const embedded = { MARKETDATA_BASE_URL: "", MARKETDATA_TOKEN: "" }
  yield* marketdata("chain F --expiration all --mode cached --json", user(embedded))
  const refused = yield* marketdata(live, user(embedded))
  assert.match(refused.errors, /may cost any number of credits/)
})

it.effect("is not known where the database cannot be read, which fails no estimate", function*() {
  writeFileSync(file, "no database".repeat(100))
  const { code, out } = yield* marketdata(`estimate ${live}`, user())
  assert.strictEqual(code, 0)
  assert.match(out, /no upper bound$/m)
})
