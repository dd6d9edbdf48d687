/** What a client sees that asks for the same again and again, in every mode: time never runs backwards. */
import { Account, NewYork } from "@effect-marketdata/core"
import { Accounts, Market, Sandbox } from "@effect-marketdata/sandbox"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { ask, at, consumed, friday, isData, json, newest, noon, test } from "./support/service.ts"

const seed = 16_150

/** A week with a few visits, most of them in the hours of trading, of some polls each that are seconds or minutes apart. */
const visit = fc.tuple(
  fc.integer({ min: 16, max: 23 }),
  fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 34_000, max: 59_400 }) }, fc.integer({ min: 0, max: 86_399 })),
  fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 4, maxLength: 4 })
).map(([day, second, steps]) => {
  const moments = [NewYork.toEpochSeconds({ ...friday, day }, second)]
  for (const step of steps) moments.push(moments.at(-1)! + step)
  return moments
})

const visits = runs(6, 2)

const polls = fc.array(visit, { minLength: visits, maxLength: visits }).map((visits) =>
  visits.flat().toSorted((a, b) => a - b)
)

const stories = fc.sample(fc.tuple(fc.integer(), polls), { numRuns: runs(2, 1), seed })

const targets = [
  "/v1/options/chain/F/?expiration=2026-12-18&side=put",
  "/v1/options/chain/RUT/?expiration=2027-06-18&side=call&range=itm&strikeLimit=9",
  "/v1/stocks/quotes/?symbols=AAPL,F",
  "/v1/stocks/prices/?symbols=AAPL,F",
  "/v1/options/expirations/F/?x=1"
]

const accounts = [
  ...Accounts.defaults.map((account) => ({ ...account, allowance: undefined })),
  Accounts.make("professional", Account.make({ plan: "paid", user: Account.professional }))
]

/** The times that a reply tells, by what it tells them of. */
const timesOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, number]> => {
  const names = (body["optionSymbol"] ?? body["symbol"]) as ReadonlyArray<string> | undefined
  const updated = body["updated"] as ReadonlyArray<number> | number
  return typeof updated === "number" ? [["the listing", updated]] : updated.map((time, row) => [names![row]!, time])
}

test("shows each of those who ask at once the columns that they chose, of the table that all are shown", function*() {
  const chosen = ["ask", "bid,mid", "", "ask", "symbol,ask", "bid,mid", ""]
  const replies = yield* Effect.forEach(chosen, (columns) =>
    Effect.map(
      ask(`/v1/stocks/quotes/AAPL/${columns === "" ? "" : `?columns=${columns}`}`),
      (reply): Readonly<Record<string, unknown>> => json(reply)
    ))
  const [whole = {}] = replies.slice(-1)
  chosen.forEach((columns, at) => {
    const names = columns === "" ? Object.keys(whole) : ["s", ...columns.split(",")]
    assert.sameMembers(Object.keys(replies[at]!), names, columns)
    for (const name of names) assert.deepStrictEqual(replies[at]![name], whole[name], name)
  })
})

test("shows in the same second what has entered the cache meanwhile", function*() {
  const cached = Effect.map(ask("/v1/stocks/prices/F/?mode=cached"), newest)
  const before = yield* cached
  yield* ask("/v1/stocks/prices/F/")
  const after = yield* cached
  assert.isBelow(before, noon)
  assert.strictEqual(after, noon)
})

test("tells in the same second what is left after each reply", function*() {
  const left = Effect.map(ask("/user/"), (reply) => json(reply)["x-ratelimit-requests-remaining"])
  const before = yield* left
  const costs = consumed(yield* ask("/v1/stocks/prices/F/?mode=cached"))
  assert.strictEqual(Number(yield* left), Number(before) - costs)
  assert.isAbove(costs, 0)
})

const cases = [
  ["contract", ["", "live", "cached", "delayed"]],
  ["public", ["", "live", "cached", "delayed", "eod", "historical"]]
] as const
for (const [profile, modes] of cases) {
  it.effect(`[8.2-timeliness] [2.1-updated] updated never goes back in any mode, ${profile} (seed ${seed})`, function*() {
    const seen = new Map<string, number>(modes.map((mode) => [mode, 0]))
    for (const [own, moments] of stories) {
      const last = new Map<string, number>()
      // Each mode has a sandbox of its own. They show the same market, which works out a moment once for all of them.
      const market = Market.make({ seed: own })
      const build = Layer.build(Layer.fresh(Sandbox.layer({ market, profile, accounts })))
      const sandboxes = yield* Effect.forEach(modes, (mode) => Effect.map(build, (sandbox) => [mode, sandbox] as const))
      for (const moment of moments) {
        yield* at(moment)
        for (const token of ["sandbox-paid", "sandbox-free", "professional", ""]) {
          for (const [mode, sandbox] of sandboxes) {
            for (const target of targets) {
              const asked = mode === "" ? target : `${target}&mode=${mode}`
              const reply = yield* Effect.provide(ask(asked, { token }), sandbox)
              if (!isData(reply)) continue
              for (const [name, updated] of timesOf(json(reply))) {
                const key = `${token} ${asked} ${name}`
                const told = `market ${own}, ${NewYork.format(moment)}: ${key} was ${last.get(key)} and is ${updated}`
                assert.isTrue(updated <= moment && updated >= (last.get(key) ?? -Infinity), told)
                last.set(key, updated)
                seen.set(mode, seen.get(mode)! + 1)
              }
            }
          }
        }
      }
    }
    for (const count of seen.values()) assert.isAbove(count, 50)
  })
}
