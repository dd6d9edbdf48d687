import * as DataMode from "@effect-marketdata/core/DataMode"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Query from "@effect-marketdata/core/Query"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Queries from "./support/queries.ts"

const runs = { numRuns: 10_000, seed: 8_1 }

const make = (baseUrl: string, query: Query.Query = Queries.chain()) => HttpRequest.make(query, baseUrl)

const request = (baseUrl: string, query?: Query.Query): HttpRequest.HttpRequest =>
  Result.getOrThrow(make(baseUrl, query))

/** A base URL whose path makes the request line exactly that long. */
const baseUrlFor = (bytes: number, query: Query.Query = Queries.chain()): string => {
  const rest = `GET ${Query.target(query)} HTTP/1.1`.length
  return `https://service.test/${"p".repeat(bytes - rest - 1)}`
}

describe("HttpRequest", () => {
  describe("make", () => {
    it("[4-get] makes a GET request", () => {
      assert.strictEqual(request("https://service.test").method, "GET")
      assert.strictEqual(HttpRequest.line(request("https://service.test")), "GET /v1/options/chain/AAPL/ HTTP/1.1")
    })

    it("[1-base-url] takes a base URL with and without a slash at its end, and with a path of its own", () => {
      const cases = [
        ["https://service.test", "https://service.test/v1/options/chain/AAPL/"],
        ["https://service.test/", "https://service.test/v1/options/chain/AAPL/"],
        ["https://service.test/md", "https://service.test/md/v1/options/chain/AAPL/"],
        ["https://service.test/md/", "https://service.test/md/v1/options/chain/AAPL/"],
        ["https://service.test/a/b//", "https://service.test/a/b/v1/options/chain/AAPL/"],
        ["http://localhost:8080", "http://localhost:8080/v1/options/chain/AAPL/"],
        ["http://[::1]:8080/", "http://[::1]:8080/v1/options/chain/AAPL/"]
      ] as const
      for (const [baseUrl, url] of cases) assert.strictEqual(HttpRequest.url(request(baseUrl)), url)
    })

    it("[1-base-url] refuses a base URL that is none, and says what to write", () => {
      const others = ["", "service.test", "ftp://service.test", "https://", "https:///x", "https://service.test?x=1"]
      for (
        const baseUrl of [
          ...others,
          "https://service.test/#x",
          "https://a b",
          " https://service.test",
          "//service.test"
        ]
      ) {
        const reason = Result.getOrThrow(Result.flip(make(baseUrl)))
        assert(reason._tag === "InvalidQuery")
        assert.strictEqual(reason.parameter, "baseUrl")
        assert.include(reason.message, "https://api.example.com/proxy")
      }
    })

    it("[1-base-url] refuses a base URL that holds a name and password", () => {
      assert.isTrue(Result.isFailure(make("https://user:password@service.test")))
      assert.isTrue(Result.isFailure(make("https://user@service.test/")))
    })

    it("[8.1-request-line] sends a line of 4094 bytes, and never one of 4095", () => {
      const sent = request(baseUrlFor(4094))
      assert.strictEqual(HttpRequest.line(sent).length, 4094)
      assert.strictEqual(HttpRequest.lineBytes(sent.target), 4094)
      const reason = Result.getOrThrow(Result.flip(make(baseUrlFor(4095))))
      assert(reason._tag === "RequestLineTooLong")
      assert.strictEqual(reason.bytes, 4095)
      assert.include(reason.message, "4095 bytes")
    })

    it("[8.1-request-line] sends a line if and only if it has at most 4094 bytes, whatever is asked", () => {
      fc.assert(
        fc.property(Queries.query, fc.integer({ min: 4080, max: 4110 }), (query, bytes) => {
          const made = make(baseUrlFor(bytes, query), query)
          if (Result.isFailure(made)) {
            assert(made.failure._tag === "RequestLineTooLong")
            assert.strictEqual(made.failure.bytes, bytes)
          } else assert.strictEqual(Buffer.byteLength(HttpRequest.line(made.success)), bytes)
          assert.strictEqual(Result.isSuccess(made), bytes <= 4094)
        }),
        { ...runs, numRuns: 1000 }
      )
    })

    it("[8.1-request-line] counts the bytes that go on the wire: no URL parser changes the target", () => {
      const path = fc.array(
        fc.string({ unit: fc.constantFrom(..."abz019-_~"), minLength: 1, maxLength: 8 }),
        { maxLength: 3 }
      )
      fc.assert(
        fc.property(path, Queries.query, (path, query) => {
          const sent = request(["https://service.test", ...path].join("/"), query)
          const { pathname, search } = new URL(HttpRequest.url(sent))
          assert.strictEqual(pathname + search, sent.target)
          assert.strictEqual(HttpRequest.lineBytes(sent.target), `GET ${pathname}${search} HTTP/1.1`.length)
        }),
        { ...runs, numRuns: 3000 }
      )
    })
  })

  describe("lineBytes", () => {
    it("[8.1-request-line] counts method, blanks, target and version, without the line's end", () => {
      assert.strictEqual(HttpRequest.lineBytes("/"), "GET / HTTP/1.1".length)
    })

    it("[8.1-request-line] counts bytes, not characters", () => {
      fc.assert(
        fc.property(fc.string({ unit: "grapheme" }), (target) => {
          assert.strictEqual(HttpRequest.lineBytes(target), Buffer.byteLength(`GET ${target} HTTP/1.1`))
        }),
        { ...runs, numRuns: 1000 }
      )
    })
  })

  describe("isPrivate", () => {
    it("takes https, and http that does not leave this machine", () => {
      const hosts = [
        "https://service.test",
        "http://localhost",
        "http://localhost:8080/x",
        "http://127.0.0.1:1",
        "http://[::1]:1"
      ]
      for (const baseUrl of hosts) assert.isTrue(HttpRequest.isPrivate(request(baseUrl)), baseUrl)
    })

    it("takes nothing else, however much it looks like this machine", () => {
      const hosts = [
        "http://service.test",
        "http://localhost.service.test",
        "http://127.0.0.1.service.test",
        "http://10.0.0.1",
        "http://[::2]",
        "http://localhost:x",
        "http://service.test/localhost"
      ]
      for (const baseUrl of hosts) assert.isFalse(HttpRequest.isPrivate(request(baseUrl)), baseUrl)
    })
  })

  it("holds no more than origin and target of the question", () => {
    const sent = request("https://service.test/md", Queries.chain({ mode: DataMode.cached({ maxAge: "1h" }) }, "SPX"))
    assert.deepStrictEqual(sent, {
      method: "GET",
      origin: "https://service.test",
      target: "/md/v1/options/chain/SPX/?mode=cached&maxage=1h"
    })
  })
})
