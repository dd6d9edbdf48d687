/**
 * Compares the services of a program with those of its client. An optional service that is provided beside the client, and not to it, would silently
 * have no effect: a call detects that, and fails.
 */
import * as Problem from "@effect-marketdata/core/Problem"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as Context from "effect/Context"
import { isEffect } from "effect/Effect"
import { Budget, CreditLedger } from "../account/CreditLedger.ts"
import { IpGuard } from "../account/IpGuard.ts"
import { ReplyCache } from "../cache/ReplyCache.ts"
import { Buffers } from "../call/call.ts"
import { has, isFunction } from "../config/checked.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import { ChainSizes } from "../policy/ChainSizes.ts"
import * as Policies from "../policy/Policies.ts"
import { RetryBudget } from "../policy/RetryBudget.ts"
import { RetryPolicy } from "../policy/RetryPolicy.ts"

interface Named {
  readonly key: string
}

/** A service or a policy: its key in a context, its check, the rule in words, and a valid example. */
interface Known extends Named {
  readonly is: (value: unknown) => boolean
  readonly rule: string
  readonly example: string
}

/** The name of a service in messages. */
const nameOf = (key: string): string => key.replace("@effect-marketdata/client/", "").replace("/", ".")

/** A service, which is undefined or has these fields. */
const service = ({ key }: Named, fields: Parameters<typeof has>[0], example: string): Known => ({
  key,
  is: (value) => value === undefined || has(fields)(value),
  rule: `must be a service with ${Object.keys(fields).join(" and ")}`,
  example
})

const isOneOf = (...values: ReadonlyArray<unknown>) => (value: unknown): boolean => values.includes(value)

/** A policy, by what it must be. */
const policy = ({ key }: Named, is: Known["is"], rule: string, example: string): Known => ({ key, is, rule, example })

/** The optional services that go under a client. */
const under: ReadonlyArray<Known> = [
  service(IpGuard, { admit: isEffect }, "IpGuard.layerMemory()"),
  service(ReplyCache, { isPossible: isFunction, answer: isFunction }, "ReplyCache.layerMemory({ maxBytes: 1e8 })"),
  service(ChainSizes, { find: isFunction, keep: isFunction }, "ChainSizes.layerMemory()"),
  service(RetryBudget, { take: isEffect }, "RetryBudget.layerMemory()")
]

/** The ledger, which every client needs. */
const ledger = service(CreditLedger, { reserve: isFunction, balance: isEffect }, "CreditLedger.layerUnlimited")

/** A deadline may be 0: a gateway subtracts the time that a call has waited. */
const isDeadline = (value: unknown): boolean => value === undefined || value === 0 || isTime(value)

const isTime = (value: unknown): boolean => typeof value === "number" && value > 0

const ipRule = { whenHeld: isOneOf("fail", "wait"), heldBy: isOneOf("addressBlock", "any403") }

/** The services and policies that may be provided to a call. */
const atTheCall: ReadonlyArray<Known> = [
  service(RetryPolicy, { start: isEffect }, "RetryPolicy.layer({ attempts: 3 })"),
  service(RetryPolicy, { deadline: isDeadline }, "RetryPolicy.layer({ deadline: 10_000 })"),
  service(CacheFallback, { decide: isFunction }, "CacheFallback.layerUpTo(500)"),
  service(Buffers, { take: isFunction, give: isFunction }, "BufferPool.make()"),
  service(Budget, { reserve: isFunction }, "what CreditLedger.makeMemory({ allowance: 500 }) makes"),
  policy(Policies.Findings, isOneOf("keep", "strict"), `must be "keep" or "strict"`, `"strict"`),
  policy(Policies.RecordedFigures, isOneOf("possible", "any", "explained"), "must be a RecordedFigures", `"possible"`),
  // A timer treats anything else as 0 ms: each request would be cut off after it was sent, and may be charged.
  policy(Policies.AttemptTimeout, isTime, "must be above 0 ms", "60_000"),
  policy(Policies.IpRule, has(ipRule), "must say whenHeld and heldBy", `{ whenHeld: "fail", heldBy: "any403" }`),
  policy(Policies.Coalesce, isOneOf(true, false), "must be true or false", "true")
]

/** The refusal of the first service or policy that is there and has a wrong form. */
const ofWrongForm = (context: Context.Context<never>, all: ReadonlyArray<Known>): InvalidQuery | undefined => {
  for (const { example, is, key, rule } of all) {
    if (!context.mapUnsafe.has(key)) continue
    const value: unknown = context.mapUnsafe.get(key)
    if (is(value)) continue
    return new InvalidQuery({ parameter: nameOf(key), value: Problem.shown(value), rule, example })
  }
  return undefined
}

/** The services that clients made for themselves, because none was provided. */
const own = new WeakSet<object>()

/** Remembers that a client made a service for itself. */
export const ownOf = <Service extends object>(service: Service): Service => {
  own.add(service)
  return service
}

/** Whether a program provided a service. */
const isProvided = ({ mapUnsafe }: Context.Context<never>, { key }: Known): boolean => {
  const service: unknown = mapUnsafe.get(key)
  return service !== undefined && !own.has(service as object)
}

/**
 * Checks the services that a client is made with: `problem` is what is wrong with them. `ofCall` checks those around a call: it refuses one that the client
 * was made without, and one of a wrong form.
 */
export const check = (made: Context.Context<never>) => {
  const missing = under.filter((known) => !isProvided(made, known))
  return {
    problem: ofWrongForm(made, [ledger, ...under, ...atTheCall]),
    ofCall: (caller: Context.Context<never>): InvalidQuery | undefined => {
      const beside = missing.find((known) => isProvided(caller, known))
      return beside === undefined ? ofWrongForm(caller, atTheCall) : new InvalidQuery({
        parameter: nameOf(beside.key),
        value: "of the program",
        rule: "must be provided to the client, which does not see a service provided beside it",
        example: `MarketData.layer().pipe(Layer.provide(${beside.example}))`
      })
    }
  }
}
