/**
 * The terms of a call, as a caller sends them to the runner, and what a query costs with a consent. Where the caller provides no policy, that of the runner's
 * client applies.
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as Policies from "@effect-marketdata/client/Policies"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Workload from "@effect-marketdata/core/Workload"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Age = Schema.Union([
  Schema.TaggedStruct("Relative", { minutes: Schema.Finite }),
  Schema.TaggedStruct("Absolute", { epochSeconds: Schema.Finite })
])

/** A retry policy of numbers. Of a policy with a function, which cannot be sent, only the `deadline` is here. */
const Retries = Schema.Struct({
  attempts: Schema.optionalKey(Schemas.Amount),
  lostAttempts: Schema.optionalKey(Schemas.Amount),
  base: Schema.optionalKey(Schemas.Amount),
  cap: Schema.optionalKey(Schemas.Amount),
  retryAfter: Schema.optionalKey(Schemas.Amount),
  deadline: Schema.optionalKey(Schemas.Amount)
})

/** The terms of a call. */
export const Terms = Schema.Struct({
  findings: Schema.optionalKey(Schema.Literals(["keep", "strict"])),
  figures: Schema.optionalKey(Schema.Literals(["any", "possible", "explained"])),
  attemptTimeout: Schema.optionalKey(Schemas.Amount),
  ipRule: Schema.optionalKey(
    Schema.Struct({ whenHeld: Schema.Literals(["fail", "wait"]), heldBy: Schema.Literals(["addressBlock", "any403"]) })
  ),
  coalesce: Schema.optionalKey(Schema.Boolean),
  acceptAge: Schema.optionalKey(Age),
  retries: Schema.optionalKey(Retries),
  /** What the caller consented to pay for live data, in credits. */
  ceiling: Schema.optionalKey(Schemas.Amount)
})

export type Terms = typeof Terms.Type

/** The query and the terms of a call, as texts. */
export const [QueryText, TermsText] = [Schema.fromJsonString(Schemas.Query), Schema.fromJsonString(Terms)]

/** The context of a call, and that in which the client of the gateway was made. */
type Places = readonly [call: Context.Context<CacheFallback.CacheFallback>, gateway: Context.Context<never>]

/** The policy of the call, or else of the client; undefined if it was provided to neither. */
export const policyOf = <I, A>([call, gateway]: Places, policy: Context.Key<I, A>): A | undefined =>
  Context.getOrUndefined(call.mapUnsafe.has(policy.key) ? call : gateway, policy)

type WithoutUndefined<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }

const withoutUndefined = <A extends object>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutUndefined<A>

/** Reads the policies that were provided to a call, even those with default values: the runner's client may have other defaults. */
export const of = Effect.fnUntraced(function*(query: Query.Query, places: Places) {
  const age = policyOf(places, Policies.AcceptAge)
  const acceptAge = age === undefined
    ? undefined
    : yield* Effect.mapError(Effect.fromResult(MaxAge.parse(age)), (error) => InvalidQuery.of("AcceptAge", age, error))
  const policy = policyOf(places, RetryPolicy.RetryPolicy)
  return withoutUndefined({
    findings: policyOf(places, Policies.Findings),
    figures: policyOf(places, Policies.RecordedFigures),
    attemptTimeout: policyOf(places, Policies.AttemptTimeout),
    ipRule: policyOf(places, Policies.IpRule),
    coalesce: policyOf(places, Policies.Coalesce),
    acceptAge,
    retries: policy === undefined ? undefined : withoutUndefined({ ...policy.numbers, deadline: policy.deadline }),
    ceiling: query.mode?._tag === "CachedOrLive" ? yield* ceilingOf(query) : undefined
  })
})

/**
 * Asks for the caller's consent before the call is sent, with the price of the whole query, because the gateway cannot ask after a miss. A refusal also has
 * a ceiling, and live data for some tickers of a list may cost no more than that.
 */
const ceilingOf = Effect.fnUntraced(function*(query: Query.Query) {
  const { decide } = yield* CacheFallback.CacheFallback
  const price = Credits.estimate(Query.withMode(query, DataMode.live))
  const ceiling = yield* Effect.catch(decide(query, price), ({ ceiling }) => Effect.succeed(ceiling))
  return ceiling ?? Credits.bound(price)
})

/** What a query costs at least and at most, with a consent to live data. */
export const costOf = (query: Query.Query, consent: number): Workload.Cost => {
  const cost = (query: Query.Query) => Workload.total([Workload.taskUnsafe(query, { first: 0 })])
  // Live data above the consent are declined; the cached request remains.
  const isDeclined = query.mode?._tag === "CachedOrLive" && cost(Query.withMode(query, DataMode.live)).max > consent
  return cost(isDeclined ? Query.withMode(query, DataMode.cached()) : query)
}

/** How many ceilings are remembered. */
const mostCeilings = 100

/**
 * Makes the consent of callers. Callers with equal ceilings get the same service, because only calls on the same terms can be shared.
 */
export const consents = () => remembering(mostCeilings, CacheFallback.makeUpTo)

/** Makes a function that remembers what it has made of each key, and forgets all of it when that is as much as `most`. */
const remembering = <Key, A>(most: number, make: (key: Key) => A) => {
  const known = new Map<Key, A>()
  return (key: Key): A => {
    const present = known.get(key)
    if (present !== undefined) return present
    if (known.size === most) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** How many queries are remembered, and the most characters of each. */
const [mostRead, short] = [1000, 1000]

const queryOf = Schema.decodeResult(QueryText)

/** Makes what decodes the query and the terms of calls. Short queries are remembered, because many programs repeat theirs. */
export const reader = () => {
  const remembered = remembering(mostRead, queryOf)
  return ({ query, terms }: { readonly query: string; readonly terms: string }) =>
    Effect.mapError(
      Effect.all([
        Effect.fromResult(query.length <= short ? remembered(query) : queryOf(query)),
        Schema.decodeEffect(TermsText)(terms)
      ]),
      ({ message }) => ({ _tag: "Unreadable" as const, detail: message })
    )
}

/**
 * Adds the terms of a call to the context of its runner, one by one, because merging two contexts would copy both. `waited` milliseconds of its deadline are
 * already over.
 */
export const within = <R>(
  base: Context.Context<R>,
  terms: Terms,
  { consent, waited }: { readonly consent: ReturnType<typeof consents>; readonly waited: number }
): Context.Context<R | CacheFallback.CacheFallback> => {
  const { acceptAge, attemptTimeout, ceiling = 0, coalesce, figures, findings, ipRule, retries } = terms
  let context = Context.add(base, CacheFallback.CacheFallback, consent(ceiling))
  if (findings !== undefined) context = Context.add(context, Policies.Findings, findings)
  if (figures !== undefined) context = Context.add(context, Policies.RecordedFigures, figures)
  if (attemptTimeout !== undefined) context = Context.add(context, Policies.AttemptTimeout, attemptTimeout)
  if (ipRule !== undefined) context = Context.add(context, Policies.IpRule, ipRule)
  if (coalesce !== undefined) context = Context.add(context, Policies.Coalesce, coalesce)
  if (acceptAge !== undefined) context = Context.add(context, Policies.AcceptAge, acceptAge)
  if (retries !== undefined) {
    const { deadline } = retries
    const left = deadline === undefined ? {} : { deadline: Math.max(0, deadline - waited) }
    context = Context.add(context, RetryPolicy.RetryPolicy, RetryPolicy.make({ ...retries, ...left }))
  }
  return context
}
