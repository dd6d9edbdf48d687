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
import * as Failure from "../failure/failure.ts"
import { CommandError, type Way } from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import * as Own from "../settings/own.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { ofWay, queryNames } from "./flagNames.ts"
import * as Typed from "./typed.ts"

/** The credits that a command may cost without being asked, where nothing else says so. */
const defaultThreshold = 100

const threshold = Config.withDefault(Own.confirmAbove, defaultThreshold)

/** What was allowed on the command line. */
export interface Allowed {
  readonly budget: Option.Option<number>
  readonly yes: boolean
  /** The ceiling of live data after a cached miss, which consents to that price. */
  readonly fallbackUpTo: Option.Option<number>
}

/** The queries of a call. */
type Queries = readonly [Query.Query, ...ReadonlyArray<Query.Query>]

/** These with their prices. */
export interface Priced {
  readonly queries: Queries
  readonly estimates: ReadonlyArray<Credits.Estimate>
}

/** What the same costs from the cache, where the endpoint has one. */
const cached = (queries: Queries, most: number, typed: ReadonlyArray<string>): ReadonlyArray<Way> => {
  if (!queries.every((query) => query.cacheable && !DataMode.isCached(query.mode))) return []
  const estimates = queries.map((query) => Credits.estimate(Query.withMode(query, DataMode.cached())))
  if (estimates.reduce((sum, estimate) => sum + Credits.bound(estimate), 0) > most) return []
  return [{ command: Typed.withFlags(typed, { "--mode": "cached" }), price: Report.estimates(estimates) }]
}

/** How a query can be bounded within what is allowed: by its filters or, where none does, by what is expected to come back. */
const narrower = (
  [query, ...others]: Queries,
  bound: number,
  most: number,
  typed: ReadonlyArray<string>
): ReadonlyArray<Way> => {
  if (others.length > 0) return []
  const ways = Credits.ways(query, most).filter(({ options }) => !("mode" in options))
  // Where the price is bounded, a smaller number would be a guess against what is known.
  const way = ways.find(({ options }) => !("assume" in options)) ?? (bound === Infinity ? ways[0] : undefined)
  return way === undefined ? [] : [{
    command: Typed.withFlags(typed, Object.fromEntries(ofWay(way))),
    price: Report.estimates([way.price])
  }]
}

/** How the price itself is allowed. */
const allowing = (bound: number, rounds: boolean, typed: ReadonlyArray<string>): Way =>
  bound === Infinity
    ? { command: Typed.withFlags(typed, { "--budget": undefined, "--yes": true }), price: "whatever it costs" }
    : {
      command: Typed.withFlags(typed, { "--budget": String(bound) }),
      price: rounds ? "or more, for all rounds together" : `at most ${Words.credits(bound)}`
    }

/** What a price is called in a prompt, with the size of a chain that it goes by. */
const priced = ({ estimates, queries }: Priced, bound: number, rounds: boolean): string =>
  `${rounds ? "each round of " : ""}${queryNames(queries)} may cost ` +
  (bound === Infinity
    ? "any number of credits: it has no upper bound"
    : `up to ${Words.credits(bound)}${Report.sizes(estimates)}`)

/** Asks a person: whether to send it or, where it is sent again and again, what all rounds may cost together. */
const call = (bound: number, rounds: boolean): Prompt.Prompt<Option.Option<number>> =>
  rounds && bound !== Infinity
    ? Prompt.Int({ message: "How many credits may all rounds cost together?", min: 0 }).pipe(
      Prompt.map((budget) => budget >= bound ? Option.some(budget) : Option.none())
    )
    : Prompt.Confirm({ message: "Send it?", initial: false }).pipe(
      Prompt.map((yes) => yes ? Option.some(bound) : Option.none())
    )

/**
 * Returns the most credits that the queries may cost together by the consent that was given: `Infinity` where they may cost anything. Fails where
 * there is none. With `rounds` they are asked again and again, and the consent is for all rounds together.
 */
export const consent = Effect.fnUntraced(function*(asked: Priced, allowed: Allowed, rounds = false) {
  const { estimates, queries } = asked
  // Without a price there is nothing to consent to: the client refuses it and says why.
  if (estimates.some(({ _tag }) => _tag === "Unavailable" || _tag === "Refused")) return 0
  if (Option.isSome(allowed.budget) && allowed.yes) return allowed.budget.value
  if (allowed.yes) return Infinity
  const bound = estimates.reduce((sum, estimate) => sum + Credits.bound(estimate), 0)
  const most = Option.isSome(allowed.budget)
    ? allowed.budget.value
    : Math.max(yield* threshold, Option.getOrElse(allowed.fallbackUpTo, () => 0) * queries.length)
  if (bound <= most) return most
  const output = yield* Output
  const typed = yield* Typed.Typed
  const cheaper = [...cached(queries, most, typed), ...narrower(queries, bound, most, typed)]
  if (output.canAsk && Option.isNone(allowed.budget)) {
    yield* output.note([
      { text: priced(asked, bound, rounds), means: "warning" },
      ...Failure.formatWays(cheaper)
    ])
    const agreed = yield* Effect.catchTag(
      Prompt.run(call(bound, rounds)),
      "QuitError",
      () =>
        Effect.fail(
          new CommandError({ class: "interrupted", reason: "Interrupted", message: "stopped. Nothing was sent." })
        )
    )
    if (Option.isSome(agreed)) return agreed.value
    return yield* new CommandError({
      class: "budget",
      reason: "Declined",
      message: "you declined the price. Nothing was sent."
    })
  }
  return yield* new CommandError({
    class: "budget",
    reason: "PriceNotAllowed",
    message: `${priced(asked, bound, rounds)}, and ${Words.credits(most)} ${
      Option.isSome(allowed.budget) ? "are allowed by --budget" : "may be spent without being asked"
    }${rounds ? " by all rounds together" : ""}. Nothing was sent.`,
    next: "type one of these instead:",
    ways: [...cheaper, allowing(bound, rounds, typed)]
  })
})
