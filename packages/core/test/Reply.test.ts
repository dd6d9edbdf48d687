import { type Credits, DataMode, type OptionChain, Provenance, Query, Reply } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { hostileText, obeyed, terminalText } from "./support/arbitraries.ts"
import { body, noon } from "./support/chains.ts"
import { forAll, trials } from "./support/depth.ts"
import * as Queries from "./support/queries.ts"

const runs = trials(7_1)

const json = { "content-type": "application/json" }
const html = { "content-type": "text/html" }

interface Exchange {
  readonly status: number
  readonly text?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Query.Query<OptionChain.OptionChain>
  readonly strict?: boolean
  readonly tokenSent?: boolean
}

/** Reads a whole reply, as the client does. */
const answer = (
  { headers = json, query = Queries.chain(), status, strict = false, text = "", tokenSent = true }: Exchange
) => {
  const head = Reply.head({ status, headers })
  const reader = Reply.reader(query, head, { strict })
  reader.push(new TextEncoder().encode(text))
  return Reply.outcome(query, head, reader.end(), { receivedAt: noon, tokenSent })
}

const delivered = (exchange: Exchange) => {
  const outcome = answer(exchange)
  assert(outcome._tag === "Delivered")
  return outcome
}

const refused = (exchange: Exchange) => {
  const outcome = answer(exchange)
  assert(outcome._tag === "Refused")
  return outcome
}

const tag = (exchange: Exchange): string => {
  const outcome = answer(exchange)
  return outcome._tag === "Delivered" ? "Delivered" : outcome.reason._tag
}

const errmsg = (text: string): string => JSON.stringify({ s: "error", errmsg: text })

/** The words of the contract's section 7.3. */
const invalidSymbol = "Invalid option symbol. Use valid OCC symbology for the option symbol."
const invalidDate = "Invalid date. The date parameter is used for historical queries only."
const tooLarge = "<html><body><h1>Bad Request</h1>Request Line is too large (4316 &gt; 4094)</body></html>"

const modes = [undefined, DataMode.live, DataMode.delayed, DataMode.cached(), DataMode.cachedOrLive()]
const isCached = (mode: DataMode.DataMode | undefined) => mode !== undefined && DataMode.parameter(mode) === "cached"

