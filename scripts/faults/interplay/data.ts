import * as Effect from "effect/Effect"
import { foundBy, type InterplayFault } from "../found.ts"
import { of } from "../seam.ts"

const Batches = of(() => import("../../../packages/client/src/pipeline/batches.ts"))
const Body = of(() => import("../../../packages/client/src/sending/body.ts"))
const Fallback = of(() => import("../../../packages/client/src/pipeline/fallback.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))

/** Data that were paid for and are lost, or stand in the wrong place. */
export const faults: ReadonlyArray<InterplayFault> = [
  foundBy(
    ["client/batches"],
    Batches("part of an answer is taken for all of it", "join", (join) => (...results) => {
      const joined = join(...results)
      return joined._tag === "Some" ? { _tag: "Whole", delivered: joined.delivered } : joined
    })
  ),
  foundBy(
    ["client/batches"],
    Batches("one failed request takes the answers of the others along", "join", (join) => (...results) => {
      const joined = join(...results)
      return joined._tag === "Some" ? { _tag: "None", reason: joined.missing.errors[0].reason } : joined
    })
  ),
  foundBy(
    ["client/interplay", "client/batches"],
    Batches("only the first failure is told", "join", (join) => (...results) => {
      const joined = join(...results)
      if (joined._tag !== "Some") return joined
      return { ...joined, missing: { ...joined.missing, missing: joined.missing.errors[0].tickers } }
    })
  ),
  foundBy(
    ["client/batches"],
    Reply("the answer is that of the first request", "join", (join) => (query, [first]) => join(query, [first]))
  ),
  foundBy(
    ["core/Reply", "client/interplay", "client/batches"],
    Reply("findings are lost where answers are joined", "join", (join) => (...parts) => ({
      ...join(...parts),
      findings: []
    }))
  ),
  foundBy(
    ["core/Reply", "client/interplay", "client/batches"],
    Reply("joined answers have the provenance of the first", "join", (join) => (query, [first, ...others]) => ({
      ...join(query, [first, ...others]),
      provenance: first.provenance
    }))
  ),
  foundBy(
    ["core/HttpRequest", "client/batches"],
    HttpRequest(
      "one request holds a ticker too many",
      "batches",
      (batches) => (query, options) => batches(query, { ...options, maxSymbols: (options.maxSymbols ?? 500) + 1 })
    )
  ),
  foundBy(
    ["client/interplay", "client/batches", "client/CacheFallback"],
    Fallback(
      "live data take the place of other tickers",
      "fallback",
      (fallback) => (asking, query, ask) =>
        fallback(
          asking,
          query,
          (part, ...batches) =>
            Effect.map(ask(part, ...batches), (results) => part.mode?._tag === "Live" ? results.toReversed() : results)
        )
    )
  ),
  foundBy(
    ["client/interplay", "client/transport", "client/MarketData"],
    Body(
      "a body of just the greatest size is refused",
      "read",
      (read) => (response, headers, reader, most, ...rest) => read(response, headers, reader, most - 1, ...rest)
    )
  )
]
