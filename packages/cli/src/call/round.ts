/** One round of a call: all its queries, asked together; its progress and its results. */
import { CreditLedger, MarketData, RetryPolicy } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Answer, ForeignText, Plan, type Query } from "@effect-marketdata/core"
import type { Reason } from "@effect-marketdata/core/Reason"
import { Duration, Effect, Option, Stream } from "effect"
import * as Failure from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import * as Person from "../output/person.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { type Answered, type Call, queriesOf } from "./command.ts"
import type { Connection } from "./connection.ts"
import * as Ledger from "./ledger.ts"
import * as Notes from "./notes.ts"

/** The results of a round: at least one answer, and the errors of the other queries. */
export interface Round<out Data> {
  readonly answered: readonly [Answered<Data>, ...ReadonlyArray<Answered<Data>>]
  readonly failures: ReadonlyArray<MarketDataError>
}

type Answers = ReadonlyArray<Answered<unknown>>

/** The most time that a query may take. */
export type Limit = Duration.Duration | undefined

/** How far a round has come: the queries that are answered, their rows, and why a request was sent again last. */
interface Progress {
  answered: number
  rows: number
  retried?: Reason
}

/** An answer whose estimate is the one that was shown: capped by the ceiling of live data. */
const bounded = <Data>(answer: Answer.Answer<Data>, query: Query.Query, ceiling?: number): Answer.Answer<Data> => {
  const { credits } = answer
  const estimate = Plan.capped(query, credits.estimate, ceiling)
  return estimate === credits.estimate ? answer : Answer.make({ ...answer, credits: { ...credits, estimate } })
}

const all = Effect.fnUntraced(function*<Data>(call: Call<Data>, progress: Progress) {
  const one = (query: Query.Query<Data>) =>
    Effect.map(MarketData.run(query), (given): Answered<Data> => {
      const answer = bounded(given, query, call.fallbackUpTo)
      progress.answered++
      progress.rows += call.view.rows(answer.data).length
      return { query, answer }
    })
  // Unbounded here: the client limits the requests in flight.
  const asked = Effect.partition(queriesOf(call), one, { concurrency: "unbounded" })
  const [[first, ...others], failures] = yield* asked
  if (first === undefined) return yield* Effect.fail(failures)
  const round: Round<Data> = { answered: [first, ...others], failures }
  return round
})

/**
 * Asks all queries of a call. `limit` bounds the time of each with all its attempts; what is in flight by then is settled as lost. Retries are recorded in
 * `progress`. Fails if no query is answered.
 */
export const ask = Effect.fnUntraced(
  function*<Data>(call: Call<Data>, limit: Limit, progress: Progress = { answered: 0, rows: 0 }) {
    const given = yield* Effect.serviceOption(RetryPolicy.RetryPolicy)
    const policy = Option.getOrElse(given, () => RetryPolicy.make())
    const recorded = (decide: RetryPolicy.Decide): RetryPolicy.Decide => (failure) =>
      Effect.tap(decide(failure), ({ _tag }) =>
        Effect.sync(() => {
          if (_tag !== "Stop") progress.retried = failure.reason
        }))
    const deadline = limit === undefined ? policy.deadline : Duration.toMillis(limit)
    const start = Effect.map(policy.start, recorded)
    return yield* Effect.provideService(all(call, progress), RetryPolicy.RetryPolicy, { deadline, start })
  }
)

/** The failure of a query; without data it says which filters may have left nothing. */
const told = <Data>(error: MarketDataError, { join, query }: Call<Data>): Failure.CommandError => {
  const failure = Failure.of(error)
  const isEmpty = error.reason._tag === "NotFound" && error.reason.cause !== "UnknownSymbol" && join === undefined
  return isEmpty ? Failure.changed(failure, { next: Notes.nothing(query) ?? failure.next }) : failure
}

/**
 * Several failures as one: the first, with the names of the other queries and the cost of all, that of the answers included. One that the price refused
 * another try tells of its last request alone, and not how much that may have been charged.
 */
