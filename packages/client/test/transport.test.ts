import { HttpFailure, MarketData, RetryPolicy } from "@effect-marketdata/client"
import * as Query from "@effect-marketdata/core/Query"
import { Effect, Layer, Redacted, Result } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { assert, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over } from "./support/clients.ts"
import { cutOff, service } from "./support/scripted.ts"

/** A body without end that counts what was taken of it, and whether the rest was let go. */
const endless = (beginning: string) => {
  const seen = { pieces: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
    pull: (controller) => {
      seen.pieces++
      controller.enqueue(new TextEncoder().encode("x".repeat(16_384)))
    },
    cancel: () => void (seen.cancelled = true)
  })
  return { body, seen }
}

const chain = MarketData.optionChain("SPX", { assume: { contracts: 5 } })
const once = RetryPolicy.layer({ attempts: 1, base: 1, cap: 1 })

it.effect("[2.2-error-body] keeps the words of an error that comes with a status of success, without the token", () =>
  over(service({ status: 200, body: `{"s":"error","errmsg":"No data for token secret-token-of-tests."}` }), {
    token: Redacted.make("secret-token-of-tests")
  }, function*() {
    const { message, reason } = yield* Effect.flip(chain)
    assert(reason._tag === "MalformedReply")
    assert.deepStrictEqual([reason.code, reason.column], ["NotOk", "s"])
    assert.match(reason.body ?? "", /^No data for token/)
    assert.include(message, `(it said "No data for token`)
    assert.notInclude(JSON.stringify(reason) + message, "secret-token-of-tests")
  }))

const denied = endless("Denied. ")
it.effect("[7.1-bodies-unknown] reads no more of an explanation than is kept, and keeps it short", function*() {
  const { reason } = yield* Effect.flip(chain)
  assert(reason._tag === "Forbidden")
  assert.strictEqual(reason.body.length, 200)
  assert.isTrue(denied.seen.cancelled)
  assert.isAtMost(denied.seen.pieces, 7)
}, clientOf(service({ status: 403, body: denied.body })))

let empty = 0
const emptyPieces = new ReadableStream<Uint8Array>({
  pull: (controller) => empty++ < 100_000 ? controller.enqueue(new Uint8Array(0)) : controller.close()
})
it.live("gives others their turn while a body comes in pieces without a byte", function*() {
  yield* Effect.raceFirst(chain, Effect.callback((resume) => void setImmediate(() => resume(Effect.void))))
  assert.isBelow(empty, 100_000)
}, clientOf(service({ status: 200, body: emptyPieces })))

it.effect("takes a port that fetch refuses for not sent: nothing can have been charged", function*() {
  const { reason } = yield* Effect.flip(chain)
  assert.deepInclude(reason, { _tag: "TransportFailure", detail: "bad port", mayHaveBeenCharged: false })
}, clientOf({ layer: FetchHttpClient.layer }, { baseUrl: "http://127.0.0.1:1", given: once }))

const csv = Query.asCsv(Result.getOrThrow(Query.stockPrices(["A"])))
it.effect("takes CSV whose connection breaks for lost: it may be cut after any row", function*() {
  assert.strictEqual((yield* Effect.flip(MarketData.run(csv))).reason._tag, "TransportFailure")
}, clientOf(service({ status: 200, body: cutOff("symbol,mid\nA,100\n") }), { given: once }))

it.effect("takes a body that Deno finds in another coding for one that cannot be read", function*() {
  assert.strictEqual((yield* Effect.flip(chain)).reason._tag, "MalformedReply")
}, clientOf(service({ status: 200, body: cutOff("", "Invalid gzip header") }), { given: once }))

const takes = (code: string, uncertain: 0 | 5, detail = code) =>
  it.effect(`takes ${code} for ${uncertain > 0 ? "perhaps charged" : "not sent"}`, function*() {
    const { reason } = yield* Effect.flip(chain)
    assert.deepInclude(reason, { _tag: "TransportFailure", detail, mayHaveBeenCharged: uncertain > 0 })
    assert.deepInclude(yield* balance, { available: 9 - uncertain, uncertain })
  }, clientOf(service({ fails: code }), { allowance: 9, given: once }))

