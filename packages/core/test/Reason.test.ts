import * as Reason from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { hostileText, obeyed, terminalText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const body = "The service's own words."

/** One of every reason, the retryable ones apart. */
const passing = [
  new Reason.TooManyRequests({ body }),
  new Reason.ServerFault({ status: 503, temporary: true, body }),
  new Reason.TransportFailure({ detail: "connection reset", mayHaveBeenCharged: true }),
  new Reason.TimedOut({ limit: "attempt", milliseconds: 60_000, mayHaveBeenCharged: true }),
  new Reason.GatewayUnavailable({ cause: "Busy", detail: "1024 calls are waiting" })
] as const
const lasting = [
  new Reason.InvalidQuery({ parameter: "date", value: "tomorrow", rule: "must be a past day", example: "2026-11-20" }),
  new Reason.RequestLineTooLong({ bytes: 4095 }),
  new Reason.BadRequest({ body }),
  new Reason.InvalidDate({ body }),
  new Reason.InvalidOptionSymbol({ body }),
  new Reason.Unauthorized({ tokenSent: true, body }),
  new Reason.PlanRequired({ cached: true, body }),
  new Reason.Forbidden({ body }),
  new Reason.AddressBlocked({ body }),
  new Reason.NotFound({ body }),
  new Reason.TooMuchData({ body }),
  new Reason.CreditsExhausted({ body }),
  new Reason.ServerFault({ status: 500, temporary: false, body }),
  new Reason.UnexpectedStatus({ status: 302, body }),
  new Reason.NoCachedData(),
  new Reason.UnexpectedNoContent(),
  new Reason.NoLiveData(),
  new Reason.FallbackDeclined({ price: 300, ceiling: 100 }),
  new Reason.CreditBudgetExceeded({ cause: "Insufficient", bound: 41, available: 40 }),
  new Reason.IpBlocked({}),
  new Reason.LedgerUnavailable({ detail: "database is locked" }),
  new Reason.GuardUnavailable({ detail: "database is locked" }),
  new Reason.AlreadySent({ key: "day 2026-11-20", time: 1_795_208_400 }),
  new Reason.GatewayUnavailable({
    cause: "OtherVersion",
    detail: "its protocol is version 2, and that of this program is 1"
  }),
  new Reason.TimedOut({ limit: "deadline", milliseconds: 60_000, mayHaveBeenCharged: false }),
  new Reason.TransportFailure({ detail: "Parse Error", mayHaveBeenCharged: true, unreadable: true }),
  new Reason.MalformedReply({ code: "WrongType", column: "bid", index: 3, detail: "expected a number" }),
  new Reason.ReplyTooLarge({ limit: 1000, unit: "bytes", configured: true })
] as const
const detailed = [
  new Reason.AddressBlocked({ authorizedIP: "192.0.2.1", blockedIP: "192.0.2.2", body }),
  new Reason.IpBlocked({ until: 1_795_208_400, wasSent: true }),
  new Reason.LedgerUnavailable({ detail: "database is locked", wasSent: true }),
  new Reason.GatewayUnavailable({ cause: "Unreachable", detail: "the runner stopped", wasSent: true }),
  new Reason.GuardUnavailable({ detail: "database is locked", wasSent: true }),
  new Reason.NotFound({ cause: "MarketClosed", prevTime: 1_795_208_400, nextTime: 1_795_467_600, body }),
  new Reason.PlanRequired({ cached: false, cause: "HistoryDepth", years: 5, body }),
  new Reason.CreditsExhausted({ reset: 1_795_271_400, body }),
  new Reason.ServerFault({ status: 503, temporary: true, retryAfter: 30, body }),
  new Reason.TooManyRequests({ retryAfter: 2, body })
] as const
const all: ReadonlyArray<Reason.Reason> = [...passing, ...lasting, ...detailed]

/** Every class of the module by its tag. */
const classes = new Map<string, unknown>(
  Object.entries(Reason).filter(([, value]) => typeof value === "function" && value.prototype instanceof Error)
)

it("is listed here in all its classes", () =>
  assert.deepStrictEqual([...new Set(all.map(({ _tag }) => _tag))].toSorted(), [...classes.keys()].toSorted()))

it("isRetryable is true for what passes by itself, and for nothing else", () => {
  for (const reason of passing) assert.isTrue(reason.isRetryable, reason._tag)
  for (const reason of lasting) assert.isFalse(reason.isRetryable, reason._tag)
})

it("can be stored as JSON and read again", () => {
  for (const reason of all) {
    const schema = classes.get(reason._tag) as Schema.Codec<Reason.Reason, unknown>
    const codec = Schema.toCodecJson(schema)
    const stored = JSON.stringify(Schema.encodeSync(codec)(reason))
    const read = Schema.decodeUnknownSync(codec)(JSON.parse(stored))
    assert.strictEqual(read.constructor, reason.constructor)
    assert.deepInclude(read, { message: reason.message, isRetryable: reason.isRetryable })
  }
})

it("is stored as JSON and read again, whatever it holds", () => {
  const codec = Schema.toCodecJson(Reason.Reason)
  const texts = fc.record({
    body: hostileText,
    detail: hostileText,
    parameter: hostileText,
    value: hostileText,
    rule: hostileText
  })
  const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })
  const number = optional(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0))
  const numbers = fc.record({
    bytes: optional(fc.nat()),
    bound: number,
    price: number,
    prevTime: number,
    nextTime: number,
    reset: number,
    retryAfter: number,
    years: optional(fc.nat())
  })
  forAll(trials(9), fc.constantFrom(...all), texts, numbers, (example, texts, numbers) => {
    // Fields of the reason's own kind with other values: any text, and any number or none where none is allowed.
    const other = { ...texts, ...numbers }
    const fields = Schema.encodeSync(codec)(example) as Readonly<Record<string, unknown>>
    const reason = Schema.decodeUnknownSync(codec)({
      ...fields,
      ...Object.fromEntries(Object.entries(other).filter(([name, value]) => name in fields && value !== undefined))
    })
    const stored = JSON.stringify(Schema.encodeSync(codec)(reason))
    const read = Schema.decodeUnknownSync(codec)(JSON.parse(stored))
    assert.strictEqual(read.constructor, example.constructor)
    assert.deepStrictEqual({ ...read }, { ...reason })
    assert.deepInclude(read, { message: reason.message, isRetryable: reason.isRetryable, cost: reason.cost })
    assert.strictEqual(JSON.stringify(Schema.encodeSync(codec)(read)), stored)
  })
})

