/**
 * Makes a call again and again. A terminal shows the last answer in place, and its ages are updated; elsewhere each answer is printed after the one before.
 * It ends when the budget is used up, or with a failure that another round would repeat.
 */
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { NewYork, Provenance, TradingCalendar } from "@effect-marketdata/core"
import { Array as Arr, Clock, Duration, Effect, Option, Result } from "effect"
import * as Failure from "../failure/failure.ts"
import { queryNames } from "../failure/names.ts"
import * as Document from "../output/document.ts"
import { Output, type Size } from "../output/output.ts"
import * as Person from "../output/person.ts"
import { means } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { type Call, queriesOf } from "./command.ts"
import { Connection } from "./connection.ts"
import * as Ledger from "./ledger.ts"
import * as Round from "./round.ts"

/** A call that is made again and again. */
interface Watched<Data> {
  readonly call: Call<Data>
  readonly limit: Round.Limit
  readonly every: Duration.Duration
}

/** The state after a round. Times are epoch seconds. */
interface State<Data> {
  readonly rounds: number
  readonly latest: { readonly round: Round.Round<Data>; readonly at: number } | undefined
  /** Whether the latest answer is that of the last round. */
  readonly isNew: boolean
  /** Why the last round had no answer, or not all of them. */
  readonly failure: Failure.CommandError | undefined
  readonly next: number
}

/** Classes of failure after which the next round is still asked. */
const passing: ReadonlySet<string> = new Set(["transport", "service", "noCachedData"])

const isBudget = (errors: ReadonlyArray<MarketDataError>): boolean =>
  errors.some(({ reason }) => reason._tag === "CreditBudgetExceeded")

const beginning = { rounds: 0, latest: undefined, isNew: false, failure: undefined, next: 0 } as const

/** The failure that ends the rounds when their budget is used up. */
const usedUp = Effect.fnUntraced(function*(rounds: number) {
  const { allowance, charged, uncertain } = yield* Ledger.balance
  const spent = `${Words.credits(charged + uncertain)} were spent in ${Words.count(rounds, "round")}`
  const most = Words.credits(allowance)
  const message = `the ${most} for all rounds do not cover another one: ${spent}. Nothing more was sent.`
  const credits = { charged, uncertain }
  return Failure.tooDear("BudgetUsedUp", message, "allow more with --budget CREDITS", { credits })
})

/** Asks round after round, and calls `tell` after each, until a failure ends it. */
const rounds = Effect.fnUntraced(function*<Data, R>(
  { call, every, limit }: Watched<Data>,
  tell: (state: State<Data>) => Effect.Effect<void, Failure.CommandError, R>
) {
  let state: State<Data> = beginning
  for (;;) {
    // By the monotonic clock: setting the machine's clock back or forward does not change the interval.
    const [took, result] = yield* Effect.timed(Effect.result(Round.ask(call, limit)))
    const wasAnswered = Result.isSuccess(result)
    const [errors, answered] = wasAnswered ? [result.success.failures, result.success.answered] : [result.failure]
    const failure = errors.length === 0 ? undefined : Round.failureOf(errors, call, answered)
    // A first round without any answer ends it, whatever the failure: there is nothing to show.
    if (failure !== undefined && !wasAnswered && state.rounds === 0) return yield* failure
    if (!wasAnswered && isBudget(errors)) return yield* yield* usedUp(state.rounds)
    const pause = Duration.subtract(every, took)
    const now = yield* Clock.currentTimeMillis
    state = {
      rounds: state.rounds + 1,
      latest: wasAnswered ? { round: result.success, at: yield* Words.epochSeconds } : state.latest,
      isNew: wasAnswered,
      failure,
      next: Math.floor((now + Duration.toMillis(pause)) / 1000)
    }
    yield* tell(state)
    if (isBudget(errors)) return yield* yield* usedUp(state.rounds)
    if (failure !== undefined && !passing.has(failure.class)) return yield* failure
    yield* Effect.sleep(pause)
  }
})

const linesOf = <Data>(call: Call<Data>, round: Round.Round<Data>, size: Size, now: number) => {
  const data = Round.dataOf(call, round)
  return call.view.lines?.(data, size, now) ?? Document.grid(call.view.rows(data), size.columns)
}

const updatedOf = <Data>({ answered }: Round.Round<Data>): Provenance.Provenance["updated"] =>
  Provenance.merge(...Arr.map(answered, ({ answer }) => answer.provenance)).updated

/** What was spent, and what is left. */
const spent = Effect.gen(function*() {
  const { available, charged, uncertain } = yield* Ledger.balance
  const left = available === Infinity ? "" : `, ${Words.credits(available)} left`
  return `${Words.credits(charged)} spent${Words.perhaps(uncertain)}${left}`
})

