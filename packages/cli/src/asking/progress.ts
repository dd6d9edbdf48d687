/** How far a round has come, on standard error, for as long as it takes: requests, contracts, credits and time. */
import { CreditLedger } from "@effect-marketdata/client"
import { ForeignText } from "@effect-marketdata/core"
import type { Reason } from "@effect-marketdata/core/Reason"
import { Clock, Effect, Stream } from "effect"
import { queryNames } from "../failure/names.ts"
import { Output } from "../output/output.ts"
import * as Screen from "../output/screen.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import { type Call, queriesOf } from "./command.ts"
import * as Ledger from "./ledger.ts"
import * as Round from "./round.ts"

/** What is over before a person would wonder is not worth a line. */
const patience = "500 millis"

/** Shows a line that is made anew of the seconds that have passed, for as long as something runs and where there is somebody to look at it. */
export const beside = Effect.fnUntraced(function*<A, E, R, R2>(
  run: Effect.Effect<A, E, R>,
  line: (passed: number) => Effect.Effect<Line, never, R2>
) {
  const { canAnimate, isJson } = yield* Output
  if (!canAnimate || isJson) return yield* run
  const shown = Effect.scoped(Effect.gen(function*() {
    const started = yield* Clock.currentTimeMillis
    yield* Effect.sleep(patience)
    const replace = yield* Screen.status
    for (;;) {
      yield* replace(yield* line(((yield* Clock.currentTimeMillis) - started) / 1000))
      yield* Effect.sleep("200 millis")
    }
  }))
  return yield* Effect.raceFirst(run, shown)
})

/** Shows how far a round has come. */
export const during = Effect.fnUntraced(function*<Data, E, R>(
  call: Call<Data>,
  round: (progress: Round.Progress) => Effect.Effect<Round.Round<Data>, E, R>
) {
  const progress = Round.noProgress()
  const all = queriesOf(call)
  const ledger = yield* CreditLedger.CreditLedger
  let requests = 0
  yield* Effect.forkScoped(Stream.runForEach(ledger.history, ({ _tag }) =>
    Effect.sync(() => {
      if (_tag === "Sent") requests++
    })))
  return yield* beside(round(progress), (passed) =>
    Effect.map(Ledger.balance, ({ charged }): Line => [
      { text: `asking ${queryNames(all)}`, means: "aside" },
      `: ${
        [
          ...all.length === 1 ? [] : [`${progress.answered} of ${all.length} answered`],
          Words.count(requests, "request"),
          ...progress.retried === undefined ? [] : [`again: ${why(progress.retried)}`],
          ...progress.rows === 0 ? [] : [Words.count(progress.rows, all[0].kind === "chain" ? "contract" : "row")],
          Words.credits(charged),
          Words.age(passed),
          ...left(progress.answered, all.length, passed)
        ].join(", ")
      }`
    ]))
}, Effect.scoped)

/** Why a request was sent again, in as much room as a narrow terminal has. */
const why = ({ said }: Reason): string => ForeignText.line(said.what, 60)

/** How long it may still take, by what it took so far. */
export const left = (done: number, of: number, passed: number): ReadonlyArray<string> =>
  done === 0 || done === of ? [] : [`about ${Words.age(Math.max(1, passed / done * (of - done)))} left`]
