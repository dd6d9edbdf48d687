/**
 * Consent to a price: nothing is sent whose bound is unknown, or above what was allowed by `--budget`, `--yes` or the setting `confirmAbove`. On a
 * terminal the person is asked; a script is refused, and told which flag would allow it.
 */
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import * as Prompt from "effect/cli/Prompt"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandError } from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import * as Own from "../settings/own.ts"
import * as Words from "../text/words.ts"

/** The credits that a command may cost without being asked, where nothing else says so. */
export const defaultThreshold = 100

const threshold = Config.withDefault(Own.confirmAbove, defaultThreshold)

/** What was allowed on the command line. */
export interface Allowed {
  readonly budget: Option.Option<number>
  readonly yes: boolean
  /** The ceiling of live data after a cached miss, which consents to that price. */
  readonly fallbackUpTo: Option.Option<number>
}

/** The most that a query may cost: in the mode that falls back, the ceiling is the consent. */
const boundOf = (query: Query.Query, estimate: Credits.Estimate, ceiling: Option.Option<number>): number =>
  query.mode?._tag === "CachedOrLive" && Option.isSome(ceiling)
    ? Math.max(1, Math.min(ceiling.value, Credits.bound(estimate)))
    : Credits.bound(estimate)

/** What the same costs from the cache, where the endpoint has one. */
const cachedPrice = (query: Query.Query): ReadonlyArray<string> =>
  query.cacheable && !DataMode.isCached(query.mode)
    ? [
      `the same from the cache: ${
        Credits.format(Credits.estimate(Query.withMode(query, DataMode.cached())))
      } (--mode cached)`
    ]
    : []

const waysOut = (query: Query.Query, bound: number): ReadonlyArray<string> => [
  ...cachedPrice(query),
  ...(bound === Infinity && query.kind === "chain"
    ? ["to bound it: --contracts COUNT, --expiration DAY, --strike PRICE, --side call|put or --strike-limit COUNT"]
    : []),
  bound === Infinity
    ? "to allow a bound above the threshold: --budget CREDITS; to allow it whatever it costs: --yes"
    : `to allow it: --budget ${bound} or --yes`
]

/** What a price is called in a question. */
const priced = (query: Query.Query, bound: number): string =>
  `${query.endpoint.name}${query.subject === "" ? "" : ` ${query.subject}`} may cost ` +
  (bound === Infinity ? "any number of credits: it has no upper bound" : `up to ${Words.credits(bound)}`)

/**
 * Returns the most credits that the query may cost by the consent that was given: `Infinity` where it may cost anything. Fails where there is none.
 */
export const consent = Effect.fnUntraced(function*(query: Query.Query, allowed: Allowed) {
  const estimate = Credits.estimate(query)
  // Without a price there is nothing to consent to: the client refuses it and says why.
  if (estimate._tag === "Unavailable" || estimate._tag === "Refused") return 0
  if (Option.isSome(allowed.budget) && allowed.yes) return allowed.budget.value
  if (allowed.yes) return Infinity
  const bound = boundOf(query, estimate, allowed.fallbackUpTo)
  const most = Option.isSome(allowed.budget)
    ? allowed.budget.value
    : Math.max(yield* threshold, Option.getOrElse(allowed.fallbackUpTo, () => 0))
  if (bound <= most) return most
  const output = yield* Output
  if (output.canAsk && Option.isNone(allowed.budget)) {
    yield* output.note([
      { text: priced(query, bound), means: "warning" },
      ...waysOut(query, bound).slice(0, -1)
    ])
    if (yield* Prompt.run(Prompt.Confirm({ message: "Send it?", initial: false }))) return bound
    return yield* new CommandError({
      class: "budget",
      reason: "Declined",
      message: "you declined the price. Nothing was sent."
    })
  }
  return yield* new CommandError({
    class: "budget",
    reason: "PriceNotAllowed",
    message: `${priced(query, bound)}, and ${Words.credits(most)} ${
      Option.isSome(allowed.budget) ? "are allowed by --budget" : "may be spent without being asked"
    }. Nothing was sent.`,
    next: waysOut(query, bound).join("; ")
  })
})
