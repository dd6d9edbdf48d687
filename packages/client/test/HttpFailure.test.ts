import * as HttpFailure from "@effect-marketdata/client/HttpFailure"
import { assert, describe, it } from "@effect/vitest"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"

const request = HttpClientRequest.get("https://service.test/")

const lostOnTheWay = (cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

const lostInTheBody = (cause: unknown) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.DecodeError({
      request,
      response: HttpClientResponse.fromWeb(request, new Response(null, { status: 200 })),
      cause
    })
  })

describe("HttpFailure", () => {
  it("names the innermost cause, and tells what cannot have reached the service from what may have", () => {
    const refused = new TypeError("fetch failed", {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" })
    })
    const { detail, mayHaveBeenCharged } = HttpFailure.reason(lostOnTheWay(refused))
    assert.deepStrictEqual([detail, mayHaveBeenCharged], ["ECONNREFUSED", false])
    assert.isTrue(
      HttpFailure.reason(lostOnTheWay(Object.assign(new Error(), { code: "ECONNRESET" }))).mayHaveBeenCharged
    )
  })

  it("takes a reply that broke off for one that may have been charged", () => {
    const terminated = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" })
    assert.deepInclude(HttpFailure.reason(lostInTheBody(terminated)), {
      detail: "UND_ERR_SOCKET",
      mayHaveBeenCharged: true
    })
  })

  it("shows no token", () => {
    const token = "a-token-of-the-account"
    const { detail } = HttpFailure.reason(lostOnTheWay(new Error(`no such token ${token}`)), Redacted.make(token))
    assert.strictEqual(detail, "no such token <redacted>")
  })
})
