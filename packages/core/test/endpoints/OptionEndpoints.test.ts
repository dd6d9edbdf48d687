import { OptionChain, OptionLookup, OptionQuote, OptionSymbol, Query } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { hostileText, optionSymbol } from "../support/arbitraries.ts"
import { forAll, trials } from "../support/depth.ts"
import { type Asked, made, refusedFor } from "../support/everyQuery.ts"

const target = (asked: Asked): string => Query.target(made(asked))

describe("OptionQuoteEndpoint", () => {
  it("[4.2-quote] has the columns of a chain, null where nobody quotes the contract or computes its greeks", () => {
    const chain: ColumnSpec = OptionChain.spec
    const quote: ColumnSpec = OptionQuote.spec
    const kinds = (spec: ColumnSpec) => Object.entries(spec).map(([name, { kind }]) => [name, kind])
    assert.deepStrictEqual(kinds(quote), kinds(chain))
    const named = (policy: string) => Object.keys(quote).filter((name) => quote[name]!.null === policy)
    assert.deepStrictEqual(named("identity"), ["optionSymbol"])
    const ofTheQuote = "ask askSize bid bidSize mid last volume openInterest"
    assert.deepStrictEqual(named("nullable"), `${ofTheQuote} iv delta gamma theta vega`.split(" "))
  })

  it("[4.2-quote] [2.3-format] make takes a symbol as text or as data, and sends it in OCC form", () => {
    forAll(trials(4_2), optionSymbol, (symbol) => {
      const text = OptionSymbol.format(symbol)
      assert.strictEqual(target(Query.optionQuote(symbol)), `/v1/options/quotes/${text}/`)
      assert.strictEqual(target(Query.optionQuote(text)), `/v1/options/quotes/${text}/`)
    })
  })
})

describe("OptionLookupEndpoint", () => {
  it("[4.3-lookup] sends slashes as %2F and blanks as %20, and no slash at the end", () => {
    const lookup = target(Query.optionLookup("AAPL 7/28/2023 200 Call"))
    assert.strictEqual(lookup, "/v1/options/lookup/AAPL%207%2F28%2F2023%20200%20Call")
    const put = target(Query.optionLookup({ underlying: "AAPL", expiration: "2025-01-17", strike: 32.5, side: "put" }))
    assert.strictEqual(put, "/v1/options/lookup/AAPL%201%2F17%2F2025%2032.5%20Put")
    assert.strictEqual(
      target(Query.optionLookup({ underlying: "BRK.B", expiration: "2025-01-17", strike: "150.00", side: "call" })),
      "/v1/options/lookup/BRK.B%201%2F17%2F2025%20150%20Call"
    )
    assert.strictEqual(target(Query.optionLookup("  AAPL   $200   call ")), "/v1/options/lookup/AAPL%20%24200%20call")
  })

  it("[4.3-lookup] sends any description as one segment that reads back the same", () => {
    forAll(trials(4_3), hostileText, (text) => {
      const asked = OptionLookup.query(text)
      if (Result.isFailure(asked)) return
      const [empty, v1, options, lookup, segment, ...rest] = Query.target(asked.success).split("/")
      assert.deepStrictEqual([empty, v1, options, lookup, rest], ["", "v1", "options", "lookup", []])
      assert.match(segment ?? "", /^[\w.~%-]+$/)
      assert.strictEqual(decodeURIComponent(segment ?? ""), text.trim().replace(/ +/g, " "))
    })
  })

  it("[7.3-cause-url] refuses a description with characters that none has", () => {
    const bad = String.raw`A?b A&b A=b A#b A%2Fb Ä .. ../x A/../b A/.. ../b A\b`.split(" ")
      .concat("", "  ", "A\tb", "A .. b", "A ..", ".. b", "A".repeat(101))
    for (const text of bad) assert.strictEqual(refusedFor(Query.optionLookup(text)), "description", text)
  })
})

describe("OptionExpirationsEndpoint and OptionStrikesEndpoint", () => {
  it("write what was asked", () => {
    const expirations = target(Query.optionExpirations("AAPL", { strike: 150, date: "2026-11-19", nonstandard: true }))
    assert.strictEqual(expirations, "/v1/options/expirations/AAPL/?strike=150&date=2026-11-19&nonstandard=true")
    const strikes = target(Query.optionStrikes("AAPL", { expiration: "2026-11-20", date: "2026-11-19" }))
    assert.strictEqual(strikes, "/v1/options/strikes/AAPL/?expiration=2026-11-20&date=2026-11-19")
    assert.strictEqual(refusedFor(Query.optionExpirations("AAPL", { strike: -1 })), "strike")
    assert.strictEqual(refusedFor(Query.optionStrikes("AAPL", { expiration: "soon" })), "expiration")
  })

  it("know that lists of a day that is over are not today's", () => {
    const past = { date: "2026-11-19" }
    assert.isFalse(made(Query.optionExpirations("AAPL")).historical)
    assert.isTrue(made(Query.optionExpirations("AAPL", past)).historical)
    assert.isFalse(made(Query.optionStrikes("AAPL")).historical)
    assert.isTrue(made(Query.optionStrikes("AAPL", past)).historical)
  })
})
