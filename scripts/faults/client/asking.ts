import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import { written } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const Encoding = of(() => import("../../../packages/core/src/query/encoding.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const Named = of(() => import("../../../packages/client/src/endpoints/named.ts"))
const Query = of(() => import("../../../packages/core/src/query/query.ts"))
const Wire = of(() => import("../../../packages/client/src/sending/wire.ts"))

/** What the client could get wrong in asking. */
export const faults: ReadonlyArray<Seam> = [
  // The path of the base URL is lost.
  HttpRequest(
    "1-base-url",
    "parseBaseUrl",
    (parse) => (baseUrl) => Result.map(parse(baseUrl), ({ origin }) => ({ origin, path: "" }))
  ),
  Wire(
    "4-get",
    "once",
    (once) => (client, asked, request, listener) =>
      once(client, asked, HttpClientRequest.setMethod(request, "POST"), listener)
  ),
  Query("7.3-cause-unsupported-value", "checkDate", () => () => Result.succeed(undefined)),
  // To name what was asked fails by itself.
  Named("7.3-cause-wrong-type", "named", () => (endpoint, ...subject) => [endpoint, ...subject].join(" ")),
  // Two dots are a ticker.
  Encoding(
    "7.3-cause-url",
    "ticker",
    (ticker) => (name, input) =>
      typeof input === "string" && /^\.+$/.test(input) ? Result.succeed(input) : ticker(name, input)
  ),
  written("8.3-age", /maxage=[^&]*/, "maxage=1h")
]