for (const code of ["ENOTFOUND", "EAI_AGAIN"]) takes(code, 0, `${code} service.test`)
for (const code of ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ERR_ACCESS_DENIED", "EPROTO"]) takes(code, 0)
for (const code of ["UND_ERR_CONNECT_TIMEOUT", "CERT_NOT_YET_VALID", "ERR_SSL_NO_APPLICATION_PROTOCOL"]) takes(code, 0)
for (const code of ["ERR_TLS_CERT_ALTNAME_INVALID", "ERR_SSL_WRONG_VERSION_NUMBER", "INVALID_PURPOSE"]) takes(code, 0)
takes("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", 0)
for (const code of ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ETIMEDOUT", "ERR_SSL_BAD_RECORD_TYPE"]) takes(code, 5)

/** The error of an HTTP client that got no reply. */
const lost = (cause: unknown, request = HttpClientRequest.get("https://service.test/")) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

const cases = [
  [{ code: "ENOTFOUND", hostname: "proxy.test" }, "ENOTFOUND proxy.test"],
  [{ code: "ECONNREFUSED", address: "127.0.0.1", port: 8080 }, "ECONNREFUSED 127.0.0.1:8080"],
  [{ code: "ECONNREFUSED", address: "a b", port: 8080 }, "ECONNREFUSED"],
  [{ code: "ETIMEDOUT", syscall: "connect", address: "192.0.2.1", port: 443 }, "ETIMEDOUT 192.0.2.1:443"],
  [{ code: "ENOTFOUND", hostname: 7 }, "ENOTFOUND service.test"],
  [{ code: "UND_ERR_ABORTED", message: "407 !== 200 when HTTP Tunneling" }, "407 !== 200 when HTTP Tunneling"],
  [{ code: "ERR_PROXY_TUNNEL", message: "no tunnel via http://u:p@a.test: 407" }, "no tunnel via <url> 407"],
  [{ code: "ECONNRESET", message: "closed before secure TLS connection was established" }, "ECONNRESET"],
  [{ message: "url (https://a.test/x): client error (Connect): refused" }, "url <url> client error (Connect): refused"],
  [{ message: "Requires net access to a" }, "Requires net access to a"],
  [{ message: "I/O called within global scope" }, "I/O called within global scope"],
  [{ message: "'RequestInitializerDict' is not implemented" }, "'RequestInitializerDict' is not implemented"]
] as const
for (const [named, detail] of cases) {
  const cause = new TypeError("fetch failed", { cause: Object.assign(new Error("it did not work"), named) })
  const client = HttpClient.make((request) => Effect.fail(lost(cause, request)))
  it.effect(`names the host that was not reached: ${JSON.stringify(named)}`, function*() {
    const { reason } = yield* Effect.flip(chain)
    assert.deepInclude(reason, { _tag: "TransportFailure", detail, mayHaveBeenCharged: false })
    assert.include(reason.message, `${detail}. Check the base URL and the network. Nothing was charged.`)
  }, clientOf({ layer: Layer.succeed(HttpClient.HttpClient, client) }, { given: once }))
}

it.effect("names the innermost cause without a token, and tells what cannot have reached the service from what may have", () =>
  Effect.sync(() => {
    const refused = new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) })
    assert.deepInclude(HttpFailure.reason(lost(refused)), { detail: "ECONNREFUSED", mayHaveBeenCharged: false })
    const told = new Error("no such token a-token-of-the-account")
    const said = { detail: "no such token <redacted>", mayHaveBeenCharged: true }
    assert.deepInclude(HttpFailure.reason(lost(told), Redacted.make("a-token-of-the-account")), said)
    assert.strictEqual(HttpFailure.reason(lost(new Error("x".repeat(150_000)))).detail, "x".repeat(200))
    const odd = Object.assign(new Error(), { message: 7 })
    assert.strictEqual(HttpFailure.reason(lost(odd)).detail, "Transport error (GET <url>")
    const away = Object.assign(new Error(`HTTP/2: "GOAWAY" frame received`), { code: "UND_ERR_INFO" })
    assert.deepInclude(HttpFailure.reason(lost(away)), { detail: away.message, mayHaveBeenCharged: false })
    const tooLong = Object.assign(new Error("Headers Overflow Error"), { code: "UND_ERR_HEADERS_OVERFLOW" })
    assert.deepInclude(HttpFailure.reason(lost(tooLong)), { mayHaveBeenCharged: true, unreadable: true })
    const request = HttpClientRequest.get("https://service.test")
    const response = HttpClientResponse.fromWeb(request, new Response())
    const unread = new HttpClientError.DecodeError({ request, response, cause: refused })
    const error = new HttpClientError.HttpClientError({ reason: unread })
    assert.deepInclude(HttpFailure.reason(error), { mayHaveBeenCharged: true })
  }))
