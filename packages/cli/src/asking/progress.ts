/** How far a round has come, on standard error, for as long as it takes: requests, contracts, credits and time. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { queryNames } from "../failure/names.ts"
import { Output } from "../output/output.ts"
import * as Screen from "../output/screen.ts"
import * as Words from "../text/words.ts"
import { type Call, queriesOf } from "./call.ts"
import * as Ledger from "./ledger.ts"
import * as Round from "./round.ts"

/** What is over before a person would wonder is not worth a line. */
const patience = "500 millis"

/** Shows how far a round has come, where there is somebody to look at it. */
export const during = Effect.fnUntraced(function*<Data, E, R>(
  call: Call<Data>,
  round: (progress: Round.Progress) => Effect.Effect<Round.Round<Data>, E, R>
) {
  const progress = Round.noProgress()
  const { canAnimate, isJson } = yield* Output
  if (!canAnimate || isJson) return yield* round(progress)
  return yield* Effect.raceFirst(round(progress), shown(call, progress))
})

const shown = <Data>(call: Call<Data>, progress: Round.Progress) =>
  Effect.scoped(Effect.gen(function*() {
    const started = yield* Clock.currentTimeMillis
    const ledger = yield* CreditLedger.CreditLedger
    let requests = 0
    yield* Effect.forkScoped(Stream.runForEach(ledger.history, ({ _tag }) =>
      Effect.sync(() => {
        if (_tag === "Sent") requests++
      })))
    yield* Effect.sleep(patience)
    const replace = yield* Screen.status
    const all = queriesOf(call)
    for (;;) {
      const { charged } = yield* Ledger.balance
      const passed = ((yield* Clock.currentTimeMillis) - started) / 1000
      yield* replace([
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
      ])
      yield* Effect.sleep("200 millis")
    }
  }))

/** Why a request was sent again, in as much room as a narrow terminal has. */
const why = ({ said }: Reason): string => ForeignText.line(said.what, 60)

/** How long it may still take, by what it took so far. */
const left = (done: number, of: number, passed: number): ReadonlyArray<string> =>
  done === 0 || done === of ? [] : [`about ${Words.age(Math.max(1, passed / done * (of - done)))} left`]