/** The lines of the screen: what is asked and when, the data, how fresh they are, and what failed since. */
const frame = Effect.fnUntraced(
  function*<Data>({ call, every }: Watched<Data>, state: State<Data>, size: Size) {
    const time = yield* Words.epochSeconds
    const next = state.next > time ? `again in ${Words.age(state.next - time)}` : "asking"
    const about = [means("heading", queryNames(queriesOf(call))), `, every ${Duration.format(every)}, ${next}`]
    if (state.latest === undefined) return [about]
    const age = Report.age(updatedOf(state.latest.round), call.query, time)
    const cost = `; ${yield* spent} in ${Words.count(state.rounds, "round")}`
    const standing = [age, cost, means("aside", "; Ctrl-C ends it")]
    const old = `the last round failed, the data are those of ${Words.ago(time - state.latest.at)}`
    const failed = state.failure === undefined ? [] : [means("bad", `${old}: ${state.failure.message}`)]
    const notes = Report.notes(Round.notesOf(call, state.latest.round, time))
    // Views leave room for the report below a table, which takes four lines more than these.
    const room = { ...size, rows: size.rows + 4 - failed.length - notes.length }
    return [about, standing, ...failed, ...notes, ...linesOf(call, state.latest.round, room, time)]
  }
)

/** Redraws the screen every second: ages change, and so may the size of the terminal. */
const inPlace = Effect.fnUntraced(function*<Data>(watched: Watched<Data>) {
  const { call } = watched
  const { note, show, size } = yield* Output
  let state: State<Data> = beginning
  const drawn = Effect.scoped(Effect.gen(function*() {
    const draw = yield* Person.open
    const drawIn = (room: Size) => Effect.flatMap(frame(watched, state, room), (lines) => draw(lines, room))
    const redraw = Effect.flatMap(size, drawIn)
    const tell = (next: State<Data>) => Effect.andThen(Effect.sync(() => void (state = next)), redraw)
    const ticking = Effect.forever(Effect.andThen(redraw, Effect.sleep("1 second")))
    return yield* Effect.raceFirst(rounds(watched, tell), ticking)
  }))
  // Once the alternate screen is closed, the last answer is printed on the normal one.
  const last = Effect.gen(function*() {
    if (state.latest === undefined) return
    const time = yield* Words.epochSeconds
    yield* show(linesOf(call, state.latest.round, yield* size, time))
    yield* note(["", ...Report.freshness(updatedOf(state.latest.round), call.query, time)])
  })
  return yield* Effect.ensuring(drawn, last)
})

/** Prints each round after the one before. */
const following = Effect.fnUntraced(function*<Data>(watched: Watched<Data>) {
  const { call } = watched
  const { format, isJson, note, show, size, write } = yield* Output
  const connection = yield* Connection
  const print = Effect.fnUntraced(function*({ latest, rounds }: State<Data>) {
    if (latest === undefined) return
    const data = Round.dataOf(call, latest.round)
    if (format === "csv") return yield* Document.printRows(call.view.rows(data), "csv", rounds === 1)
    if (format !== "table") {
      const document = Round.documentOf(call, latest.round, connection, latest.at)
      return yield* write(JSON.stringify({ version: Document.version, ...document }))
    }
    yield* show([
      ...(rounds === 1 ? [] : [""]),
      means("heading", NewYork.format(latest.at)),
      ...linesOf(call, latest.round, yield* size, latest.at),
      ...Report.freshness(updatedOf(latest.round), call.query, latest.at),
      ...Report.notes(Round.notesOf(call, latest.round, latest.at))
    ])
  })
  const tell = Effect.fnUntraced(function*(state: State<Data>) {
    if (state.isNew) yield* print(state)
    const { failure } = state
    if (failure !== undefined) yield* note(isJson ? [Failure.json(failure)] : Failure.lines(failure))
  })
  return yield* rounds(watched, tell)
})

/** For how long options on indexes are traded after the close of a session, in seconds. */
const late = 900

/** When options are traded again, in epoch seconds; undefined while they are traded. */
const tradedFrom = (now: number): number | undefined => {
  const calendar = TradingCalendar.NYSE
  const session = Option.getOrUndefined(TradingCalendar.sessionOf(calendar, now))
  if (session === undefined || now < session.open) return session?.open
  if (now < session.close + late) return undefined
  const day = TradingCalendar.nextTradingDay(calendar, session.date)
  return Option.getOrUndefined(Option.flatMap(day, (day) => TradingCalendar.session(calendar, day)))?.open
}

/** Warns while options are not traded that each round may be charged for the same quotes. */
const sayWhetherClosed = Effect.fnUntraced(function*<Data>({ query }: Call<Data>) {
  const from = query.endpoint.demo === "option" ? tradedFrom(yield* Words.epochSeconds) : undefined
  if (from === undefined) return
  const until = `options are not traded until ${NewYork.format(from)}`
  yield* (yield* Output).say(Report.notes([`${until}: their quotes do not change, and each round may be charged`]))
})

/** Asks again and again. */
export const run = Effect.fnUntraced(function*<Data>(watched: Watched<Data>) {
  const { canDraw, format } = yield* Output
  yield* sayWhetherClosed(watched.call)
  return yield* canDraw && format === "table" ? inPlace(watched) : following(watched)
})
