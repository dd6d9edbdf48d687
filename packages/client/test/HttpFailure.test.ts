import * as HttpFailure from "@effect-marketdata/client/HttpFailure"
import { assert, it } from "@effect/vitest"
import { HttpClientError, HttpClientRequest } from "effect/http"
import * as Redacted from "effect/Redacted"

const request = HttpClientRequest.get("https://service.test/")

const lost = (cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

it("names the innermost cause without a token, and tells what cannot have reached the service from what may have", () => {
  const refused = new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) })
  assert.deepInclude(HttpFailure.reason(lost(refused)), { detail: "ECONNREFUSED", mayHaveBeenCharged: false })
  const told = new Error("no such token a-token-of-the-account")
  const said = { detail: "no such token <redacted>", mayHaveBeenCharged: true }
  assert.deepInclude(HttpFailure.reason(lost(told), Redacted.make("a-token-of-the-account")), said)
  const away = Object.assign(new Error(`HTTP/2: "GOAWAY" frame received`), { code: "UND_ERR_INFO" })
  assert.deepInclude(HttpFailure.reason(lost(away)), { detail: away.message, mayHaveBeenCharged: false })
  const tooLong = Object.assign(new Error("Headers Overflow Error"), { code: "UND_ERR_HEADERS_OVERFLOW" })
  assert.deepInclude(HttpFailure.reason(lost(tooLong)), { mayHaveBeenCharged: true, unreadable: true })
})
