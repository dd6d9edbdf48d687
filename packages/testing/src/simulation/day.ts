/** A simulated day: its desks are opened, their callers ask as people and programs do, and at its end no permit may be lost. */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as ChainSizes from "@effect-marketdata/client/ChainSizes"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { DataMode, Query, Retry } from "@effect-marketdata/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { ClientLayer } from "../harness/local.ts"
import type { Audit } from "./audit.ts"
import * as Calls from "./calls.ts"
import * as Chance from "./Chance.ts"
import { calmMillis, CurrentCall, type SeededService } from "./SeededService.ts"

/** What a day is made of. */
export interface Setting {
  readonly seed: number
  readonly day: number
  readonly audit: Audit
  readonly wire: SeededService
  readonly client: ClientLayer
}

/** The fewest calls and callers of a day. */
const fewest = { calls: 100, callers: 8 } as const

const baseUrl = "https://service.test"

/** How many requests a client has under way at once, at most. */
const permits = 50

/** Opens the desks, each with a client of its own. They have seen nothing yet, and remember the sizes of chains together. */
export const open = Effect.fnUntraced(function*({ audit, client, day, seed, wire }: Setting) {
  const chance = Chance.make(seed, "desks", day)
  const scope = yield* Effect.scope
  const remembering = yield* Layer.buildWithScope(Layer.fresh(ChainSizes.layerMemory()), scope)
  const offices = yield* Effect.forEach(Calls.desksOf(chance), (desk) =>
    Effect.gen(function*() {
      const ledger = yield* desk.budget === undefined
        ? CreditLedger.makeUnlimited()
        : CreditLedger.makeMemory({ allowance: desk.budget })
      const token = desk.token === undefined ? undefined : Redacted.make(desk.token)
      const insistence = chance.pick(["none", "none", "around the HTTP client", "transformClient"] as const)
      const plain = wire.clientAt(desk.name, desk.address)
      const http = insistence === "around the HTTP client" ? insisting(plain) : plain
      const layer = client({
        baseUrl,
        maxReplyBytes: chance.pick([undefined, undefined, undefined, 20_000]),
        token: token !== undefined && chance.is(0.5) ? Effect.succeed(token) : token,
        maxSymbols: chance.pick([undefined, 1, 2]),
        ...(chance.is(0.3) ? { retries: { tokens: 2, perSecond: 0.1 } } : {}),
        ...(insistence === "transformClient" ? { transformClient: insisting } : {})
      }).pipe(
        Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
        Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
        Layer.provide([IpGuard.layerMemory(), Layer.succeedContext(remembering)])
      )
      const services = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
      return { desk, ledger, client: Context.get(services, MarketData.MarketData) }
    }))
  audit.open(new Map(offices.map(({ desk, ledger }) => [desk, ledger])))
  return offices
})

type Office = Effect.Success<ReturnType<typeof open>>[number]

/** An HTTP client that retries by itself, as an application may provide it: requests must not be repeated for it. */
const insisting = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.retryTransient(client, { times: 2, schedule: Schedule.spaced("30 millis") })

/** Lets all callers of a day ask what they want to. */
export const live = Effect.fnUntraced(function*(setting: Setting, offices: ReadonlyArray<Office>) {
  const chance = Chance.make(setting.seed, "day", setting.day)
  const callers = fewest.callers + chance.below(4)
  const each = Math.ceil(fewest.calls / callers)
  yield* Effect.all(
    Array.from({ length: callers }, (_, number) => {
      const office = chance.weigh(offices.map((office) => [office.desk.weight, office] as const))
      return caller(setting, office, number, each + chance.below(3))
    }),
    { concurrency: "unbounded", discard: true }
  )
  const officeOf = (name: string) => offices.find(({ desk }) => desk.name === name) ?? offices[0]!
  yield* growing(setting, officeOf("home"))
  if (chance.is(0.06)) yield* crowd(setting, officeOf("professional"))
  const { tally } = setting.audit
  tally.callers += callers
  tally.fewestCallers = Math.min(tally.fewestCallers, callers)
})

const second = 1000
const minute = 60 * second

const caller = Effect.fnUntraced(function*(setting: Setting, office: Office, number: number, calls: number) {
  const chance = Chance.make(setting.seed, "caller", setting.day, number)
  yield* Effect.sleep(chance.next() * 8 * 60 * minute)
  for (let call = 0; call < calls; call++) {
    const longest = chance.weigh([[5, 30], [3, 20 * second], [3, 10 * minute], [1, 90 * minute]])
    yield* Effect.sleep(chance.below(longest))
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const call = Calls.draw(chance, now, office.desk.token === undefined)
    if (chance.is(0.02)) yield* herd(setting, office, call, chance)
    else yield* ask(setting, office, call, termsOf(chance))
  }
})

const ceilings = [0, 1, 2, 3, 50, 1000, Infinity]

/** Asks a query as some caller would: patient or not, strict or not, alone or with others. */
const termsOf = (chance: Chance.Chance) => {
  const deadline = chance.is(0.12) ? chance.pick([0, 10, 150, 2000]) : undefined
  const policy: Retry.Policy = { ...Retry.defaultPolicy, attempts: chance.pick([1, 3, 4]), lostAttempts: 2 }
  const attemptTimeout = chance.weigh([[6, 60_000], [2, Infinity], [1, 100]])
  // Most live data cost one credit: consent to exactly that is exhausted by a lost reply, which tests the ceiling.
  const ceiling = chance.is(0.3) ? 1 : chance.pick(ceilings)
  const isShared = chance.is(0.15)
  return {
    ceiling,
    policy,
    isShared,
    patience: chance.is(0.1) ? chance.pick(patiences) : undefined,
    deadline: deadline ?? Infinity,
    isPressed: deadline !== undefined || attemptTimeout === 100,
    terms: consents.get(ceiling)!.pipe(
      Context.add(RetryPolicy.RetryPolicy, RetryPolicy.make({ ...policy, deadline })),
      Context.add(Policies.AttemptTimeout, attemptTimeout),
      Context.add(Policies.Findings, chance.is(0.2) ? "strict" : "keep"),
      Context.add(Policies.Coalesce, isShared),
      Context.add(Policies.IpRule, {
        whenHeld: chance.is(0.3) ? "wait" : "fail",
        heldBy: chance.is(0.1) ? "any403" : "addressBlock"
      })
    )
  }
}

