/** What a caller consents to holds at the gateway as it does beside the caller. */
import { CacheFallback, Policies } from "@effect-marketdata/client"
import { Credits, DataMode, Query } from "@effect-marketdata/core"
import { Context, Effect, Result, Schema } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import * as Terms from "../src/wire/terms.ts"

const chain = Result.getOrThrow(Query.optionChain("AAPL", { dte: 30, strikeLimit: 10 }))
const price = Credits.estimate(chain)
const bound = Credits.bound(price)

it.effect("the policies of a call are the same at the gateway", function*() {
  const call = Context.make(CacheFallback.CacheFallback, CacheFallback.makeUpTo(0)).pipe(
    Context.add(Policies.RecordedFigures, "any"),
    Context.add(Policies.AttemptTimeout, Infinity),
    Context.add(Policies.IpRule, { whenHeld: "wait", heldBy: "any403" }),
    Context.add(Policies.AcceptAge, "5 minutes")
  )
  const of = (place: typeof call) => Effect.provideContext(Terms.of(chain, [place, Context.empty()]), call)
  const written = yield* Schema.encodeEffect(Terms.TermsText)(yield* of(call))
  const read = yield* Schema.decodeEffect(Terms.TermsText)(written)
  const at = Terms.within(Context.empty(), read, { consent: Terms.consents(), waited: 0 })
  assert.deepStrictEqual(yield* of(at), yield* of(call))
})

it.effect("the consent of callers is to their ceiling, and to no credit more", function*() {
  const consent = Terms.consents()
  assert.strictEqual(yield* consent(bound).decide(chain, price), bound)
  const declined = yield* Effect.flip(consent(bound - 1).decide(chain, price))
  assert.deepInclude(declined, { _tag: "FallbackDeclined", price: bound, ceiling: bound - 1 })
  assert.deepInclude(yield* Effect.flip(consent(0).decide(chain, price)), { ceiling: 0 })
})

it.effect("the consent of callers goes to the gateway as it is, also where it is to nothing", function*() {
  const query = Query.withMode(chain, DataMode.cachedOrLive())
  const ceilingOf = (ceiling: number) => {
    const consent = Context.make(CacheFallback.CacheFallback, { decide: () => Effect.succeed(ceiling) })
    const terms = Terms.of(query, [consent, Context.empty()])
    return Effect.map(Effect.provideContext(terms, consent), ({ ceiling }) => ceiling)
  }
  assert.deepStrictEqual([yield* ceilingOf(7), yield* ceilingOf(0)], [7, 0])
})

it("the consent of callers is one and the same for callers with one ceiling, by which calls are shared", () => {
  const consent = Terms.consents()
  assert.strictEqual(consent(5), consent(5))
  assert.notStrictEqual(consent(5), consent(6))
})
