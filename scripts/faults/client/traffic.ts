import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { of, type Seam } from "../seam.ts"

const Fallback = of(() => import("../../../packages/client/src/pipeline/fallback.ts"))
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
  // Spans show the token.
  Token("5.4-header-default", "hidden", () => (context) => context),
  // A token that comes back is told.
  Token("5.4-header-default", "scrub", () => () => (text: string) => text),
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
  )
]