type Terms = Omit<ReturnType<typeof termsOf>, "terms"> & {
  readonly terms: Context.Context<CacheFallback.CacheFallback>
}

/** Terms with a ceiling of credits and the milliseconds that the caller waits, by default until there is an answer. */
const plainly = (ceiling: number, patience?: number): Terms => ({
  ceiling,
  policy: Retry.defaultPolicy,
  isShared: false,
  patience,
  deadline: Infinity,
  isPressed: false,
  terms: consents.get(ceiling)!
})

const patiences = [0, 1, 20, 100, 400]

/** Asks on such terms, and says how it ended. */
const ask = Effect.fnUntraced(function*(
  { audit }: Setting,
  { client, desk }: Office,
  { ask, ...what }: Calls.Call,
  { ceiling, deadline, isPressed, isShared, patience, policy, terms }: Terms
) {
  const call = audit.begin(desk.name, {
    ...what,
    ceiling: what.fallsBack ? ceiling : Infinity,
    // Each part of a stream has its own time.
    deadline: what.hasTwins ? Infinity : deadline,
    policy,
    isShared,
    isHurried: patience !== undefined || isPressed
  })
  const context = terms.pipe(Context.add(MarketData.MarketData, client), Context.add(CurrentCall, call.id))
  const fiber = yield* Effect.forkChild(Effect.provideContext(ask, context))
  const givingUp = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    call.givenUpAt = now
    return Fiber.interrupt(fiber)
  })
  const impatient = yield* Effect.forkChild(Effect.delay(givingUp, patience ?? Infinity))
  const exit = yield* Fiber.await(fiber)
  audit.end(call, exit)
  yield* Fiber.interrupt(impatient)
  return exit
})

/** Many callers ask the same at once, and some of them give up before the answer. */
const herd = (setting: Setting, office: Office, call: Calls.Call, chance: Chance.Chance) => {
  const how = termsOf(chance)
  const terms = Context.add(how.terms, Policies.Coalesce, true)
  const isSteady = chance.is(0.7)
  return Effect.forEach(
    Array.from({ length: 2 + chance.below(3) }, (_, at) => at > 0 && isSteady ? undefined : chance.pick(patiences)),
    (patience) => ask(setting, office, call, { ...how, terms, isShared: true, patience }),
    { concurrency: "unbounded", discard: true }
  )
}

/** Consent to pay up to each ceiling. */
const consents = new Map(
  ceilings.map((ceiling) => [ceiling, Effect.runSync(Effect.scoped(Layer.build(CacheFallback.layerUpTo(ceiling))))])
)

const quote = Calls.of("stockPrices", Query.stockPrices(["F"]))

/** Asks more at once than the service allows: requests that were given up are still in flight there when the next ones come. */
const crowd = Effect.fnUntraced(function*(setting: Setting, office: Office) {
  setting.wire.calm = true
  for (const [callers, terms] of [[45, plainly(Infinity, 1 + calmMillis)], [30, plainly(Infinity)]] as const) {
    const asked = ask(setting, office, quote, terms)
    yield* Effect.replicateEffect(asked, callers, { concurrency: "unbounded", discard: true })
  }
  setting.wire.calm = false
})

const seenChain = Calls.of(
  "optionChain F",
  Query.optionChain("F", { dte: 30, side: "call", mode: DataMode.live, assume: { contracts: 40 } })
)
const grownChain = Calls.of(
  "optionChain F",
  Query.optionChain("F", { dte: 30, side: "call", mode: DataMode.cachedOrLive({ maxAge: "1min" }) })
)

/** A chain is seen, and asked for again when it has grown: by the size that was seen, its live data are consented to. */
const growing = Effect.fnUntraced(function*(setting: Setting, office: Office) {
  setting.wire.calm = true
  const now = yield* Clock.currentTimeMillis
  const untilSmall = (2 * 60 * minute) - now % (2 * 60 * minute)
  yield* Effect.delay(ask(setting, office, seenChain, plainly(3)), untilSmall)
  yield* Effect.delay(ask(setting, office, grownChain, plainly(3)), 60 * minute)
  setting.wire.calm = false
})

const status = Calls.of("serviceStatus", Result.succeed(Query.serviceStatus))

/** Checks that every client can still have as many requests in flight as at first: no permit was lost. */
export const probe = Effect.fnUntraced(function*(setting: Setting, offices: ReadonlyArray<Office>) {
  const { audit, wire } = setting
  wire.calm = true
  for (const office of offices) {
    audit.peakOf(office.desk.name, true)
    const asked = ask(setting, office, status, plainly(Infinity))
    const exits = yield* Effect.replicateEffect(asked, permits + 10, { concurrency: "unbounded" })
    const isHeld = exits.some((exit) => Exit.isSuccess(exit) && exit.value.errors.length > 0)
    const peak = audit.peakOf(office.desk.name)
    if (!isHeld && peak !== permits) {
      audit.violate("permits are given back", `${office.desk.name}: only ${peak} of ${permits} requests at once`)
    }
  }
  wire.calm = false
})
