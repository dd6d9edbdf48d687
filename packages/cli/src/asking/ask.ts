/** Asks a question, in an order that a reader can follow: the price first, then the data, then what they came to. */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Credits from "@effect-marketdata/core/Credits"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Failure from "../failure/failure.ts"
import * as Answers from "../output/answer.ts"
import { Output } from "../output/output.ts"
import * as Own from "../settings/own.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import * as Connection from "./connection.ts"
import { consent } from "./consent.ts"
import type * as Flags from "./flags.ts"
import type { Made, Question } from "./question.ts"

/** The time that a command may take: the flag, else the setting. */
const timeLimit = (timeout: Option.Option<Duration.Duration>) =>
  Option.isSome(timeout)
    ? Effect.succeed(timeout)
    : Config.option(Own.timeout)

/** Limits a query with all its attempts; the client settles what is in flight by then as lost. */
const limited = <A, E, R>(self: Effect.Effect<A, E, R>, limit: Option.Option<Duration.Duration>) =>
  Option.isNone(limit) ?
    self :
    Effect.flatMap(
      Effect.serviceOption(RetryPolicy.RetryPolicy),
      (given) =>
        Effect.provideService(self, RetryPolicy.RetryPolicy, {
          ...Option.getOrElse(given, () => RetryPolicy.make()),
          deadline: Duration.toMillis(limit.value)
        })
    )

/** Says what was spent where a command is stopped before its end; by then everything in flight is settled. */
const sayWhatWasSpent = Effect.gen(function*() {
  const { format, note } = yield* Output
  const { charged, uncertain } = yield* CreditLedger.CreditLedger.use(({ balance }) => balance)
  const perhaps = uncertain === 0 ?
    "" :
    `, and perhaps ${
      uncertain === Infinity ? "more, without an upper bound" : `up to ${Words.credits(uncertain)} more`
    }`
  const message = `stopped: ${Words.credits(charged)} spent${perhaps}`
  const failure = { class: "interrupted", reason: "Interrupted", message, credits: { charged, uncertain } } as const
  yield* note([
    format === "json" ? Failure.json(new Failure.CommandError(failure)) : { text: message, means: "warning" }
  ])
})

const send = Effect.fnUntraced(function*<Data>({ query, view }: Question<Data>, input: Flags.Input) {
  const { format, note, size } = yield* Output
  const people = format === "json" ? () => Effect.void : note
  const { description } = yield* Connection.Connection
  yield* people([description, Report.line("estimate", Credits.format(Credits.estimate(query)))])
  const answer = yield* limited(MarketData.run(query), yield* timeLimit(input.timeout)).pipe(
    Effect.onInterrupt(() => sayWhatWasSpent),
    Effect.tapError((error) => input.verbose ? people(Report.trace(error.trace)) : Effect.void)
  )
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const room = yield* size
  const rows = view.rows(answer.data)
  yield* Answers.print({
    query,
    answer,
    rows,
    lines: view.lines === undefined ? Answers.grid(rows, room.columns) : view.lines(answer.data, room, now)
  })
  yield* people([
    ...(format === "table" ? [""] : []),
    ...Report.account(answer, now),
    ...Report.findings(answer.findings, input.verbose),
    ...(input.verbose ? Report.trace(answer.trace) : [])
  ])
})

/** A question that could not be made fails as the client fails with it. */
export const named = <Data>(made: Made<Data>) =>
  Effect.mapError(
    made,
    (error) => error._tag === "InvalidQuery" ? new MarketDataError({ query: "query", reason: error, trace: [] }) : error
  )

/** Asks a question if its price is allowed, and prints the answer. */
export const ask = Effect.fnUntraced(function*<Data>(made: Made<Data>, input: Flags.Input) {
  const question = yield* named(made)
  const fallbackUpTo = question.fallbackUpTo ?? Option.none()
  const most = yield* consent(question.query, { budget: input.budget, yes: input.yes, fallbackUpTo })
  yield* send(question, input).pipe(
    Effect.provide(
      Connection.layer({ seed: input.seed, plan: input.plan }).pipe(
        Layer.provideMerge(
          most === Infinity ? CreditLedger.layerUnlimited : CreditLedger.layerMemory({ allowance: most })
        ),
        Layer.merge(CacheFallback.layerUpTo(Option.getOrElse(fallbackUpTo, () => 0)))
      )
    )
  )
})