describe("success", () => {
  it("[7.1-200] [4.1-statuses] a 200 delivers data fresh from the provider", () => {
    const { charge, data, findings, provenance, status } = delivered({ status: 200, text: body(3) })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([...data.strike], [100, 100, 101])
    assert.deepStrictEqual(findings, [])
    const untold = { requestedMode: undefined, sentMode: undefined, requestId: undefined }
    const updated = { oldest: noon, newest: noon }
    assert.deepStrictEqual(provenance, { ...untold, status: 200, source: "provider", updated, receivedAt: noon })
    assert.strictEqual(charge.credits, 3)
  })

  it("[7.1-203] [4.1-statuses] a 203 delivers data of the same shape from a cache layer", () => {
    const fresh = delivered({ status: 200, text: body(3) })
    const cached = delivered({ status: 203, text: body(3) })
    assert.deepStrictEqual([cached.provenance.status, cached.provenance.source], [203, "cache"])
    assert.deepStrictEqual(JSON.stringify([...cached.data]), JSON.stringify([...fresh.data]))
  })

  it("says how long a cache on the way kept a reply, and leaves out the figures of the request that it was made for", () => {
    const headers = { ...json, age: "90 , 4", "x-api-ratelimit-consumed": "1" }
    for (const [status, credits] of [[200, 3], [203, 1]] as const) {
      const { charge, provenance } = delivered({ status, text: body(3), headers })
      assert.deepStrictEqual([provenance.age, provenance.receivedAt, charge.credits], [90, noon - 90, credits])
      assert.include(Provenance.format(provenance), "kept for 90 s from the ")
    }
    for (const age of ["0", "-1", "soon"]) assert.isUndefined(Reply.head({ status: 200, headers: { age } }).age)
  })

  it("[7.2-success-set] [7.2-not-mapped] 200 and 203 deliver data in every mode, and the status alone says from where", () => {
    for (const mode of modes) {
      for (const [status, source] of [[200, "provider"], [203, "cache"]] as const) {
        const { findings, provenance } = delivered({ status, text: body(1), query: Queries.chain({ mode }) })
        assert.deepStrictEqual([provenance.status, provenance.source], [status, source])
        const codes = findings.map(({ code }) => code)
        assert.deepStrictEqual(codes, isCached(mode) && status === 200 ? ["CachedAnsweredFresh"] : [])
      }
    }
  })

  it("[7.2-203-price] a 203 costs what the mode costs that was asked for", () => {
    const cost = (mode: DataMode.DataMode | undefined, status: number) =>
      delivered({ status, text: body(40), query: Queries.chain({ mode }) }).charge.credits
    for (const mode of [undefined, DataMode.live, DataMode.delayed]) {
      assert.deepStrictEqual([cost(mode, 200), cost(mode, 203)], [40, 40])
    }
  })

  it("[8.2-cost-quotes] costs by the quotes that have data, and by the rows where rows are sold", () => {
    const symbols = ["A", "B", "C"]
    const head = Reply.head({ status: 200, headers: json })
    const cost = <Data>(query: Query.Query<Data>, fields: object, assume: Credits.PriceOptions = {}) => {
      const reader = Reply.reader(query, head, { strict: false })
      reader.push(new TextEncoder().encode(JSON.stringify({ s: "ok", ...fields })))
      const outcome = Reply.outcome(query, head, reader.end(), { receivedAt: noon, tokenSent: true, assume })
      assert(outcome._tag === "Delivered")
      return outcome.charge.credits
    }
    const prices = { symbol: symbols, mid: [null, 1, 2] }
    assert.strictEqual(cost(Result.getOrThrow(Query.stockPrices(symbols)), prices), 2)
    const sold = Result.getOrThrow(Query.stockPrices(symbols, { assume: { kind: "bulkCandles" } }))
    assert.strictEqual(cost(sold, prices), 3)
    const quotes = { symbol: symbols, bid: [null, 1, null], last: [null, null, null] }
    assert.strictEqual(cost(Result.getOrThrow(Query.stockQuotes(symbols)), quotes), 1)
    const chain = JSON.parse(body(4, { ask: [1, null, 1, 1], bid: [1, null, 1, 1], mid: [1, null, 1, 1] }))
    const unquoted = { ...chain, last: [1, null, 1, 1] }
    const spx = Queries.chain({}, "SPX")
    assert.deepStrictEqual([cost(spx, unquoted), cost(spx, unquoted, { profile: "public" })], [4, 3])
  })
})

describe("400", () => {
  it("[7.3-symbol-errmsg] [7.3-date-errmsg] knows them at status 400 only", () => {
    assert.strictEqual(tag({ status: 404, text: errmsg(invalidSymbol) }), "NotFound")
    assert.strictEqual(tag({ status: 402, text: errmsg(invalidDate) }), "PlanRequired")
  })

  it("[7.3-html-400] knows it by its type too, whatever comes with that", () => {
    for (const type of ["text/html; charset=utf-8", "TEXT/HTML", "text/html;charset=\"iso-8859-1\""]) {
      const headers = { "content-type": type }
      assert.strictEqual(tag({ status: 400, text: tooLarge, headers }), "RequestLineTooLong", type)
    }
    const words = "Request Line is too large (4316 > 4094)"
    assert.strictEqual(tag({ status: 400, text: errmsg(words) }), "BadRequest")
    assert.strictEqual(tag({ status: 400, text: tooLarge, headers: {} }), "BadRequest")
    assert.strictEqual(tag({ status: 400, text: words, headers: { "content-type": "text/plain" } }), "BadRequest")
  })

  it("[7.3-400-vs-404] a malformed symbol is a 400, a well-formed one without data a 404", () => {
    assert.strictEqual(tag({ status: 400, text: errmsg(invalidSymbol) }), "InvalidOptionSymbol")
    assert.strictEqual(tag({ status: 404, text: errmsg("No option found.") }), "NotFound")
  })
})

