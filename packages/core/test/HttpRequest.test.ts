import { DataMode, HttpRequest, Query, type Reason } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import { made, query, ticker, tickers } from "./support/everyQuery.ts"
import * as Queries from "./support/queries.ts"

const runs = trials(8_1)

const make = (baseUrl: string, query: Query.Query = Queries.chain()) => HttpRequest.make(query, baseUrl)

const request = (baseUrl: string, query?: Query.Query): HttpRequest.HttpRequest =>
  Result.getOrThrow(make(baseUrl, query))

/** A base URL whose path makes the request line exactly that long. */
const baseUrlFor = (bytes: number, query: Query.Query = Queries.chain()): string => {
  const rest = `GET ${Query.target(query)} HTTP/1.1`.length
  return `https://service.test/${"p".repeat(bytes - rest - 1)}`
}

const chain = made(Query.optionChain("SPX"))

const failure = (result: Result.Result<unknown, Reason.InvalidQuery | Reason.RequestLineTooLong>) =>
  Result.getOrThrow(Result.flip(result))

/** The bytes of a line as they go on the wire. */
const wireBytes = (request: HttpRequest.HttpRequest): number =>
  Buffer.byteLength(`GET ${HttpRequest.wireUrl(request).slice(request.origin.length)} HTTP/1.1`)

describe("make", () => {
  it("checks a copy of a query, which may have been changed; one from a constructor nobody can change", () => {
    forAll(runs, query, (query) => {
      assert.throws(() => Object.assign(query, { mode: "live" }), TypeError)
      assert.deepStrictEqual(make("https://service.test", { ...query }), make("https://service.test", query))
      const changeds = [{ mode: "live" }, { format: "xml" }, { options: "date=1" }, {
        options: { date: new Date(0) }
      }, { mode: { _tag: "Now" } }]
      for (const changed of changeds) {
        assert.strictEqual(
          failure(make("https://service.test", { ...query, ...changed } as never))._tag,
          "InvalidQuery"
        )
      }
    })
  })

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

  it("[1-base-url] refuses an invalid base URL, and one that a URL parser would rewrite, and says what to write", () => {
    const others = ["", "service.test", "ftp://service.test", "https://", "https:///x", "https://service.test?x=1"]
    const hosts = ["https://:443", "https://[::1", "http://localhost:x", "http://localhost:80:80", "https://..."]
    const baseUrls = [
      ...others,
      ...hosts,
      "https://service.test/#x",
      "https://a b",
      " https://service.test",
      "//service.test",
      "https://user:password@service.test",
      "https://user@service.test/",
      "https://service.test/a b",
      "https://service.test/é",
      "https://service.test/a/../b",
      "https://service.test/a/%2E%2e/b",
      "https://service.test/.",
      "https://service.test\\a",
      // Of any length, at once.
      `https://service.test${" ".repeat(300_000)}`
    ]
    for (const baseUrl of baseUrls) {
      const reason = Result.getOrThrow(Result.flip(make(baseUrl)))
      assert(reason._tag === "InvalidQuery")
      assert.strictEqual(reason.parameter, "baseUrl")
      assert.include(reason.message, "https://api.example.com/proxy")
    }
  })

  it("[1-base-url] refuses a base URL that ends in /v1, which would be asked for twice, and says what to write", () => {
    for (const baseUrl of ["https://service.test/v1", "https://service.test/md/v1/", "https://service.test/V1//"]) {
      const reason = Result.getOrThrow(Result.flip(make(baseUrl)))
      assert.deepInclude(reason, { _tag: "InvalidQuery", parameter: "baseUrl", value: `"${baseUrl}"` })
      assert.include(reason.message, "must not end in /v1")
    }
    for (const baseUrl of ["https://v1", "https://service.test/v1/md", "https://service.test/apiv1"]) {
      assert.isTrue(Result.isSuccess(make(baseUrl)), baseUrl)
    }
    // However many slashes it has, it is read at once.
    assert.isTrue(Result.isSuccess(HttpRequest.parseBaseUrl(`https://service.test${"/".repeat(300_000)}v1/md`)))
  })

  it("[1-base-url] refuses what is not text, as callers without types may write it", () => {
    const others: ReadonlyArray<unknown> = [undefined, null, 7, {}]
    for (const baseUrl of others) {
      const reason = Result.getOrThrow(Result.flip(make(baseUrl as string)))
      assert.deepInclude(reason, { _tag: "InvalidQuery", parameter: "baseUrl" })
    }
  })

  it("[1-base-url] shows none of the secrets that a base URL may hold", () => {
    const secret = "a1B2c3D4e5"
    const texts = [
      "https://u:SECRET@h/",
      "https://h/?token=SECRET",
      "https://h/?token=x@SECRET",
      "https://h/#SECRET",
      "https://u:SEC?RET@h/SECRET@h"
    ].concat(["u:SECRET@h", "https:// u:SECRET@h", "https:\\\\SECRET@h", "https://SECRET%40h", "SECRET@"])
    for (const text of texts) {
      const baseUrl = text.replaceAll("SECRET", secret)
      assert.notInclude(HttpRequest.shownBaseUrl(baseUrl), secret)
      assert.notInclude(JSON.stringify(make(baseUrl)), secret)
    }
    assert.strictEqual(HttpRequest.shownBaseUrl("https://u:p@h/?token=t"), "https://…@h/?…")
    assert.strictEqual(HttpRequest.shownBaseUrl("https://h/a@b"), "https://h/a@b")
    assert.strictEqual(HttpRequest.shownBaseUrl("ftp://h/v1"), "ftp://h/v1")
  })

  it("[8.1-request-line] counts a token in the query", () => {
    const queryToken = Redacted.make("t+o/k=e n'(*)!")
    const request = made(HttpRequest.make(chain, "https://api.test", { queryToken }))
    assert.strictEqual(
      HttpRequest.wireUrl(request),
      "https://api.test/v1/options/chain/SPX/?token=t%2Bo%2Fk%3De%20n%27%28%2A%29%21"
    )
    const bytes = "?token=t%2Bo%2Fk%3De%20n%27%28%2A%29%21".length
    const longest = baseUrlFor(4094 - bytes, chain)
    assert.strictEqual(wireBytes(made(HttpRequest.make(chain, longest, { queryToken }))), 4094)
    assert.strictEqual(failure(HttpRequest.make(chain, `${longest}x`, { queryToken }))._tag, "RequestLineTooLong")
  })
})

