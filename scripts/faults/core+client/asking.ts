import * as Result from "effect/Result"
import { sent, written } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const Parameter = of(() => import("../../../packages/core/src/query/parameter.ts"))
const Query = of(() => import("@effect-marketdata/core/Query"))
const Construct = of(() => import("../../../packages/core/src/query/construct.ts"))

/** What core could get wrong in asking, and the client must notice too. */
export const faults: ReadonlyArray<Seam> = [
  written("4.1-path", "/v1/options/chain/", "/v1/options/chains/"),
  written("4.2-quote", "/v1/options/quotes/", "/v1/options/quote/"),
  written("4.3-lookup", /(\/v1\/options\/lookup\/[^?]*)/, "$1/"),
  written("4.4-stock-quote", "/v1/stocks/quotes/", "/v1/stocks/quote/"),
  written("4.5-prices", "/v1/stocks/prices/", "/v1/stocks/price/"),
  written("4.5-bulk-candles", "/v1/stocks/bulkcandles/D/", "/v1/stocks/bulkcandles/"),
  written(["4.1-params", "8.2-modes"], "mode=", "feed="),
  written("9-version", "/v1/", "/"),
  sent("4-mode-everywhere", (query) => query.mode?._tag === "Live" ? { ...query, mode: undefined } : query),
  sent("8.2-default", (query) => ({ ...query, mode: query.mode ?? { _tag: "Live" } })),
  // A format is made up.
  sent("4.5-general-params", (query) => ({ ...query, format: query.format ?? "csv" })),
  // A range of ages goes on where nothing is cached.
  Query(
    "4.1-maxage-cached-only",
    "withMode",
    (withMode) => (query, mode) => ({ ...withMode(query, mode), maxAge: query.maxAge })
  ),
  Query("4.1-date", "checkDate", (checkDate) => (query, now) => checkDate(query, now + 86_400)),
  // A list may be empty.
  Parameter("7.3-cause-malformed-query", "list", (list) => (member, rule) => list(member, rule, 0)),
  HttpRequest("8.1-request-line", "lineBytes", (lineBytes) => (target) => lineBytes(target) + 1),
  Construct("8.2-cached-unavailable", "checkCache", () => () => Result.succeed(undefined)),
  MaxAge("8.3-maxage-forms", "format", (format) => (maxAge) => format(maxAge).replace("min", "m"))
]