describe("refusals", () => {
  it("[5.7-401] 401 tells a missing token from an invalid one", () => {
    for (const tokenSent of [true, false]) {
      const { reason } = refused({ status: 401, tokenSent })
      assert.deepInclude(reason, { _tag: "Unauthorized", tokenSent })
    }
  })

  it("[7.1-402] [8.2-access] 402 is a limit of the plan, and says whether cached data were asked for", () => {
    for (const mode of modes) {
      const { reason } = refused({ status: 402, query: Queries.chain({ mode }) })
      assert.deepInclude(reason, { _tag: "PlanRequired", cached: isCached(mode) })
    }
  })

  it("[7.1-403] a firewall's page is not a block for several addresses, though it speaks of addresses too", () => {
    const texts = [
      "<html><title>Attention Required!</title><p>Your IP address has been blocked.</p><p>Your IP: 192.0.2.1</p></html>",
      "<html><h1>Error 1006</h1>The owner has banned your IP address (192.0.2.1).</html>",
      `<html><script>{"blockedIP":"192.0.2.1"}</script></html>`,
      "Access denied for IP address 192.0.2.1",
      errmsg("Requests from this IP address are not allowed."),
      `"blockedIP"`,
      errmsg(`no field "blockedIP": here`)
    ]
    for (const text of texts) assert.strictEqual(tag({ status: 403, text, headers: html }), "Forbidden", text)
  })

  it("[5.6-single-ip] keeps the addresses that a block names, and nothing that is not an address", () => {
    const block = (authorizedIP: unknown, blockedIP: unknown) => {
      const { reason } = refused({
        status: 403,
        text: JSON.stringify({ s: "error", errmsg: "Only one device is permitted.", authorizedIP, blockedIP })
      })
      assert(reason._tag === "AddressBlocked")
      return [reason.authorizedIP, reason.blockedIP]
    }
    assert.deepStrictEqual(block("192.0.2.1", "2001:db8::ffff:192.0.2.2"), ["192.0.2.1", "2001:db8::ffff:192.0.2.2"])
    const nonsenses = [undefined, null, 7, "", "1", "x".repeat(50), "1".repeat(46), "<b>", "192.0.2.1\n", ["::1"]]
    for (const nonsense of nonsenses) assert.deepStrictEqual(block(nonsense, nonsense), [undefined, undefined])
    const { reason } = refused({ status: 403, text: `{"blockedIP":"192.0.2.2` })
    assert(reason._tag === "AddressBlocked")
    assert.isUndefined(reason.blockedIP)
  })

  it("[7.1-402] tells history before the plan's and premium endpoints from any other limit", () => {
    const limit = (exchange: Exchange) => {
      const { reason } = refused({ ...exchange, status: 402 })
      assert(reason._tag === "PlanRequired")
      return [reason.cause, reason.years]
    }
    const history = (words: string) => limit({ status: 402, text: errmsg(words) })
    assert.deepStrictEqual(history("Free/Trial users can only access up to 1 year of data."), ["HistoryDepth", 1])
    assert.deepStrictEqual(history("Starter users can only access up to 5 years of data."), ["HistoryDepth", 5])
    assert.deepStrictEqual(history("Cached data requires a paid plan."), [undefined, undefined])
    const query = Result.getOrThrow(Query.stockEarnings("MSFT"))
    const head = Reply.head({ status: 402, headers: {} })
    const { reason } = Reply.outcome(query, head, { text: "" }, { receivedAt: noon, tokenSent: true }) as Reply.Refused
    assert(reason._tag === "PlanRequired")
    assert.strictEqual(reason.cause, "PremiumEndpoint")
    assert.include(reason.message, "Change to a paid plan")
  })

  it("names the underlying to ask for in place of a root", () => {
    const asked = (symbol: string) => Reply.refusal(Reply.head({ status: 404, headers: {} }), { text: "", symbol })
    assert.include(asked("SPXW").message, "Ask for SPX, or check ")
    assert.include(asked("SPX").message, ". Check ")
  })

  it("[7.1-404] [7.3-400-vs-404] 404 says what is not there where its words tell", () => {
    const cause = (text: string) => {
      const { reason } = refused({ status: 404, text })
      assert(reason._tag === "NotFound")
      return reason.cause
    }
    const noData = (errmsg: string) => cause(JSON.stringify({ s: "no_data", errmsg }))
    assert.strictEqual(noData("Symbol not found."), "UnknownSymbol")
    assert.strictEqual(noData("Market closed on this date."), "MarketClosed")
    const noOption = "No option found. No option was found for this strike and expiration."
    assert.deepStrictEqual([cause(errmsg(noOption)), cause(`{"s":"no_data"}`)], ["UnknownOption", "NoData"])
    const texts = ["", "{", errmsg("Not found."), errmsg(""), `{"s":"no_data","errmsg":"x"}`, "null", "[]", `"no_data"`]
    for (const text of texts) assert.isUndefined(cause(text), text)
  })

  it("429 goes by what is left where its words do not tell", () => {
    const rate = (remaining: string, limit = "100") => ({
      ...json,
      "x-api-ratelimit-limit": limit,
      "x-api-ratelimit-remaining": remaining,
      "x-api-ratelimit-reset": String(noon + 60),
      "retry-after": "7"
    })
    for (const remaining of ["0", "-12"]) {
      const { reason } = refused({ status: 429, headers: rate(remaining) })
      assert(reason._tag === "CreditsExhausted")
      assert.strictEqual(reason.reset, noon + 60)
      assert.include(reason.message, "2026-11-20 12:01:00 EST")
    }
    const text = errmsg("Too many concurrent requests. Please reduce parallel requests and retry.")
    for (const exchange of [{ headers: rate("1") }, { headers: rate("0", "0") }, { headers: rate("0"), text }]) {
      const { reason } = refused({ status: 429, ...exchange })
      assert.deepInclude(reason, { _tag: "TooManyRequests", retryAfter: 7 })
    }
  })

  it("500 and above are the service's faults, of which all but 500 pass; 511 is the login page of a network", () => {
    assert.deepInclude(refused({ status: 511 }).reason, { _tag: "UnexpectedStatus", isRetryable: false })
    for (const status of [500, 501, 502, 503, 504, 509, 524, 529, 530, 540, 598, 599]) {
      const { reason } = refused({ status, headers: { "retry-after": "30" } })
      assert.deepInclude(reason, { _tag: "ServerFault", status, temporary: status !== 500, retryAfter: 30 })
    }
  })

  it("[7.1-charge-not-stated] cost nothing by a named assumption, and what the service reports where it does", () => {
    const free = refused({ status: 404 }).charge
    assert.deepStrictEqual([free?.credits, free?.clause], [0, "7.1-charge-not-stated"])
    assert.deepStrictEqual(free?.assumptions, [{ name: "charge for status 404", value: "0" }])
    const billed = refused({ status: 404, headers: { ...json, "x-api-ratelimit-consumed": "1" } }).charge
    assert.deepStrictEqual([billed?.credits, billed?.computed], [1, 0])
  })
})