it("is refused where it is none", () => {
  const codec = Schema.toCodecJson(Reason.Reason)
  const storeds = [{}, { _tag: "Nothing" }, { _tag: "ServerFault", status: 503 }, { _tag: "NotFound", body: 7 }, null]
  for (const stored of storeds) assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(codec)(stored)))
})

it("[7.1-charge-not-stated] cost is nothing where nothing was sent or the contract says so, and not stated for refusals", () => {
  const cost = (tag: string) => all.filter(({ _tag }) => _tag === tag).map(({ cost }) => cost)
  const free = "InvalidQuery RequestLineTooLong NoCachedData UnexpectedNoContent NoLiveData FallbackDeclined".split(" ")
  assert.strictEqual(new Reason.IpBlocked({}).cost, "none")
  assert.strictEqual(new Reason.TimedOut({ limit: "attempt", milliseconds: 1, mayHaveBeenCharged: false }).cost, "none")
  for (const tag of free.concat("CreditBudgetExceeded")) assert.deepStrictEqual(cost(tag), ["none"], tag)
  for (const reason of all) if ("body" in reason) assert.strictEqual(reason.cost, "notStated", reason._tag)
  const paid = ["MalformedReply", "TransportFailure", "ReplyTooLarge"]
  for (const tag of paid) assert.deepStrictEqual([...new Set(cost(tag))], ["possible"], tag)
  assert.strictEqual(new Reason.TransportFailure({ detail: "x", mayHaveBeenCharged: false }).cost, "none")
  const again = { cause: "Insufficient", bound: 41, available: 40, wasSent: true } as const
  assert.strictEqual(new Reason.CreditBudgetExceeded(again).cost, "possible")
  for (const spent of [{ charged: 1, uncertain: 0 }, { charged: 0, uncertain: 1 }]) {
    assert.strictEqual(new Reason.FallbackDeclined({ price: 1, ceiling: 1, ...spent }).cost, "possible")
  }
})

