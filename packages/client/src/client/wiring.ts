/**
 * How the services of a program and those of its client fit together. What a client may do without, it would not miss where it stands beside the client
 * instead of under it; a call finds out, and says so.
 */
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Budget, CreditLedger } from "../account/CreditLedger.ts"
import { IpGuard } from "../account/IpGuard.ts"
import { ChainSizes } from "../cache/ChainSizes.ts"
import { ReplyCache } from "../cache/ReplyCache.ts"
import * as Checked from "../config/checked.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import { RetryBudget } from "../policy/RetryBudget.ts"
import { RetryPolicy } from "../policy/RetryPolicy.ts"

/** A service by its key in a context, what it must have, and a layer of it. */
interface Known {
  readonly key: string
  readonly has: Parameters<typeof Checked.has>[0]
  readonly example: string
}

/** The name that people know a service by. */
const nameOf = (key: string): string => key.replace("@effect-marketdata/client/", "").replace("/", ".")

const isFunction = Checked.isFunction
const isEffect = Effect.isEffect

/** What a client is made with, if it is there. */
const under: ReadonlyArray<Known> = [
  { key: IpGuard.key, has: { admit: isEffect }, example: "IpGuard.layerMemory()" },
  { key: ReplyCache.key, has: { isPossible: isFunction, answer: isFunction }, example: "ReplyCache.layerMemory()" },
  { key: ChainSizes.key, has: { find: isFunction, keep: isFunction }, example: "ChainSizes.layerMemory()" },
  { key: RetryBudget.key, has: { take: isEffect }, example: "RetryBudget.layerMemory()" }
]

/** What a client cannot do without. */
const ledger: Known = {
  key: CreditLedger.key,
  has: { reserve: isFunction, balance: isEffect },
  example: "CreditLedger.layerUnlimited"
}

/** What may differ from call to call. */
const atTheCall: ReadonlyArray<Known> = [
  { key: RetryPolicy.key, has: { start: isEffect }, example: "RetryPolicy.layer({ attempts: 3 })" },
  { key: CacheFallback.key, has: { decide: isFunction }, example: "CacheFallback.layerUpTo(500)" },
  { key: Budget.key, has: { reserve: isFunction }, example: "what CreditLedger.makeMemory({ allowance: 500 }) makes" }
]

const ofWrongForm = (context: Context.Context<never>, all: ReadonlyArray<Known>): InvalidQuery | undefined => {
  for (const { example, has, key } of all) {
    const service: unknown = context.mapUnsafe.get(key)
    if (service === undefined || Checked.has(has)(service)) continue
    return new InvalidQuery({
      parameter: nameOf(key),
      value: Problem.shown(service),
      rule: `must be a service with ${Object.keys(has).join(" and ")}`,
      example
    })
  }
  return undefined
}

/** Services that a client made for itself, because none was provided. */
const own = new WeakSet<object>()

/** Remembers that nobody provided a service. */
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
 * Looks at the services that a client is made with. What comes back looks at those around each of its calls: one that the client was made without,
 * and one of a wrong form.
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
        rule: "must be provided to the client, which does not use it where it stands beside it",
        example: `MarketData.layer().pipe(Layer.provide(${beside.example}))`
      })
    }
  }
}