describe("a success that cannot be read", () => {
  it("[2.1-lengths] says where the body broke", () => {
    const { reason } = refused({ status: 200, text: body(96, { openInterest: [1] }) })
    assert(reason._tag === "MalformedReply")
    assert.deepStrictEqual([reason.code, reason.column], ["LengthMismatch", "openInterest"])
    assert.include(reason.message, "expected 96 elements")
  })

  it("[2.2-error-body] keeps its words, whatever an earlier reader that has ended is still given", () => {
    const reader = () => Reply.reader(Queries.chain({}), Reply.head({ status: 200, headers: json }), { strict: false })
    const bytes = (text: string) => new TextEncoder().encode(text)
    const words = errmsg("these words are longer than nothing")
    const ended = reader()
    ended.push(bytes(`{"s":"ok"}`))
    ended.end()
    const next = reader()
    next.push(bytes(words.slice(0, 40)))
    ended.push(bytes(" LATE ".repeat(20)))
    next.push(bytes(words.slice(40)))
    assert.strictEqual((next.end() as { readonly beginning?: string }).beginning, words)
  })

  it("[2.2-error-body] keeps those words in whichever pieces they come, and no more of them than a message holds", () => {
    const words = "No data was found for this request."
    const query = Queries.chain({})
    const said = (text: string, pieces: ReadonlyArray<number>) => {
      const reader = Reply.reader(query, Reply.head({ status: 200, headers: json }), { strict: false })
      const bytes = new TextEncoder().encode(text)
      let start = 0
      for (const size of [...pieces, bytes.length]) {
        if (!reader.push(bytes.slice(start, start + size))) break
        start += size
      }
      const held = reader.end()
      assert("data" in held)
      const outcome = Reply.outcome(query, Reply.head({ status: 200, headers: json }), held, {
        receivedAt: noon,
        tokenSent: true
      })
      return outcome._tag === "Refused" && outcome.reason._tag === "MalformedReply" ? outcome.reason.body : undefined
    }
    for (let size = 1; size < 60; size++) assert.strictEqual(said(errmsg(words), Array(99).fill(size)), words)
    assert.strictEqual(said(`{"errmsg":${JSON.stringify(words)},"s":"error"}`, [20]), words)
    assert.isUndefined(said(`{"s":"no_data","nextTime":null}`, []))
    assert.isAtMost(said(errmsg("x".repeat(1_000_000)), [1000, 1000, 1000])?.length ?? 0, 200)
    assert.notInclude(said(errmsg("token=c3VwZXI"), []), "c3VwZXI")
    // Nothing is kept of what is data, or cannot be read for another reason.
    assert.isUndefined(said(body(1), []))
    assert.isUndefined(said(`{"s":"ok","errmsg":"x","bid":1}`, []))
  })

  it("was charged by rows that nobody counted: only a fixed price or the service's figure says how much", () => {
    assert.isUndefined(refused({ status: 200, text: "{" }).charge)
    const reported = { ...json, "x-api-ratelimit-consumed": "96" }
    assert.strictEqual(refused({ status: 200, text: "{", headers: reported }).charge?.credits, 96)
    const cached = Queries.chain({ mode: DataMode.cached() })
    assert.strictEqual(refused({ status: 203, text: "{", query: cached }).charge?.credits, 1)
    // A page is not the service's.
    const page = "<html><p>Please sign in.</p></html>"
    const { charge: perhaps, reason } = refused({ status: 200, text: page, query: cached })
    assert.deepStrictEqual([perhaps, reason.cost], [undefined, "possible"])
    assert.include(reason.message, "(it said \"Please sign in.\"). Check the base URL and proxies.")
    const charge = (query: Query.Query) => refused({ status: 200, query: query as typeof cached }).charge?.credits
    assert.deepStrictEqual([charge(Result.getOrThrow(Query.optionExpirations("SPX"))), charge(Query.account)], [1, 0])
    assert.isUndefined(charge(Result.getOrThrow(Query.stockCandles("D", "SPY"))))
  })

  it("is never taken for a refusal of the service, whatever it says", () => {
    for (const text of ["", errmsg(invalidDate), tooLarge]) {
      assert.strictEqual(tag({ status: 200, text }), "MalformedReply")
      assert.strictEqual(tag({ status: 203, text }), "MalformedReply")
    }
  })
})

