import { Credits, Query, Reason } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { reasons } from "./support/messages/reasons.ts"
import { rules } from "./support/messages/rules.ts"
import { values } from "./support/messages/values.ts"

/** How a message about a request ends: with what became of the money. */
const money =
  /\. (Nothing was sent|Nothing was charged|It was charged [\d,]+ credits?|The request may have been charged|The requests were charged [\d,]+ credits? in all(, and perhaps more)?|The service states no price for this; it counts as free|It was not retried; an earlier request may have been charged|Of the [\d,]+ credits? that you consented to, .*charged)\.$/

/** What a message about a value has behind the value: the rule, and what keeps it. */
const expectation = /(?: must .*, e\.g\. | (?:is|has|cannot) .*\. Expected e\.g\. ).+/

/** What the glossary dropped, and what is not said plainly. */
const dropped =
  /\b(questions?|till|manner|sight|doors?|egress|book(?:s|ed)?|parted|whoever|nobody|is none|are none|is no |so many|cannot be asked for)\b/i

/** One sentence after another in one line: what is common to all messages. */
const isPlain = (message: string, longest = 300): void => {
  assert.match(message, /^["\w{[-]/, message)
  assert.match(message, /\.$/, message)
  assert.notMatch(message.replaceAll(/"(?:[^"\\]|\\.)*"/g, "…"), /  |\.\.|undefined ms|NaN ms|\[object/, message)
  assert.notMatch(message, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
  assert.notMatch(message, dropped, message)
  assert.isAtMost(message.length, longest, message)
}

const isRefusal = (reason: Reason.InvalidQuery): void => {
  const { example, message, parameter, rule, value } = reason
  isPlain(message)
  assert.isTrue(message.startsWith(`${parameter} ${value} ${rule}`), message)
  assert.match(message, expectation)
  assert.include(message, `e.g. ${example}`)
  assert.match(message, /\. Nothing was sent\.$/)
}

it("of reasons: every one says what happened, what to do and what became of the money", () => {
  assert.sameMembers(Object.keys(reasons), [...Reason.tags, "Incomplete"])
  for (const [tag, examples] of Object.entries(reasons)) {
    for (const { message } of examples) {
      isPlain(message, tag === "Incomplete" ? 330 : 300)
      assert.match(message, money)
      const sentences = message.split(/\. (?=[A-Z])/)
      assert.isAtLeast(sentences.length, tag === "InvalidQuery" ? 2 : 3, message)
    }
  }
})

it("of queries: every rule names the value, what is wrong and what would be right", () => {
  for (const [, reason] of rules) isRefusal(reason)
})

it("of values: every problem is told in the same form, without a word of money", () => {
  for (const [, message] of values) {
    isPlain(message)
    assert.match(message, expectation)
    assert.notMatch(message, /sent|charged/)
  }
})

it("say it in the words that the issue asked for", () => {
  const refused = Result.getOrThrow(Result.flip(Query.optionQuote("AAPL")))
  assert.strictEqual(
    refused.message,
    `optionSymbol "AAPL" is not an OCC option symbol; it looks like a ticker. Expected e.g. AAPL261218C00150000. Nothing was sent.`
  )
})

describe("of any option of any endpoint that is given something else", () => {
  const texts = ["", " ", "x", "\u001b[2J\u202e\n".repeat(9), "y".repeat(100_000), "Bearer c3VwZXI="]
  const objects = [null, {}, { a: 1 }, [], [null], [[]], new Date(NaN), Object.create(null)]
  const junk: ReadonlyArray<unknown> = [...texts, ...objects, NaN, -1, 0.5, Infinity, true, 7n, Symbol("x"), () => 1]
  const subjects: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    optionChain: ["SPX"],
    optionQuote: ["AAPL261218C00150000"],
    optionLookup: ["AAPL 12/18/2026 150 Call"],
    optionExpirations: ["AAPL"],
    optionStrikes: ["AAPL"],
    stockQuotes: [["AAPL"]],
    stockPrices: [["AAPL"]],
    stockCandles: ["D", "AAPL"],
    stockBulkCandles: [["AAPL"]],
    stockEarnings: ["AAPL"],
    stockNews: ["AAPL"],
    marketStatus: [],
    fundCandles: ["D", "VFINX"]
  }
  const constructors = { ...Query } as unknown as Record<string, typeof Query.optionChain>
  const pages = ["account", "serviceStatus", "requestHeaders"]

  it("finds all endpoints here", () =>
    assert.sameMembers(Object.keys(Query.endpoints).filter((name) => !pages.includes(name)), Object.keys(subjects)))

  for (const [name, subject] of Object.entries(subjects)) {
    it(name, () => {
      const { columns, parameters } = Query.endpoints[name as Query.EndpointName]
      const ask = (...given: ReadonlyArray<unknown>) => {
        const asked = constructors[name]!(...given as [string])
        if (Result.isFailure(asked)) isRefusal(asked.failure)
        return asked
      }
      assert.isTrue(Result.isSuccess(ask(...subject)), name)
      let refusals = 0
      for (const value of junk) {
        const options = [...parameters, "mode", "assume", "unknown", ...columns.length === 0 ? [] : ["columns"]]
        for (const option of options) if (Result.isFailure(ask(...subject, { [option]: value }))) refusals++
        subject.forEach((_, at) => ask(...subject.with(at, value)))
        ask(...subject, value)
      }
      assert.isAbove(refusals, 40)
    })
  }

  it("what a price assumes", () => {
    const query = Result.getOrThrow(Query.optionChain("SPX"))
    for (const value of junk) {
      const names = ["contracts", "profile", "rounding", "quoteData", "requests", "figures", "refusal", "kind"]
      for (const name of names) {
        const price = Credits.estimate(query, { [name]: value })
        if (price._tag === "Refused") isRefusal(price.reason)
      }
    }
  })
})
