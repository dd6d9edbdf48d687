import * as NewYork from "@effect-marketdata/core/NewYork"
import { Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as RawSocket from "./rawSocket.ts"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

const server = SandboxServer.layer({ allowedHosts: ["sandbox"] }).pipe(
  Layer.provideMerge(Sandbox.layer({ seed: 1 })),
  Layer.provide(SandboxClock.layer({ pace: "frozen", at: noon }))
)

const chain = "/v1/options/chain/AAPL/?mode=cached&columns=strike&expiration=2026-12-18"
const token = "Authorization: Bearer sandbox-paid"
const good = `GET ${chain} HTTP/1.1\r\nHost: sandbox\r\n${token}\r\n\r\n`

/** A request in which everything is as it should be, but for what the case changes. */
const request = (
  { headers = [], method = "GET", target = chain, version = "HTTP/1.1" }: {
    readonly method?: string
    readonly target?: string
    readonly version?: string
    readonly headers?: ReadonlyArray<string>
  },
  body = ""
) => [`${method} ${target} ${version}`, "Host: sandbox", token, ...headers, "", body].join("\r\n")

/** One whose token is written by hand. */
const bearing = (token: string) => `GET ${chain} HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer ${token}\r\n\r\n`

const kilobytes = (count: number) => "x".repeat(count * 1024)

/** What is sent, and the status that each request of it is answered with. */
type Case = readonly [name: string, sent: string, ...statuses: ReadonlyArray<number>]

const cases: ReadonlyArray<Case> = [
  // paths
  ["a path that climbs", request({ target: "/v1/options/chain/../../../etc/passwd" }), 404],
  ["a path that climbs in disguise", request({ target: "/v1/options/chain/%2e%2e%2f%2e%2e%2fetc%2fpasswd/" }), 400],
  ["a zero byte in the path", request({ target: "/v1/options/chain/AAPL%00/" }), 400],
  ["a path that cannot be decoded", request({ target: "/v1/options/chain/%E0%A4%A/" }), 400],
  ["half an escape", request({ target: "/v1/options/chain/AAPL%/" }), 400],
  ["a symbol with markup", request({ target: "/v1/options/chain/%3Cscript%3E/" }), 400],
  ["an unescaped line end in a symbol", request({ target: "/v1/options/chain/AAPL%0d%0aSet-Cookie:%20a=b/" }), 400],
  ["no path at all", request({ target: "" }), 400],
  ["an asterisk", request({ target: "*", method: "OPTIONS" }), 405],
  ["a space within the target", request({ target: "/v1/options/chain/AA PL/" }), 400],
  ["a path of another scheme", request({ target: "ftp://sandbox/v1/options/chain/AAPL/" }), 400],
  ["a path that nobody serves", request({ target: "/admin" }), 404],
  ["a name that every object has", request({ target: "/sandbox/constructor" }), 404],
  ["a fragment", request({ target: "/v1/options/chain/AAPL/#a" }), 400],
  // parameters
  ["nothing but ampersands", request({ target: "/v1/options/chain/AAPL/?&&&" }), 400],
  // methods
  ["[4-get] POST", request({ method: "POST", headers: ["Content-Length: 2"] }, "{}"), 405],
  ["[4-get] HEAD", request({ method: "HEAD", headers: ["Connection: close"] }), 405],
  ["[4-get] OPTIONS", request({ method: "OPTIONS" }), 405],
  ["[4-get] DELETE", request({ method: "DELETE" }), 405],
  ["[4-get] TRACE", request({ method: "TRACE" }), 405],
  ["[4-get] CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n", 405],
  ["[4-get] a method of nobody", request({ method: "STEAL" }), 405],
  ["[4-get] a method in lower case", request({ method: "get" }), 405],
  ["a method of four kilobytes", request({ method: kilobytes(4) }), 400],
  // headers
  ["no host", `GET ${chain} HTTP/1.1\r\n${token}\r\n\r\n`, 400],
  ["two hosts", request({ headers: ["Host: other"] }), 400],
  ["a header without a colon", request({ headers: ["nonsense"] }), 400],
  ["a header with a zero byte", request({ headers: ["x-a: \u0000"] }), 400],
  ["a header with a bare line feed", request({ headers: ["x-a: 1\nx-b: 2"] }), 400],
  ["a folded header", request({ headers: ["x-a: 1", "  2"] }), 400],
  ["a token in bytes beyond ASCII", bearing("ÿþ"), 401],
  ["a token of eight kilobytes", bearing(kilobytes(8)), 401],
  ["two tokens, of which the first counts", request({ headers: ["Authorization: Bearer nobody"] }), 203],
  ["an upgrade to what nobody speaks", request({ headers: ["Connection: Upgrade", "Upgrade: websocket"] }), 203],
  ["an unknown expectation", request({ headers: ["Expect: miracles"] }), 203],
  // encodings of the body
  ["a body on GET", request({ headers: ["Content-Length: 5"] }, "hello"), 203],
  ["a body in chunks on GET", request({ headers: ["Transfer-Encoding: chunked"] }, "5\r\nhello\r\n0\r\n\r\n"), 203],
  ["chunks and a length", request({ headers: ["Content-Length: 5", "Transfer-Encoding: chunked"] }, "0\r\n\r\n"), 400],
  ["two lengths", request({ headers: ["Content-Length: 5", "Content-Length: 6"] }, "hello!"), 400],
  ["a length below zero", request({ headers: ["Content-Length: -1"] }), 400],
  ["an invalid length", request({ headers: ["Content-Length: all"] }), 400],
  ["a chunk whose length is none", request({ headers: ["Transfer-Encoding: chunked"] }, "zz\r\nhello\r\n"), 400],
  ["an encoding that nobody knows", request({ headers: ["Transfer-Encoding: gzip"] }, "hello"), 400],
  ["an accepted encoding that nobody knows", request({ headers: ["Accept-Encoding: magic;q=2,,;"] }), 203],
  // oversized everything
  ["a line whose address makes it too long", request({ target: `http://${"x".repeat(4080)}/` }), 400],
  ["header fields over the parser's limit", request({ headers: [`x-a: ${kilobytes(100)}`] }), 431],
  ["header fields without an end", `GET ${chain} HTTP/1.1\r\nx-a: ${kilobytes(100)}`, 431],
  ["two megabytes of a header field", request({ headers: [`x-a: ${kilobytes(2048)}`] }), 431],
  ["three hundred header fields", request({ headers: Array.from({ length: 300 }, (_, at) => `x-${at}: 1`) }), 203],
  ["ten thousand header fields", request({ headers: Array.from({ length: 10_000 }, (_, at) => `x-${at}: 1`) }), 431],
  ["a body that says it is a terabyte", request({ headers: ["Content-Length: 1099511627776"] }), 413],
  ["a body over the limit", request({ headers: [`Content-Length: ${100 * 1024}`] }, kilobytes(100)), 413],
  [
    "a body over the limit in chunks",
    request({ headers: ["Transfer-Encoding: chunked"] }, `19000\r\n${kilobytes(100)}\r\n0\r\n\r\n`),
    413
  ],
  // versions and other protocols
  ["HTTP/1.0", request({ version: "HTTP/1.0" }), 203],
  ["HTTP/0.9", "GET /\r\n\r\n", 400],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["HTTP/9.9", request({ version: "HTTP/9.9" }), 400],
  ["TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003", 400],
  ["SSH", "SSH-2.0-OpenSSH_9.9\r\n", 400],
  ["bytes of no meaning", "\u0000\u00ff\u0000\u00ff\r\n\r\n", 400],
  // pipelining
  ["three requests at once", good + good + request({ headers: ["Connection: close"] }), 203, 203, 203],
  ["a good request, and one that cannot be read", `${good}nonsense\r\n\r\n`, 203, 400],
  ["a refused request, and a good one", request({ target: "/admin" }) + good, 404, 203],
  ["a body that pretends to be a request", request({ headers: [`Content-Length: ${good.length}`] }, good), 203]
]

layer(server)("SandboxServer", (it) => {
  describe("hostile requests", () => {
    for (const [name, sent, ...statuses] of cases) {
      it.effect(`answers ${name} with ${statuses.join(", ")}, and goes on to serve others`, () =>
        Effect.gen(function*() {
          const { baseUrl } = yield* SandboxServer.SandboxServer
          const received = yield* RawSocket.exchange(baseUrl, sent, statuses.length)
          assert.deepStrictEqual(RawSocket.statuses(received), statuses)
          if (statuses[0] === 405) assert.match(received, /\r\nallow: GET\r\n/i)
          const refused = statuses.every((status) => status >= 400)
          if (refused) assert.notInclude(received, "strike")
          assert.notInclude(received, "sandbox-paid")
          const next = yield* RawSocket.exchange(baseUrl, good, 1)
          assert.deepStrictEqual(RawSocket.statuses(next), [203])
        }))
    }

    it.effect("counts what comes behind a good request for itself, and no body among header fields", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const endless = `GET ${chain} HTTP/1.1\r\nx-a: ${kilobytes(100)}`
        assert.deepStrictEqual(RawSocket.statuses(yield* RawSocket.inPieces(baseUrl, endless, 10_000, good)), [431])
        const lines = request({ headers: [`Content-Length: ${64 * 1024}`] }, "\n".repeat(64 * 1024))
        const last = request({ headers: [`x-a: ${kilobytes(1)}`, "Connection: close"] })
        assert.deepStrictEqual(RawSocket.statuses(yield* RawSocket.inPieces(baseUrl, lines + last, 200)), [203, 203])
      }))
  })
})
