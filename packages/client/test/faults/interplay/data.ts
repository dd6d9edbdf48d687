import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const Batches = of(() => import("../../../src/pipeline/batches.ts"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = ["client/CacheFallback", "client/batches", "client/interplay", "core/Reply"]

/** Data that were paid for and are lost, or stand in the wrong place. */
export const faults: ReadonlyArray<Seam> = [
  Batches.join(
    "part of an answer is taken for all of it",
    (join) => (...results) => Result.map(join(...results), ({ delivered }) => ({ delivered, failures: [] }))
  ),
  Batches.join(
    "one failed request takes the answers of the others along",
    (join) => (...results) =>
      Result.filterOrFail(
        join(...results),
        ({ failures }) => failures.length === 0,
        ({ failures }) => failures[0]!.reason
      )
  ),
  Reply.join("findings are lost where answers are joined", (join) => (...parts) => ({
    ...join(...parts),
    findings: []
  })),
  Batches.fallback("live data take the place of other tickers", (fallback) => (call, query, ask) =>
    fallback(
      call,
      query,
      (part, ...batches) =>
        Effect.map(ask(part, ...batches), (results) => part.mode?._tag === "Live" ? results.toReversed() : results)
    ))
]
