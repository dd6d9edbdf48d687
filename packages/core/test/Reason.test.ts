import * as Reason from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"

const body = "The service's own words."

/** One of every reason, the retryable ones apart. */
const passing = [
  new Reason.TooManyRequests({ body }),
  new Reason.ServerFault({ status: 503, temporary: true, body }),
  new Reason.TransportFailure({ detail: "connection reset", mayHaveBeenCharged: true })
] as const
const lasting = [
  new Reason.InvalidQuery({ parameter: "date", value: "tomorrow", rule: "write a past day" }),
  new Reason.RequestLineTooLong({ bytes: 4095 }),
  new Reason.BadRequest({ body }),
  new Reason.InvalidDate({ body }),
  new Reason.InvalidOptionSymbol({ body }),
  new Reason.Unauthorized({ tokenSent: true, body }),
  new Reason.PlanRequired({ cached: true, body }),
  new Reason.Forbidden({ body }),
  new Reason.AddressBlocked({ body }),
  new Reason.NotFound({ body }),
  new Reason.CreditsExhausted({ body }),
  new Reason.ServerFault({ status: 500, temporary: false, body }),
  new Reason.UnexpectedStatus({ status: 302, body }),
  new Reason.NoCachedData(),
  new Reason.UnexpectedNoContent(),
  new Reason.NoLiveData(),
  new Reason.FallbackDeclined({ price: 300, ceiling: 100 }),
  new Reason.CreditBudgetExceeded({ cause: "Insufficient", bound: 41, available: 40 }),
  new Reason.MalformedReply({ code: "WrongType", column: "bid", index: 3, detail: "expected a number" })
] as const
const all: ReadonlyArray<Reason.Reason> = [...passing, ...lasting]

/** Every class of the module by its tag. */
const classes = new Map<string, unknown>(Object.entries(Reason))

describe("Reason", () => {
  it("is listed here in all its classes", () => {
    assert.deepStrictEqual([...new Set(all.map(({ _tag }) => _tag))].toSorted(), [...classes.keys()].toSorted())
  })

  describe("isRetryable", () => {
    it("is true for what passes by itself, and for nothing else", () => {
      for (const reason of passing) assert.isTrue(reason.isRetryable, reason._tag)
      for (const reason of lasting) assert.isFalse(reason.isRetryable, reason._tag)
    })
  })

  it("can be stored as JSON and read again", () => {
    for (const reason of all) {
      const schema = classes.get(reason._tag) as Schema.Codec<Reason.Reason, unknown>
      const codec = Schema.toCodecJson(schema)
      const stored = JSON.stringify(Schema.encodeSync(codec)(reason))
      const read = Schema.decodeUnknownSync(codec)(JSON.parse(stored))
      assert.strictEqual(read.constructor, reason.constructor)
      assert.strictEqual(read.message, reason.message)
      assert.strictEqual(read.isRetryable, reason.isRetryable)
    }
  })

  describe("message", () => {
    it("quotes what the service said, and says nothing of words where there were none", () => {
      for (const reason of all) {
        if (!("body" in reason)) continue
        assert.include(reason.message, `(it said "${body}")`)
      }
      assert.notInclude(new Reason.NotFound({ body: "" }).message, "it said")
    })

    it("stays short and in one line, whatever the service or the caller wrote", () => {
      const text = fc.oneof(hostileText, fc.constant("x".repeat(100_000)), fc.constant("\n\u2028\"".repeat(30_000)))
      fc.assert(
        fc.property(text, (text) => {
          const reasons = [
            new Reason.InvalidQuery({ parameter: "underlying", value: text, rule: "write a ticker" }),
            new Reason.BadRequest({ body: text }),
            new Reason.Unauthorized({ tokenSent: false, body: text }),
            new Reason.AddressBlocked({ body: text }),
            new Reason.ServerFault({ status: 500, temporary: false, body: text })
          ]
          for (const { message } of reasons) {
            assert.isBelow(message.length, 1000)
            assert.notInclude(message, "\n")
          }
        }),
        { numRuns: 1000, seed: 7 }
      )
    })

    it("says what to do", () => {
      const messages: ReadonlyArray<readonly [Reason.Reason, string]> = [
        [new Reason.RequestLineTooLong({ bytes: 4095 }), "4095 bytes is over the limit of 4094 bytes: ask for fewer"],
        [new Reason.RequestLineTooLong({ bytes: undefined }), "the request line is over the limit"],
        [new Reason.Unauthorized({ tokenSent: true, body: "" }), "check MARKETDATA_TOKEN"],
        [new Reason.Unauthorized({ tokenSent: false, body: "" }), "it comes by e-mail"],
        [new Reason.InvalidDate({ body: "" }), "leave the date out for current data"],
        [new Reason.InvalidOptionSymbol({ body: "" }), "eight strike digits"],
        [new Reason.AddressBlocked({ body: "" }), "wait five minutes"],
        [new Reason.NoCachedData(), "allow a greater maxAge, or ask for live data"],
        [new Reason.FallbackDeclined({ price: 300, ceiling: 100 }), "may cost 300 credits, and you consented to 100"],
        [new Reason.FallbackDeclined({ price: undefined, ceiling: 100 }), "no upper bound of cost"],
        [new Reason.TransportFailure({ detail: "x", mayHaveBeenCharged: true }), "may have been charged"],
        [new Reason.TransportFailure({ detail: "x", mayHaveBeenCharged: false }), "Nothing was charged"],
        [new Reason.ServerFault({ status: 503, temporary: true, body: "" }), "try again in a few minutes"]
      ]
      for (const [reason, words] of messages) assert.include(reason.message, words)
    })

    it("[8.2-access] [7.1-402] tells cached data on a plan without them from any other limit", () => {
      assert.include(
        new Reason.PlanRequired({ cached: true, body: "" }).message,
        "free and trial plans have no cached data"
      )
      assert.notInclude(new Reason.PlanRequired({ cached: false, body: "" }).message, "cached")
    })
  })
})
