import * as Context from "effect/Context"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import { of, type Seam } from "../seam.ts"

const Account = of(() => import("@effect-marketdata/core/Account"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const Fallback = of(() => import("../../../packages/client/src/pipeline/fallback.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const Ledger = of(() => import("@effect-marketdata/core/Ledger"))
const Policies = of(() => import("@effect-marketdata/client/Policies"))
const Query = of(() => import("../../../packages/core/src/query/query.ts"))
const Refusals = of(() => import("../../../packages/core/src/reason/refusals.ts"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const Token = of(() => import("../../../packages/client/src/config/token.ts"))
const Wire = of(() => import("../../../packages/client/src/sending/wire.ts"))

/** What the client could get wrong on a query's way: the token, batches, the IP gate, the fallback, budgets. */
export const faults: ReadonlyArray<Seam> = [
  // No token is sent.
  Wire(
    "5.1-token-everywhere",
    "once",
    (once) => (client, asked, request, listener) =>
      once(client, asked, HttpClientRequest.setHeader(request, "authorization", ""), listener)
  ),
  Token("5.3-query", "sign", (sign) => (token, _place, request) => sign(token, "header", request)),
  Refusals(
    "5.2-obtain",
    "Unauthorized",
    (Unauthorized) =>
      class extends Unauthorized {
        override get message() {
          return "set a token"
        }
      }
  ),
  Token("5.3-header", "isToken", () => () => true),
  // The query is the place by default.
  Token("5.4-header-default", "sign", (sign) => (token, _place, request) => sign(token, "query", request)),
  // Spans show the token.
  Token("5.4-header-default", "hidden", () => (context) => context),
  // A token that comes back is told.
  Token("5.4-header-default", "scrub", () => () => (text: string) => text),
  // The demo needs a token.
  Token(
    "5.5-demo",
    "sign",
    (sign) => (token, ...where) => sign(token ?? Redacted.make(""), ...where)
  ),
  HttpRequest("8.1-batches", "recommendedSymbols", (recommended) => recommended + 1),
  // The answers of batches change places.
  Reply("8.1-batches", "join", (join) => (query, [first, ...others]) => {
    const [last = first, ...before] = others.toReversed()
    return join(query, others.length === 0 ? [first] : [last, ...before, first])
  }),
  // The fallback may cost what nobody consented to.
  Fallback(
    "8.3-fallback",
    "fallback",
    (fallback) => (asking, query, ask) =>
      fallback(asking, query, (part, batches, ceiling) => ask(part, batches, Math.max(ceiling, 1000)))
  ),
  // The request is repeated as delayed.
  Query(
    "8.3-fallback",
    "withMode",
    (withMode) => (query, mode) =>
      withMode<unknown, typeof mode>(query, mode._tag === "Live" ? { _tag: "Delayed" } : mode)
  ),
  // A block is forgotten.
  IpRule("5.6-single-ip", "blocked", () => (traffic) => traffic),
  IpRule("5.6-single-ip", "blockSeconds", (seconds) => seconds - 1),
  // Requests of two addresses are in flight together.
  IpRule("5.6-simultaneous", "admit", (admit) => (traffic, ...from) => admit({ ...traffic, inFlight: 0 }, ...from)),
  // A switch is dated by its departure.
  IpRule("5.6-simultaneous", "settle", (settle) => (traffic, _now, answered) => settle(traffic, 0, answered)),
  // Any 403 holds the address.
  Policies("7.1-403", "IpRule", () =>
    Context.Reference("@effect-marketdata/client/Policies/IpRule", {
      defaultValue: () => ({ whenHeld: "fail", holdOn: "any403" })
    })),
  Ledger("8.5-not-shown", "make", (make) => (allowance = 10_000) => make(allowance)),
  // The public service's plans are taken for everyone's.
  Account("8.5-not-shown", "allowance", (allowance) => (account) => allowance(account, "public"))
]