export const failureOf = <Data>(failures: ReadonlyArray<MarketDataError>, call: Call<Data>, answers: Answers = []) => {
  const all = failures.map((error) => told(error, call))
  const [first, credits] = [all[0]!, Report.costOf([...all, ...answers.map(({ answer }) => answer)])]
  const { reason, trace } = failures[0]!
  const isTold = first.reason === reason._tag || (trace.length === 1 && credits.uncertain === 0)
  if (all.length === 1 && isTold) return Failure.changed(first, { credits })
  const names = Names.few(failures.slice(1).map(({ query }) => Names.label(query)))
  const also = names === "" ? "" : ` Also failed: ${ForeignText.line(names, 200)}.`
  const cost = Words.spent(credits.charged, credits.uncertain)
  return Failure.changed(first, { message: `${first.message}${also} In all it cost ${cost}.`, credits })
}

/** The failure of a list that was answered without some of its rows; undefined if all are there. */
export const missingOf = <Data>({ answered }: Round<Data>): Failure.CommandError | undefined => {
  const missing = answered.flatMap(({ answer }) => answer.findings).filter(({ code }) => code === "MissingRow")
  const [first] = missing
  if (first === undefined) return undefined
  const names = missing.flatMap(({ examples }) => examples.map(({ expected }) => expected))
  const more = missing.reduce((sum, { count }) => sum + count, 0) - names.length
  const expected = ForeignText.line(names.join(", "), 200) + (more > 0 ? ` and ${more} more` : "")
  const message = `expected ${expected}, received none.`
  const next =
    "the service does not know the symbol, or has no data for it in this mode: check how it is written, or ask with --mode live"
  const credits = Report.costOf(answered.map(({ answer }) => answer))
  return new Failure.CommandError({ class: "notFound", reason: "MissingRow", message, next, credits })
}

/** The data of all answers of a round, joined. */
export const dataOf = <Data>({ join }: Call<Data>, { answered }: Round<Data>): Data =>
  join === undefined ? answered[0].answer.data : join(answered)

/** The notes on the answers of a round, without duplicates; `now` is in epoch seconds. */
export const notesOf = <Data>({ view }: Call<Data>, { answered }: Round<Data>, now: number) => {
  const asked = answered.map(({ answer, query }) => ({ query, answer, rows: view.rows(answer.data).length, now }))
  return [...new Set(asked.flatMap(Notes.notes))]
}

/**
 * The document of a round: which service answered, the notes, and one query with its answer or, of a command that takes a list, a list of them.
 */
export const documentOf = <Data>(
  call: Call<Data>,
  round: Round<Data>,
  { service }: Connection["Service"],
  now: number
): object => ({
  service,
  notes: notesOf(call, round, now),
  ...call.view.beside?.(dataOf(call, round)).document,
  ...(call.join === undefined ? round.answered[0] : { answers: round.answered })
})

/** Asks, and shows its progress on standard error: requests, contracts, credits and time. */
export const during = Effect.fnUntraced(function*<Data>(call: Call<Data>, limit: Limit) {
  const progress: Progress = { answered: 0, rows: 0 }
  const all = queriesOf(call)
  const ledger = yield* CreditLedger.CreditLedger
  let requests = 0
  const sent = Stream.filter(ledger.history, ({ _tag }) => _tag === "Sent")
  yield* Effect.forkScoped(Stream.runForEach(sent, () => Effect.sync(() => requests++)))
  return yield* Person.beside(
    ask(call, limit, progress),
    (passed) =>
      Effect.map(Ledger.balance, ({ charged }): Line => {
        const told = [
          ...all.length === 1 ? [] : [`${progress.answered} of ${all.length} answered`],
          Words.count(requests, "request"),
          ...progress.retried === undefined ? [] : [`again: ${why(progress.retried)}`],
          ...progress.rows === 0 ? [] : [Words.count(progress.rows, all[0].kind === "chain" ? "contract" : "row")],
          Words.credits(charged),
          Words.age(passed),
          ...Person.left(progress.answered, all.length, passed)
        ]
        return [{ text: `asking ${Names.queryNames(all)}`, means: "aside" }, `: ${told.join(", ")}`]
      })
  )
}, Effect.scoped)

/** Why a request was sent again, in as much room as a narrow terminal has. */
const why = ({ said }: Reason): string => ForeignText.line(said.what, 60)
