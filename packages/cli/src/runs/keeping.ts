/** Asks for one day and keeps its table, however often that begins anew: its claim lets it be sent once. */
import * as Claim from "@effect-marketdata/client/Claim"
import * as MarketData from "@effect-marketdata/client/MarketData"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Credits from "@effect-marketdata/core/Credits"
import * as Dataset from "@effect-marketdata/export/Dataset"
import type { Table } from "@effect-marketdata/export/Columns"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import * as Failure from "../failure/failure.ts"
import { CommandError } from "../failure/failure.ts"
import * as Words from "../text/words.ts"
import type { Day } from "./days.ts"
import * as Folder from "./folder.ts"
import type * as Manifest from "./manifest.ts"

/** What the days of a run share. */
export interface Work extends Folder.Held {
  readonly root: string
  readonly run: string
  readonly again: Folder.Again
  readonly entries: ReadonlyMap<string, Manifest.Entry>
  /** Waits until credits are there again, in epoch seconds; fails where nobody wants to wait. */
  readonly wait: (error: MarketDataError, renews: number) => Effect.Effect<void, MarketDataError>
}

/** An amount as JSON has it. */
const finite = (amount: number): number | null => amount === Infinity ? null : amount

/** When credits that are used up are there again. */
const renewsOf = ({ reason }: MarketDataError): number | undefined =>
  reason._tag === "CreditBudgetExceeded" ? reason.renews : reason._tag === "CreditsExhausted" ? reason.reset : undefined

/** Asks for a day, and writes down what became of it. */
export const keep = Effect.fnUntraced(function*(day: Day, work: Work) {
  const { claimed, entries, root, write } = work
  const path = (yield* Path.Path).join(root, day.file)
  const before = entries.get(day.file)
  const keyOf = (ask: number) => `${work.id} ${createHash("sha256").update(day.target).digest("hex")} ${ask}`
  /** Writes down what became of the day, with all that its claims have cost. */
  const settle = Effect.fnUntraced(
    function*(asks: number, outcome: Pick<Manifest.Entry, "state" | "rows" | "bytes" | "sha256" | "why">) {
      let [charged, uncertain] = [0, 0]
      for (let ask = 1; ask <= asks; ask++) {
        const spent = yield* claimed(keyOf(ask))
        charged += spent?.credits ?? 0
        uncertain += spent?.uncertain ?? 0
      }
      const entry: Manifest.Entry = {
        file: day.file,
        query: day.target,
        price: finite(Credits.bound(day.estimate)),
        charged,
        uncertain: finite(uncertain),
        ...outcome,
        at: DateTime.formatIso(yield* DateTime.now)
      }
      yield* write(entry)
      return entry
    }
  )
  const isThere = (yield* Folder.digestOf(path)) !== undefined
  if (isThere && before === undefined && (yield* claimed(keyOf(1))) === undefined) {
    return yield* Failure.wrong(
      "Folder",
      `${day.file} is there, and no run has written it`,
      "move it away, or name another folder with --output DIR"
    )
  }
  for (let ask = 1;;) {
    const claim = { key: keyOf(ask), run: work.run }
    const asked = yield* Effect.result(Effect.provideService(MarketData.run(day.query), Claim.Current, claim))
    if (Result.isSuccess(asked)) {
      // Nothing of when it was asked is in the file, so that the same data are the same bytes.
      const metadata = { source: "Market Data", query: day.target }
      const written = yield* Dataset.write(
        Stream.succeed(asked.success.data as Table),
        `${root}/${day.set}`,
        day.partition,
        { ...day.options, metadata }
      ).pipe(
        Effect.mapError(({ message, reason }) =>
          new CommandError({
            class: "failed",
            reason: reason._tag,
            message: `${message}. The answer was charged ${
              Words.credits(asked.success.credits.charged)
            }, and is not in a file.`,
            next:
              "make room and type the command again: if this machine has kept the answer, it costs nothing, else it is told as lost",
            credits: asked.success.credits
          })
        )
      )
      return yield* settle(ask, {
        state: "kept",
        rows: written!.rows,
        bytes: written!.bytes,
        sha256: (yield* Folder.digestOf(path))!
      })
    }
    const error = asked.failure
    const renews = renewsOf(error)
    if (error.reason._tag === "NotFound") {
      return yield* settle(ask, { state: "empty", why: error.reason.said.what })
    } else if (error.reason._tag === "AlreadySent") {
      const spent = yield* claimed(claim.key)
      const isFree = spent === undefined || spent.credits + spent.uncertain === 0
      if (!isFree && isThere && before?.sha256 === undefined) {
        // It was written by a run that died before it could say so.
        return yield* settle(ask, { state: "kept", sha256: (yield* Folder.digestOf(path))! })
      }
      if (!isFree && (before?.state === "empty" ? "empty" : "lost") !== work.again) {
        const why = before?.sha256 === undefined
          ? "an earlier run has sent it, and died before its answer was in a file"
          : "its file was changed or removed"
        return yield* settle(ask, { state: "lost", why, ...before?.sha256 !== undefined && { sha256: before.sha256 } })
      }
      ask++
    } else if (renews !== undefined) {
      yield* work.wait(error, renews)
    } else return yield* Failure.of(error)
  }
})
