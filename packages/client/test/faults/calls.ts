import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import { counted, priced, refused, taken, written } from "../../../core/test/support/changes.ts"
import { of, type Seam } from "../../../core/test/support/seam.ts"

const Parameter = of(() => import("../../../core/src/query/parameter.ts"))
const Batches = of(() => import("../../src/pipeline/batches.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const Bounds = of(() => import("../../../core/src/credits/bounds.ts"))
const Named = of(() => import("../../src/endpoints/service.ts"))
const Query = of(() => import("../../../core/src/query/query.ts"))
const Reason = of(() => import("@effect-marketdata/core/Reason"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const Tariff = of(() => import("../../../core/src/credits/tariff.ts"))
const Token = of(() => import("../../src/config/token.ts"))
const Wire = of(() => import("../../src/sending/wire.ts"))

/** What the client could get wrong on a query's way: the address, the token, batches, the fallback, replies and charges. */
export const faults: ReadonlyArray<Seam> = [
  // The path of the base URL is lost.
  HttpRequest.parseBaseUrl(
    "1-base-url",
    (parse) => (baseUrl) => Result.map(parse(baseUrl), ({ origin }) => ({ origin, path: "" }))
  ),
  Wire.once(
    "4-get",
    (once) => (watch, request, receive) => once(watch, HttpClientRequest.setMethod(request, "POST"), receive)
  ),
  Query.checkDate("7.3-cause-unsupported-value", () => () => Result.succeed(undefined)),
  // To name what was asked fails by itself.
  Named.named("7.3-cause-wrong-type", () => (endpoint, ...subject) => [endpoint, ...subject].join(" ")),
  // Two dots are a ticker.
  Parameter.ticker(
    "7.3-cause-url",
    (ticker) => (name, input) =>
      typeof input === "string" && /^\.+$/.test(input) ? Result.succeed(input) : ticker(name, input)
  ),
  written("8.3-age", /maxage=[^&]*/, "maxage=1h"),
  // No token is sent.
  Wire.once(
    "5.1-token-everywhere",
    (once) => (watch, request, receive) =>
      once(watch, HttpClientRequest.setHeader(request, "authorization", ""), receive)
  ),
  Token.sign("5.3-query", (sign) => (token, _place, request) => sign(token, "header", request)),
  Reason.Unauthorized("5.2-obtain", (Unauthorized) =>
    class extends Unauthorized {
      override get said() {
        return { ...super.said, advice: "Set a token" }
      }
    }),
  Token.isToken("5.3-header", () => () => true),
  // Spans show the token.
  Token.hidden("5.4-header-default", () => (context) => context),
  // A token that comes back is told.
  Token.scrub("5.4-header-default", () => () => (text: string) => text),
  // The answers of batches change places.
  Reply.join("8.1-batches", (join) => (query, [first, ...others]) => {
    const [last = first, ...before] = others.toReversed()
    return join(query, others.length === 0 ? [first] : [last, ...before, first])
  }),
  // The fallback may cost what nobody consented to.
  Batches.fallback(
    "8.3-fallback",
    (fallback) => (call, query, ask) =>
      fallback(call, query, (part, batches, ceiling) => ask(part, batches, Math.max(ceiling, 1000)))
  ),
  // A chain that was seen is taken for half as large.
  Bounds.maxSeen("8.3-fallback", (maxSeen) => (underlying, filter, seen) => {
    const { assumptions, count } = maxSeen(underlying, filter, seen)
    return { assumptions, count: Math.ceil(count / 2) }
  }),
  // Cached data are told to come from the provider.
  taken("7.1-203", (query, head) => [query, { ...head, status: 200 }]),
  Reply.outcome(
    "5.5-demo",
    (outcome) => (query, head, body, request) => outcome(query, head, body, { ...request, tokenSent: true })
  ),
  refused(["8.2-access", "5.8-premium-mode"], (head, text) => [head, { ...text, cached: false }]),
  // A chain costs one credit, as from the cache.
  counted(["4.1-cost-live", "4.1-cost-delayed"], (outcome) => ({ ...outcome, contracts: 1 })),
  priced("4.1-cost-cached", ({ contracts }, { mode }) => mode?._tag === "Cached" ? contracts : undefined),
  // One credit for each hundred.
  Tariff.perThousand(
    ["4.1-cost-historical", "8.2-cost-candles"],
    (price) => (count, rounding) => price(count * 10, rounding)
  ),
  priced("8.3-hit", ({ status }, { mode }) => status === 203 && mode?._tag === "Cached" ? 0 : undefined),
  counted("8.2-cost-bulk-candles", (outcome) => ({ ...outcome, symbols: 1 })),
  priced("8.2-cost-other", ({ status }, { kind }) => kind === "other" && status === 200 ? 0 : undefined)
]