describe("afterSending", () => {
  it("is the same reason, and may have cost something", () => {
    for (const reason of all) {
      const after = Reason.afterSending(reason)
      assert.strictEqual(after.constructor, reason.constructor)
      if ("wasSent" in after) {
        const fields = (of: object, cause: unknown) => ({ ...of, cause, wasSent: true })
        assert.deepStrictEqual(fields(after, after.cause), fields(reason, reason.cause))
        assert.deepInclude(after, { wasSent: true, cost: "possible" })
      } else {
        assert.strictEqual(after, reason)
      }
    }
  })

  it("is said of each reason that can say so", () => {
    const fields = (of: unknown) => (of as typeof Reason.IpBlocked).fields
    const can = [...classes].flatMap(([tag, of]) => "wasSent" in fields(of) ? [tag] : [])
    assert.isNotEmpty(can)
    for (const reason of all.filter(({ _tag }) => can.includes(_tag))) {
      assert.propertyVal(Reason.afterSending(reason), "wasSent", true)
    }
  })
})

describe("what the service says that a reply was charged", () => {
  const charged = (charged: number): ReadonlyArray<Reason.Reason> => [
    new Reason.NotFound({ body: "", charged }),
    new Reason.ServerFault({ status: 503, temporary: true, body: "", charged }),
    new Reason.UnexpectedStatus({ status: 418, body: "", charged }),
    new Reason.MalformedReply({ code: "WrongType", column: "bid", index: 3, detail: "expected a number", charged }),
    new Reason.ReplyTooLarge({ limit: 10, unit: "bytes", configured: true, charged }),
    new Reason.TransportFailure({ detail: "connection reset", mayHaveBeenCharged: true, charged }),
    new Reason.TimedOut({ limit: "attempt", milliseconds: 9, mayHaveBeenCharged: true, charged }),
    new Reason.NoCachedData({ charged }),
    new Reason.UnexpectedNoContent({ charged }),
    new Reason.NoLiveData({ charged })
  ]

  it("[7.1-charge-not-stated] is what the reason says, and what it cost", () => {
    for (const reason of charged(0)) {
      assert.strictEqual(reason.cost, "none", reason._tag)
      assert.include(reason.message, "Nothing was charged", reason._tag)
      assert.notMatch(reason.message, /It was charged|may have been|states no price/, reason._tag)
    }
    for (const reason of charged(2)) {
      assert.strictEqual(reason.cost, "full", reason._tag)
      assert.include(reason.message, "It was charged 2 credits", reason._tag)
      assert.notMatch(reason.message, /Nothing was charged|may have been|states no price/, reason._tag)
    }
  })
})

