/** Asks for one day and keeps its table, however often that begins anew: its claim lets it be sent once. */
import { Claim, MarketData } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Credits } from "@effect-marketdata/core"
import type { Table } from "@effect-marketdata/export/Columns"
import { Dataset } from "@effect-marketdata/export"
import { DateTime, Effect, Path, Result, Stream } from "effect"
import { createHash } from "node:crypto"
import { wrong } from "../failure/failure.ts"
import * as Words from "../text/words.ts"
import type { Day } from "./days.ts"
import * as Folder from "./folder.ts"

/** What the days of a run share. */
export interface Work extends Folder.Held {
  readonly root: string
  readonly run: string
  readonly again: Folder.Again
  readonly entries: ReadonlyMap<string, Folder.Entry>
  /** Waits until credits are there again, in epoch seconds; fails where nobody wants to wait. */
  readonly wait: (error: MarketDataError, renews: number) => Effect.Effect<void, MarketDataError>
}

/** When credits that are used up are there again. */
const renewsOf = ({ reason }: MarketDataError): number | undefined =>
  reason._tag === "CreditBudgetExceeded" ? reason.renews : reason._tag === "CreditsExhausted" ? reason.reset : undefined

/** Asks for a day, and writes down what became of it. */
export const keep = Effect.fnUntraced(
  function*(day: Day, { again, claimed, entries, id, root, run, wait, write }: Work) {
    const before = entries.get(day.file)
    const hash = createHash("sha256").update(day.target).digest("hex")
    const digest = Folder.digestOf((yield* Path.Path).join(root, day.file))
    const found = yield* digest
    const keyOf = (ask: number) => `${id} ${hash} ${ask}`
    if (found !== undefined && before === undefined && (yield* claimed(keyOf(1))) === undefined) {
      return yield* wrong(
        "Folder",
        `${day.file} is there, and no run has written it`,
        "move it away, or name another --output DIR"
      )
    }
    /** Writes down what became of the day, with all that its claims have cost. */
    const settle = Effect.fnUntraced(
      function*(asks: number, outcome: Pick<Folder.Entry, "state" | "rows" | "bytes" | "sha256" | "why">) {
        const spent = yield* Effect.forEach(Array.from({ length: asks }, (_, index) => keyOf(index + 1)), claimed)
        const sum = (of: "credits" | "uncertain") => spent.reduce((sum, claim) => sum + (claim?.[of] ?? 0), 0)
        const finite = (amount: number) => amount === Infinity ? null : amount
        const cost = {
          price: finite(Credits.bound(day.estimate)),
          charged: sum("credits"),
          uncertain: finite(sum("uncertain"))
        }
        const at = DateTime.formatIso(yield* DateTime.now)
        const entry: Folder.Entry = { file: day.file, query: day.target, ...cost, ...outcome, at }
        return yield* Effect.as(write(entry), entry)
      }
    )
    for (let ask = 1;;) {
      const claim = { key: keyOf(ask), run }
      const asked = yield* Effect.result(Effect.provideService(MarketData.run(day.query), Claim.Current, claim))
      if (Result.isSuccess(asked)) {
        const { credits, data } = asked.success
        // Nothing of when it was asked is in the file, so that the same data are the same bytes.
        const options = { ...day.options, metadata: { source: "Market Data", query: day.target } }
        const tables = Stream.succeed(data as Table)
        const written = yield* Effect.mapError(
          Dataset.write(tables, `${root}/${day.set}`, day.partition, options),
          ({ message, reason }) =>
            wrong(
              reason._tag,
              `${message} The answer was charged ${Words.credits(credits.charged)}, and is not in a file.`,
              "make room and type the command again: an answer that this machine has kept costs nothing, another is told as lost"
            )
        )
        const { bytes, rows } = written!
        return yield* settle(ask, { state: "kept", rows, bytes, sha256: (yield* digest)! })
      }
      const { failure } = asked
      const renews = renewsOf(failure)
      if (failure.reason._tag === "NotFound") {
        return yield* settle(ask, { state: "empty", why: failure.reason.said.what })
      }
      if (renews !== undefined) yield* wait(failure, renews)
      else if (failure.reason._tag !== "AlreadySent") return yield* failure
      else {
        const spent = yield* claimed(claim.key)
        const isFree = spent === undefined || spent.credits + spent.uncertain === 0
        // A file that no line tells of was written by a run that died before it could say so.
        if (!isFree && found !== undefined && before?.sha256 === undefined) {
          return yield* settle(ask, { state: "kept", sha256: found })
        }
        if (isFree || (before?.state === "empty" ? "empty" : "lost") === again) ask++
        else if (before?.sha256 === undefined) {
          return yield* settle(ask, { state: "lost", why: "an earlier run has sent it, and its answer is in no file" })
        } else {return yield* settle(ask, {
            state: "lost",
            why: "its file was changed or removed",
            sha256: before.sha256
          })}
      }
    }
  }
)