describe("head", () => {
  it("[7.1-charge-not-stated] reads the credits that the service reports, and takes nonsense for none", () => {
    const reported = (value: string | undefined) =>
      Reply.head({ status: 200, headers: { "x-api-ratelimit-consumed": value } }).reported
    assert.deepStrictEqual(["0", "1", "22718 \t"].map(reported), [0, 1, 22_718])
    for (const value of [undefined, "", "-1", "1.5", "1e3", " 1", "NaN", "0x10", "9".repeat(10), "1, 1"]) {
      assert.isUndefined(reported(value))
    }
  })

  it("reads the figures of credits where they are there and are some, each for itself", () => {
    const rate = (limit?: string, remaining?: string, reset?: string) =>
      Reply.head({
        status: 404,
        headers: {
          "x-api-ratelimit-limit": limit,
          "x-api-ratelimit-remaining": remaining,
          "x-api-ratelimit-reset": reset,
          "x-api-ratelimit-consumed": "3"
        }
      }).rate
    const consumed = 3
    const told = { limit: 10_000, remaining: -12, reset: 1_795_267_800, consumed }
    assert.deepStrictEqual(rate("10000", "-12", "1795267800"), told)
    const none = { limit: undefined, remaining: undefined, reset: undefined, consumed }
    assert.deepStrictEqual(rate(), none)
    assert.deepStrictEqual(rate("0", "0"), { ...none, limit: 0, remaining: 0 })
    assert.deepStrictEqual(rate("0", "-0"), { ...none, limit: 0, remaining: 0 })
    for (const nonsense of ["", "-", "--1", "1.5", "1e3", " 1", "0x10", "Infinity", "9".repeat(12), "1, 1"]) {
      assert.deepStrictEqual(rate(nonsense, nonsense, nonsense), none, nonsense)
    }
    for (const reset of ["0", "-1795267800", "soon", "2026-11-21"]) {
      assert.isUndefined(rate("1", "1", reset).reset, reset)
    }
  })

  it("reads how long the service asks to be left alone, in seconds or by its own clock", () => {
    const after = (value: string | undefined, date?: string) =>
      Reply.head({ status: 503, headers: { "retry-after": value, date } }).retryAfter
    const now = "Fri, 20 Nov 2026 21:00:00 GMT"
    const longest = 999_999_999
    assert.deepStrictEqual(["0", "120", "0000000007", "9".repeat(400)].map((one) => after(one)), [0, 120, 7, longest])
    assert.strictEqual(after("Fri, 20 Nov 2026 21:01:30 GMT ", `${now}\t`), 90)
    assert.strictEqual(after("Tue, 01 Dec 2026 00:00:00 GMT", now), 10 * 86_400 + 3 * 3600)
    assert.strictEqual(after("Thu, 19 Nov 2026 21:00:00 GMT", now), 0)
    assert.isUndefined(after("Fri, 20 Nov 2026 21:01:30 GMT"))
    const dates = ["31 Nov 2026 21:00:00", "20 Nov 2026 24:00:00", "20 Nov 2026 21:60:00", "20 Foo 2026 21:00:00"]
    const nonsenses = [undefined, "", "-1", "1.5", "soon", ...dates.map((date) => `Fri, ${date} GMT`)]
    for (const nonsense of nonsenses) assert.isUndefined(after(nonsense, now), nonsense)
  })

  it("reads the type of the body, and takes nonsense for none", () => {
    const type = (value: string | undefined) =>
      Reply.head({ status: 200, headers: { "content-type": value } }).mediaType
    assert.strictEqual(type("application/json"), "application/json")
    assert.strictEqual(type(" Text/HTML ;charset=utf-8"), "text/html")
    for (const nonsense of [undefined, "", "html", "text/", "a b/c", `${"x".repeat(65)}/y`]) {
      assert.isUndefined(type(nonsense))
    }
  })

  it("is there for every status and all headers", () => {
    const figures = ["limit", "remaining", "reset", "consumed"].map((name) => `x-api-ratelimit-${name}`)
    const names = fc.constantFrom("content-type", "date", "retry-after", "cf-ray", ...figures)
    const headers = fc.dictionary(names, hostileText)
    forAll(runs, fc.integer({ min: 100, max: 599 }), headers, (status, headers) => {
      const head = Reply.head({ status, headers })
      assert.strictEqual(head.read === "data", status === 200 || status === 203)
      assert.strictEqual(head.read === "nothing", status === 204)
      assert.isAtMost(head.requestId?.length ?? 0, 64)
      for (const figure of [...Object.values(head.rate), head.retryAfter]) {
        assert(figure === undefined || Number.isSafeInteger(figure))
      }
    })
  })

  it("keeps a request's name, bounded", () => {
    const name = (value: string) => Reply.head({ status: 200, headers: { "cf-ray": value } }).requestId
    assert.deepStrictEqual([name("8f0a-EWR "), name("x".repeat(100_000))?.length], ["8f0a-EWR", 64])
  })
})

