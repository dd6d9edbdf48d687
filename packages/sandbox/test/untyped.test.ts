import { Account } from "@effect-marketdata/core"
import { Accounts, Faults, Market, Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { Cause, Effect, Exit, Layer } from "effect"
import { assert, it } from "../../core/test/support/it.ts"

/** Why a layer cannot be built. */
const broken = <A, E>(layer: Layer.Layer<A, E, Sandbox.Sandbox>) =>
  Effect.map(
    Effect.exit(Effect.scoped(Layer.build(Layer.provide(layer, box())))),
    (exit) => Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "built"
  )

const box = (options: object | null = {}) => Sandbox.layer(options as Sandbox.Options)

const wrong: ReadonlyArray<readonly [name: string, value: unknown, rule: string]> = [
  ["seed", NaN, "must be a whole number, e.g. 1."],
  ["market", { seed: 1 }, "must be a market, e.g. Market.make({ seed: 1 })."],
  ["profile", "Public", "must be contract or public"],
  ["accounts", {}, "must be a list of accounts"],
  ["demo", { ticker: "aapl" }, "must be an object with tickers in capitals"],
  ["assume", { rounding: "Up" }, "must be an object with rounding, quoteData or kind"],
  ["cold", "AAPL", "must be a list of tickers, e.g. [\"F\"]."],
  ["latency", "soon", "must be a duration"],
  ["mostInFlight", "50", "must be a number of requests"],
  ["maxLineBytes", NaN, "must be a number of bytes"]
]
for (const [name, value, rule] of wrong) {
  it.effect(`of a sandbox are told that its ${name} ${rule}`, function*() {
    assert.include(yield* broken(box({ [name]: value })), rule)
  })
}

it.effect("are told what is not a fault, no port, no account, no token and no option", function*() {
  for (const none of [5, [null], [{ kind: { _tag: "Status", status: 429 } }]] as Array<never>) {
    const set = Layer.effectDiscard(Effect.flatMap(Faults.Faults, ({ set }) => set(none)))
    for (const layer of [Faults.layer({ faults: none }), Layer.provide(set, Faults.layer())]) {
      assert.include(yield* broken(layer), "must be a list of faults of the kinds in Faults.Kind")
    }
  }
  assert.match(yield* broken(SandboxServer.layer({ port: "80" as never })), /port "80" must be an integer from 0/)
  assert.include(yield* broken(box("x" as never)), "options \"x\" must be an object")
  assert.strictEqual(yield* broken(box(null)), "built")
  assert.throws(() => Market.make({ seed: "1" as never }), /seed "1" must be a whole number/)
  const account = Account.make({ plan: "paid", user: Account.unknown })
  assert.throws(() => Accounts.make(undefined as never, account), /token undefined must be a text/)
  assert.throws(() => Accounts.make("a", { plan: "Paid" } as never), Account.AccountError)
})