describe("message", () => {
  it("can be had as its sentences, each by itself", () => {
    const { said } = new Reason.BadRequest({ body })
    assert.deepStrictEqual(said, {
      what: "the service did not accept the request",
      words: `"${body}"`,
      advice: "Check the parameters",
      cost: "The service states no price for this; it counts as free"
    })
    for (const { message, said: { advice, cost, what, words } } of all) {
      const first = words === "" ? what : `${what} (it said ${words})`
      assert.strictEqual(message, advice === "" ? `${first}. ${cost}.` : `${first}. ${advice}. ${cost}.`)
    }
  })

  it("holds nothing that a terminal obeys, whatever the service said", () => {
    const foreign = ["body", "detail", "parameter", "value", "rule", "example", "column", "authorizedIP", "blockedIP"]
    forAll(trials(25_05), fc.constantFrom(...all), terminalText, (reason, text) => {
      const fields = Object.entries(Schema.encodeSync(Reason.Reason)(reason))
        .map(([name, value]) => [name, foreign.includes(name) ? text : value])
      assert.notMatch(Schema.decodeUnknownSync(Reason.Reason)(Object.fromEntries(fields)).message, obeyed)
    })
  })

  it("shows no token, also where somebody else put one in", () => {
    const text = "GET /?token=c3VwZXI HTTP/1.1, Authorization: Bearer c3VwZXI"
    const invalid = { parameter: "baseUrl", value: text, rule: "must be a URL", example: "https://api.example.com" }
    const reasons = [new Reason.InvalidQuery(invalid), new Reason.Forbidden({ body: text })]
    for (const { message } of reasons) {
      assert.include(message, "<redacted>")
      assert.notInclude(message, "c3VwZXI")
    }
  })

  it("[7.1-404] names what is not there, and where the nearest data are", () => {
    const message = (fields: Partial<Reason.NotFound>) => new Reason.NotFound({ body: "", ...fields }).message
    assert.include(message({}), "knows no such symbol, or has no data for it. Check symbol")
    assert.match(message({ cause: "UnknownSymbol", body: "Symbol not found." }), /such symbol .*\. Check symbol/)
    assert.include(message({ cause: "UnknownOption" }), "knows no such option")
    assert.include(message({ body: "404 Not Found nginx" }), "Check base URL, proxies, symbol, date and filters.")
    assert.include(message({ cause: "NoData" }), "no data for this")
    assert.match(message({ cause: "MarketClosed", prevTime: 1_795_208_400 }), /closed.*before it at 2026-11-20 16:00/)
  })

  it("[7.1-402] says how far back the plan goes", () => {
    const message = (years?: number) =>
      new Reason.PlanRequired({ cached: false, cause: "HistoryDepth", years, body: "" }).message
    assert.include(message(1), "within the last year that")
    assert.include(message(5), "within the last 5 years that")
    assert.include(message(), "within the days that")
  })

  it("quotes what the service said, and says nothing of words where there were none", () => {
    const { message } = new Reason.TransportFailure({ detail: "It broke.", mayHaveBeenCharged: true })
    assert.include(message, "was lost: It broke. Check the base URL")
    for (const reason of all) {
      if (!("body" in reason)) continue
      assert.include(reason.message, `(it said "${body}")`)
    }
    assert.notInclude(new Reason.NotFound({ body: "" }).message, "it said")
  })

  it("stays short and in one line, whatever the service or the caller wrote", () => {
    const text = fc.oneof(hostileText, fc.constant("x".repeat(5000)), fc.constant("\n\u2028\"".repeat(1500)))
    forAll(trials(7), text, (text) => {
      const reasons = [
        new Reason.InvalidQuery({ parameter: "underlying", value: text, rule: "must be a ticker", example: "SPX" }),
        new Reason.BadRequest({ body: text }),
        new Reason.Unauthorized({ tokenSent: false, body: text }),
        new Reason.AddressBlocked({ body: text }),
        new Reason.ServerFault({ status: 500, temporary: false, body: text })
      ]
      for (const { message } of reasons) {
        assert.isBelow(message.length, 1000)
        assert.notInclude(message, "\n")
      }
    })
  })

  it("[8.2-access] [7.1-402] tells cached data on a plan without them from any other limit", () => {
    const message = new Reason.PlanRequired({ cached: true, body: "" }).message
    assert.include(message, "free and trial plans have no cached data")
    assert.notInclude(new Reason.PlanRequired({ cached: false, body: "" }).message, "cached")
  })
})