it("reader keeps no more than 64 KiB of a text that only explains", () => {
  const head = Reply.head({ status: 500, headers: {} })
  const reader = Reply.reader(Queries.chain(), head, { strict: false })
  const wanted = Array.from({ length: 100 }, () => reader.push(new TextEncoder().encode("x".repeat(10_000))))
  assert.deepStrictEqual(wanted.map((more, index) => more === index < 6), Array(100).fill(true))
  const read = reader.end()
  assert("text" in read)
  assert.strictEqual(read.text, "x".repeat(Reply.maxTextBytes))
})

describe("explanation", () => {
  it("[7.1-bodies-unknown] finds the words of a page, and none in JSON that has none for us", () => {
    assert.strictEqual(Reply.explanation(tooLarge), "Bad Request Request Line is too large (4316 &gt; 4094)")
    assert.strictEqual(Reply.explanation("  Service\n\tUnavailable "), "Service Unavailable")
    // The pages of nginx say everything twice, and those of Squid begin with their styles.
    const head = "<head><title>Bad Gateway</title><style><!-- body { margin: 0 } --></style></head>"
    assert.strictEqual(Reply.explanation(`<html>${head}<body>Bad Gateway</body></html>`), "Bad Gateway")
    assert.include(Reply.explanation(`<html>${head}<body></body></html>`), "Bad Gateway")
    const wordless = ["", "{", `{"errmsg":1}`, `{"errmsg":null}`, "[1]", `{"s":"error","errms`, `{"errmsg":"`]
    for (const text of [...wordless, "null", "true", "404", `""`, "{}", "[]", `["errmsg"]`]) {
      assert.strictEqual(Reply.explanation(text), "", text)
    }
    assert.strictEqual(Reply.explanation(`"Service unavailable"`), "Service unavailable")
  })

  it("[7.1-bodies-unknown] stays short, and finishes with every text", () => {
    const long = ["<", "< ", "<a ", "</hea", " ", "[", "{", "\"", "x", "&lt;", "\\", "<".repeat(500)].map((part) =>
      part.repeat(Math.floor(Reply.maxTextBytes / part.length))
    )
    const start = performance.now()
    for (const text of [...long, errmsg("x".repeat(60_000))]) assert.isAtMost(Reply.explanation(text).length, 200)
    for (let times = 0; times < 20; times++) Reply.explanation(long[0]!)
    assert.isBelow(performance.now() - start, 5000)
  })
})