describe("batches", () => {
  const cut = (
    symbols: ReadonlyArray<string>,
    options: { readonly baseUrl?: string; readonly maxSymbols?: number } = {}
  ) => HttpRequest.batches(made(Query.stockPrices(symbols)), { baseUrl: "https://api.test", ...options })

  it("[8.1-batches] keeps every ticker, in order, within both limits, in as few requests as the order allows", () => {
    forAll(
      runs,
      tickers(40),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 3700, max: 4090 }),
      fc.option(ticker.map(Redacted.make), { nil: undefined }),
      (symbols, maxSymbols, bytes, queryToken) => {
        const query = made(Query.stockQuotes(symbols, { mode: DataMode.live, columns: ["last"] }))
        const bare = made(Query.stockQuotes(["A"], { mode: DataMode.live, columns: ["last"] }))
        const baseUrl = baseUrlFor(bytes, bare)
        const batches = HttpRequest.batches(query, { baseUrl, maxSymbols, queryToken })
        const alone = (symbol: string) =>
          HttpRequest.make(made(Query.stockQuotes([symbol], { mode: DataMode.live, columns: ["last"] })), baseUrl, {
            queryToken
          })
        if (Result.isFailure(batches)) {
          assert.strictEqual(batches.failure._tag, "RequestLineTooLong")
          assert.isTrue(symbols.some((symbol) => Result.isFailure(alone(symbol))))
          return
        }
        const all = batches.success
        // In upper or lower case it is one ticker.
        const named = symbols.map((symbol) => symbol.toUpperCase())
        const expected = symbols.filter((_, at) => named.indexOf(named[at]!) === at)
        assert.deepStrictEqual(all.flatMap((batch) => batch.query.tickers), expected)
        for (const [index, batch] of all.entries()) {
          assert.isAtMost(batch.query.tickers.length, maxSymbols)
          assert.isAtMost(wireBytes(batch.request), 4094)
          assert.deepStrictEqual(made(HttpRequest.make(batch.query, baseUrl, { queryToken })), batch.request)
          const next = all[index + 1]?.query.tickers[0]
          if (next === undefined || batch.query.tickers.length === maxSymbols) continue
          const longer = { ...batch.query, tickers: [...batch.query.tickers, next] }
          assert.isTrue(Result.isFailure(HttpRequest.make(longer, baseUrl, { queryToken })))
        }
      }
    )
  })

  it("[8.1-batches] refuses a ticker that fits into no line", () => {
    const query = made(Query.stockPrices(["A", "BBBBBBBBBBBBBBBB", "C"]))
    const baseUrl = baseUrlFor(4090, made(Query.stockPrices(["A"])))
    const error = failure(HttpRequest.batches(query, { baseUrl }))
    assert.deepInclude(error, { _tag: "RequestLineTooLong", bytes: 4105 })
  })

  it("refuses a limit that leaves no room", () => {
    for (const maxSymbols of [0, -1, 1.5, NaN]) {
      const error = failure(cut(["A"], { maxSymbols }))
      assert.deepInclude(error, { _tag: "InvalidQuery", parameter: "maxSymbols" })
    }
  })
})

it("[8.1-request-line] lineBytes counts bytes, not characters", () => {
  forAll(runs, fc.string({ unit: "grapheme" }), (target) => {
    assert.strictEqual(HttpRequest.lineBytes(target), Buffer.byteLength(`GET ${target} HTTP/1.1`))
  })
})

describe("isPrivate", () => {
  it("takes https, and http that does not leave this machine", () => {
    const hosts = `
      https://service.test HTTPS://service.test http://Localhost http://localhost:8080/x http://127.0.0.1:1 http://[::1]:1
    `.trim().split(" ")
    for (const baseUrl of hosts) assert.isTrue(HttpRequest.isPrivate(request(baseUrl)), baseUrl)
  })

  it("takes nothing else, however much it looks like this machine", () => {
    const hosts = `
      http://service.test http://localhost.service.test http://127.0.0.1.service.test http://10.0.0.1 http://[::2] http://service.test/localhost
    `.trim().split(" ")
    for (const baseUrl of hosts) assert.isFalse(HttpRequest.isPrivate(request(baseUrl)), baseUrl)
  })
})

it("holds no more than origin and target of the query", () => {
  const sent = request("https://service.test/md", Queries.chain({ mode: DataMode.cached({ maxAge: "1h" }) }, "SPX"))
  assert.deepStrictEqual(sent, {
    method: "GET",
    origin: "https://service.test",
    target: "/md/v1/options/chain/SPX/?mode=cached&maxage=1h"
  })
})
