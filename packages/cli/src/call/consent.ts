/**
 * Consent to a price: nothing is sent whose bound is unknown, or above what was allowed by `--budget`, `--yes` or the setting `confirmAbove`. On a
 * terminal the person is asked; a script is refused, and told which flag would allow it.
 */
import { Credits, DataMode, Query } from "@effect-marketdata/core"
import { Config, Effect } from "effect"
import * as Prompt from "effect/cli/Prompt"
import * as Failure from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import { Output } from "../output/output.ts"
import * as Person from "../output/person.ts"
import * as Settings from "../settings/settings.ts"
import { means } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import * as Kept from "./kept.ts"

/** The default of `confirmAbove`: the credits that a command may cost without consent. */
const defaultThreshold = 100

const threshold = Config.withDefault(Settings.config("confirmAbove"), defaultThreshold)

/** What was allowed on the command line. */
export interface Allowed {
  readonly budget: number | undefined
  readonly yes: boolean
  /** The ceiling of live data after a cached miss, which consents to that price. */
  readonly fallbackUpTo: number
}

/** Queries with their prices. */
export interface Priced {
  readonly queries: readonly [Query.Query, ...ReadonlyArray<Query.Query>]
  readonly estimates: ReadonlyArray<Credits.Estimate>
  /** The name of a file of queries: they are narrowed in the file, and not by flags. */
  readonly name?: string
}

/** What is to be consented to. */
interface Asked extends Priced {
  /** The most that it may cost. */
  readonly bound: number
  /** What was allowed. */
  readonly most: number
  /** Whether it is asked again and again. */
  readonly rounds: boolean
  readonly typed: ReadonlyArray<string>
}

/** The same command with cached data, if that is possible and cheap enough. */
const cached = ({ most, queries, typed }: Asked): ReadonlyArray<Names.Instead> => {
  if (!queries.every((query) => query.cacheable && !DataMode.isCached(query.mode))) return []
  const estimates = queries.map((query) => Credits.estimate(Query.withMode(query, DataMode.cached())))
  if (Kept.boundOf(estimates) > most) return []
  return [{ words: Names.withFlags(typed, { "--mode": "cached" }), price: Report.estimates(estimates) }]
}

/** The same command with a filter that bounds its price within what is allowed, or with an expected count if no filter does. */
const narrower = ({ bound, most, queries: [query, ...others], typed }: Asked): ReadonlyArray<Names.Instead> => {
  if (others.length > 0) return []
  const ways = Credits.ways(query, most).filter(({ options }) => !("mode" in options))
  // If the price is bounded already, the size is known, and a smaller expected count would be wrong.
  const way = ways.find(({ options }) => !("assume" in options)) ?? (bound === Infinity ? ways[0] : undefined)
  if (way === undefined) return []
  return [{ words: Names.withFlags(typed, Names.flagsOf(way)), price: Report.estimates([way.price]) }]
}

/** The command that lists the strikes of a chain, which tell how many contracts it has. No command asks for several chains. */
const counting = ({ bound, queries: [{ endpoint, subject }] }: Asked): ReadonlyArray<Names.Instead> =>
  bound === Infinity && endpoint.name === "optionChain"
    ? [{ words: ["strikes", subject], price: "1 credit: two contracts for each strike" }]
    : []

/** The same command with consent to its price. */
const allowing = ({ bound, rounds, typed }: Asked): Names.Instead => {
  const words = (flags: Names.Flags) => Names.withFlags(typed, flags)
  if (bound === Infinity) return { words: words({ "--budget": undefined, "--yes": true }), price: "whatever it costs" }
  const price = rounds ? "or more, for all rounds together" : `at most ${Words.credits(bound)}`
  return { words: words({ "--budget": String(bound) }), price }
}

/** The commands as they are shown. */
const shown = (instead: ReadonlyArray<Names.Instead>): ReadonlyArray<Failure.Way> =>
  instead.map(({ price, words }) => ({ command: Names.shellLine(words), price }))