it("[7.1-bodies-unknown] any reply holds nothing that a terminal obeys", () => {
  forAll(runs, terminalText, fc.boolean(), (text, isJson) => {
    const explained = Reply.explanation(isJson ? errmsg(text) : text)
    assert.notMatch(explained, obeyed)
    assert.isAtMost(explained.length, 6 * 200)
  })
})

describe("the documented replies", () => {
  /** What the public service's documentation prints, where a copy is at hand. */
  const folder = process.env["MARKETDATA_FIXTURES"]
  const documented = [
    ["error-400-invalid-date-historical-only.json", 400, "InvalidDate"],
    ["error-400-invalid-option-symbol.json", 400, "InvalidOptionSymbol"],
    ["error-400-request-line-too-large.html", 400, "RequestLineTooLong"],
    ["error-403-multiple-ip-addresses.json", 403, "AddressBlocked"],
    ["error-404-no-data-market-closed.json", 404, "NotFound"],
    ["error-404-no-data-null-times.json", 404, "NotFound"],
    ["error-404-no-option-found.json", 404, "NotFound"],
    ["error-429-concurrency.json", 429, "TooManyRequests"],
    ["error-429-credit-limit.json", 429, "CreditsExhausted"]
  ] as const

  it("have the reasons that they describe", () => {
    if (folder === undefined) return
    for (const [file, status, expected] of documented) {
      const text = readFileSync(join(folder, file), "utf8")
      const headers = file.endsWith(".html") ? html : json
      assert.strictEqual(tag({ status, text, headers }), expected, file)
    }
  })
})