/** The price in words, with the chain size that it is based on. */
const priced = ({ bound, estimates, name, queries, rounds }: Asked): string =>
  `${rounds ? "each round of " : ""}${name ?? Names.queryNames(queries)} may cost ` +
  (bound === Infinity
    ? "any number of credits: it has no upper bound"
    : `up to ${Words.credits(bound)}${Report.sizes(estimates)}`)

/** How a query without an upper bound can be held to `credits`, by an expected count. Several queries, or those of a file, cannot. */
const holding = ({ name, queries }: Asked, credits: number) =>
  queries.length > 1 || name !== undefined
    ? undefined
    : Credits.ways(queries[0], credits).find(({ options }) => "assume" in options)

/** What a person may answer with, besides the letter of a command. */
const answers = (about: Asked): string =>
  about.bound === Infinity
    ? `Type ${holding(about, about.most) ? "the most credits it may cost, or " : ""}the word yes for any price`
    : about.rounds
    ? "Type the most credits that all rounds may cost together"
    : "Type y to send it"

const letters = "abcdefgh"

/**
 * Asks a person, with the price in the prompt. Returns what may be spent, or fails with the command that was chosen instead. Without an upper bound a single
 * key is not consent: the answer must be a number or the word yes.
 */
const asked = Effect.fnUntraced(function*(about: Asked, instead: ReadonlyArray<Names.Instead>) {
  const { bound, rounds, typed } = about
  const choices = instead.length === 0 ? "" : ", or the letter of a command above"
  const message = `${priced(about)}. ${answers(about)}${choices}:`
  const answer = (yield* Person.ask(Prompt.String({ message }), "Nothing was sent.")).trim().toLowerCase()
  const chosen = answer.length === 1 ? instead[letters.indexOf(answer)] : undefined
  if (chosen !== undefined) return yield* new Failure.Instead({ words: chosen.words })
  if (bound === Infinity ? answer === "yes" : !rounds && /^y(?:es)?$/.test(answer)) return bound
  const most = /^\d{1,15}$/.test(answer) ? Number(answer) : 0
  if (bound === Infinity && most > 0) {
    const way = holding(about, most)
    if (way !== undefined) {
      const flags = { ...Names.flagsOf(way), "--budget": answer }
      return yield* new Failure.Instead({ words: Names.withFlags(typed, flags) })
    }
  } else if (most >= bound) return most
  return yield* Failure.tooDear("Declined", "you declined the price. Nothing was sent.")
})

/**
 * Returns the most credits that the queries may cost together by the consent that was given: `Infinity` where they may cost anything. Fails where
 * there is none. With `rounds` they are asked again and again, and the consent is for all rounds together. `left` tells a person what is left of the
 * allowance.
 */
export const consent = Effect.fnUntraced(function*<E, R>(
  calls: Priced,
  allowed: Allowed,
  rounds: boolean,
  left: Effect.Effect<string | undefined, E, R>
) {
  const { estimates, name, queries } = calls
  if (allowed.yes) return allowed.budget ?? Infinity
  const bound = Kept.boundOf(estimates)
  const most = allowed.budget ?? Math.max(yield* threshold, allowed.fallbackUpTo * queries.length)
  if (bound <= most) return most
  const output = yield* Output
  const about: Asked = { ...calls, bound, most, rounds, typed: yield* Names.Typed }
  const instead = name === undefined ? [...cached(about), ...narrower(about), ...counting(about)] : []
  const price = priced(about)
  if (output.canAsk && allowed.budget === undefined) {
    const account = yield* left
    const ways = shown(instead).map(({ command, price }, at) => ({ command: `${letters[at]}  ${command}`, price }))
    yield* output.note([
      means("warning", price),
      ...account === undefined ? [] : [account],
      ...Failure.formatWays(ways)
    ])
    return yield* asked(about, instead)
  }
  const may = allowed.budget === undefined ? "may be spent without being asked" : "are allowed by --budget"
  const together = rounds ? " by all rounds together" : ""
  const message = `${price}, and ${Words.credits(most)} ${may}${together}. Nothing was sent.`
  const ways = shown([...instead, allowing(about)])
  return yield* Failure.tooDear("PriceNotAllowed", message, "type one of these instead:", { ways })
})
