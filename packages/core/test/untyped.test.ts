import * as Core from "@effect-marketdata/core"
import { Account, Budget, CalendarDate, ChainSize, ColumnTable, Credits, Freshness } from "@effect-marketdata/core"
import * as ColumnKind from "@effect-marketdata/core/ColumnKind"
import * as DataMode from "@effect-marketdata/core/DataMode"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as ModeSelection from "@effect-marketdata/core/ModeSelection"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Period from "@effect-marketdata/core/Period"
import * as Plan from "@effect-marketdata/core/Plan"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Strike from "@effect-marketdata/core/Strike"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Workload from "@effect-marketdata/core/Workload"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import { anything, exotic } from "./support/untyped.ts"

const runs = trials(13)

type Ask = (...values: ReadonlyArray<never>) => Result.Result<Query.Query, Reason.InvalidQuery>

type Take = (...values: ReadonlyArray<never>) => unknown

/** What a constructor takes: well-formed values before its options, and the names of these. */
const constructor = (
  name: keyof typeof Query.endpoints,
  ask: Ask,
  values: ReadonlyArray<unknown>,
  others: ReadonlyArray<string> = []
) => {
  const { columns, parameters } = Query.endpoints[name]
  const options = ["mode", "assume", ...parameters, ...others, ...columns.length === 0 ? [] : ["columns"]]
  return { ask, values, options }
}

const constructors = {
  optionChain: constructor("optionChain", Query.optionChain, ["SPX"]),
  optionQuote: constructor("optionQuote", Query.optionQuote, ["AAPL261120C00150000"]),
  optionLookup: constructor("optionLookup", Query.optionLookup, ["AAPL 7/28/2023 200 Call"]),
  optionExpirations: constructor("optionExpirations", Query.optionExpirations, ["AAPL"]),
  optionStrikes: constructor("optionStrikes", Query.optionStrikes, ["AAPL"]),
  stockQuote: constructor("stockQuotes", Query.stockQuote, ["AAPL"], ["include"]),
  stockQuotes: constructor("stockQuotes", Query.stockQuotes, [["AAPL", "MSFT"]], ["include"]),
  stockPrices: constructor("stockPrices", Query.stockPrices, [["AAPL", "MSFT"]]),
  stockCandles: constructor("stockCandles", Query.stockCandles, ["D", "AAPL"]),
  stockBulkCandles: constructor("stockBulkCandles", Query.stockBulkCandles, [["AAPL", "MSFT"]]),
  stockEarnings: constructor("stockEarnings", Query.stockEarnings, ["AAPL"]),
  stockNews: constructor("stockNews", Query.stockNews, ["AAPL"]),
  marketStatus: constructor("marketStatus", Query.marketStatus, []),
  fundCandles: constructor("fundCandles", Query.fundCandles, ["D", "VFINX"])
}

const encodeReason = Schema.encodeSync(Reason.Reason)

/** Either a refusal that can be shown and stored, or a query that can be priced and sent, with nothing in it that is not a text. */
const check = (made: Result.Result<Query.Query, Reason.InvalidQuery>, value: unknown): void => {
  assert.isTrue(Result.isResult(made))
  if (Result.isFailure(made)) {
    assert.strictEqual(made.failure._tag, "InvalidQuery")
    assert.isBelow(made.failure.message.length, 2000)
    assert.strictEqual(encodeReason(made.failure)._tag, "InvalidQuery")
    return
  }
  const target = Query.target(made.success)
  assert.match(target, /^\/v1\/[!-~]+$/)
  // The text "null" is a ticker like any other, and null is none.
  if (typeof value !== "string") assert.notMatch(target, /[=/,](undefined|null|NaN|\[object)([/,&]|$)/)
  assert.notStrictEqual(Credits.estimate(made.success)._tag, "Refused")
  assert.isTrue(Result.isSuccess(HttpRequest.make(made.success, "https://api.example.com")))
}

describe("of a constructor", () => {
  it("find all of them here, and all options of each", () => {
    const own = Object.keys(Query).filter((name) => name in constructors)
    assert.sameMembers(own, Object.keys(constructors))
    const made = Object.values(constructors).map(({ ask, values }) => Result.getOrThrow(ask(...values as Array<never>)))
    const pages = ["account", "serviceStatus", "requestHeaders"]
    const others = Object.keys(Query.endpoints).filter((name) => !pages.includes(name))
    assert.sameMembers(made.map(({ endpoint }) => endpoint.name), [...others, "stockQuotes"])
  })

  for (const [name, { ask, options, values }] of Object.entries(constructors)) {
    it(`[7.3-cause-wrong-type] ${name} answers any value in place of any other with a refusal or a query`, () => {
      const place = fc.oneof(
        fc.constantFrom(...options).map((option) => ({ at: values.length, option: option as string | undefined })),
        fc.integer({ min: 0, max: values.length }).map((at) => ({ at, option: undefined })),
        fc.string({ maxLength: 20 }).map((option) => ({ at: values.length, option }))
      )
      forAll({ ...runs, numRuns: Math.ceil(runs.numRuns / 4) }, place, anything, ({ at, option }, make) => {
        const value = make()
        const given = option === undefined ? value : Object.fromEntries([[option, value]])
        check(ask(...[...values.slice(0, at), given, ...values.slice(at + 1)] as Array<never>), value)
      })
    })

    it(`[7.3-cause-wrong-type] ${name} refuses what is not a value at all, and never throws`, () => {
      for (const make of exotic) {
        for (const option of options) check(ask(...[...values, { [option]: make() }] as Array<never>), undefined)
        check(ask(...[...values, make()] as Array<never>), undefined)
        values.forEach((_, at) => check(ask(...values.with(at, make()) as Array<never>), undefined))
      }
    })

    it(`[7.3-cause-wrong-type] ${name} refuses options that it does not have, and names the nearest`, () => {
      for (const option of options.filter((option) => option !== "snapshot" && !/^\d|candle$/.test(option))) {
        const misspelt = `${option}s`.replace(/ss$/, "")
        const refusal = Result.getOrThrow(Result.flip(ask(...[...values, { [misspelt]: 5 }] as Array<never>)))
        assert.deepStrictEqual([refusal.parameter, refusal.value], [misspelt, "5"])
        assert.include(refusal.rule, `is not an option here; it looks like ${option}`)
      }
    })
  }
})

describe("of an option", () => {
  const chain = (options: unknown) => Query.optionChain("SPX", options as never)
  const target = (options: unknown) => Query.target(Result.getOrThrow(chain(options)))
  const refusal = (options: unknown) => Result.getOrThrow(Result.flip(chain(options)))

  it("[8.2-modes] [7.3-cause-unsupported-value] are refused any other mode, with the value, the rule and an example", () => {
    for (const mode of ["nonsense", "Cached", "", "eod", "cachedOrLive", 7, null, [], true, new Date(0)]) {
      const { message, parameter } = refusal({ mode })
      assert.strictEqual(parameter, "mode")
      assert.include(message, `must be "live", "cached", "delayed" or a value of DataMode`)
    }
    assert.strictEqual(refusal({ mode: {} }).parameter, "mode")
    assert.strictEqual(refusal({ mode: { _tag: "Stale" } }).parameter, "mode._tag")
    assert.include(refusal({ mode: { _tag: "Cached", maxage: "5min" } }).rule, "it looks like maxAge")
  })

  it("[8.2-cached-unavailable] are refused a cached mode by name where there is none", () => {
    assert.strictEqual(refusal({ mode: "cached", date: "2026-01-02" }).parameter, "mode")
    assert.isTrue(Result.isFailure(Query.stockCandles("D", "AAPL", { mode: "stale" as never })))
  })

  it("[7.3-cause-wrong-type] are refused a symbol that is not a text", () => {
    for (const symbol of [undefined, null, {}, new Date(0), 7, ["SPX"], Object("SPX")]) {
      const { message, parameter } = Result.getOrThrow(Result.flip(Query.optionChain(symbol as never)))
      assert.strictEqual(parameter, "underlying")
      assert.include(message, "must be a ticker, e.g. SPX")
    }
    for (const symbols of ["AAPL", undefined, null, {}, 7, new Set(["AAPL"]), ["AAPL", null]]) {
      const { message } = Result.getOrThrow(Result.flip(Query.stockQuotes(symbols as never)))
      assert.match(message, /must be a non-empty list of tickers, e\.g\. \["SPY"\]|must be a ticker/)
    }
  })

  it("name a ticker once, however it is spelt", () =>
    assert.deepStrictEqual(Result.getOrThrow(Query.stockPrices(["A", "b", "a", "B", "A"])).tickers, ["A", "b"]))

  it("[7.3-cause-wrong-type] are refused a day that is not a day, a date of JavaScript included", () => {
    for (const date of [null, {}, new Date("2026-01-02"), 20_260_102, { year: "2026", month: 1, day: 2 }]) {
      const { message, parameter } = refusal({ date })
      assert.strictEqual(parameter, "date")
      assert.include(message, "must be a calendar day YYYY-MM-DD")
    }
    assert.include(refusal({ date: new Date(0) }).message, "date Date 1970-01-01T00:00:00.000Z must be")
  })

  it("are refused options that are not an object, and names that are not options", () => {
    for (const options of [null, 7, "cached", ["cached"], new Date(0), new Map()]) {
      assert.strictEqual(refusal(options).parameter, "options")
    }
    assert.include(refusal({ min_open_interest: 100 }).rule, "it looks like minOpenInterest")
    assert.include(refusal({ foo: 1 }).example, "date, expiration")
    assert.include(refusal({ ["x\n".repeat(1000)]: 1 }).message, "Expected e.g. date, expiration")
    assert.isBelow(refusal({ ["x\n".repeat(1000)]: 1 }).message.length, 700)
  })

  it("leave an option out by undefined, a misspelt one too", () =>
    assert.strictEqual(target({ side: undefined, sides: undefined, mode: undefined }), "/v1/options/chain/SPX/"))

  it("are refused assumptions that break their rule, and unknown ones", () => {
    for (const contracts of [NaN, -5, 1.5, "7", null]) {
      assert.strictEqual(refusal({ assume: { contracts } }).parameter, "assume.contracts")
    }
    assert.include(refusal({ assume: { contract: 5 } }).rule, "it looks like contracts")
    assert.strictEqual(refusal({ assume: { historical: "no" } }).parameter, "assume.historical")
    assert.strictEqual(refusal({ assume: { kind: "chains" } }).parameter, "assume.kind")
    assert.strictEqual(refusal({ assume: 5 }).parameter, "assume")
  })

  it("have each option read once: a later answer cannot differ from the one that was checked", () => {
    let reads = 0
    const options = {
      get minBid() {
        return [1, "1&mode=live"][reads++]
      }
    }
    assert.deepStrictEqual([target(options), reads], ["/v1/options/chain/SPX/?minBid=1", 1])
  })
})

describe("of a parser", () => {
  const parsers: Readonly<Record<string, (input: never) => Result.Result<unknown, { readonly message: string }>>> = {
    "OptionSymbol.parse": OptionSymbol.parse,
    "OptionSymbol.parseOsi": OptionSymbol.parseOsi,
    "OptionSymbol.make": OptionSymbol.make,
    "OptionSymbol.make, of each part": (input) =>
      Result.all([
        OptionSymbol.make({ root: input, expiration: "2026-11-20", side: "call", strike: 1 }),
        OptionSymbol.make({ root: "A", expiration: input, side: "call", strike: 1 }),
        OptionSymbol.make({ root: "A", expiration: "2026-11-20", side: input, strike: 1 }),
        OptionSymbol.make({ root: "A", expiration: "2026-11-20", side: "call", strike: input })
      ]),
    "Strike.parse": Strike.parse,
    "CalendarDate.parse": CalendarDate.parse,
    "CalendarDate.fromInput": CalendarDate.fromInput,
    "CalendarDate.make": (input) => CalendarDate.make(input, input, input),
    "MaxAge.parse": MaxAge.parse,
    "MaxAge.notBefore": MaxAge.notBefore,
    "Period.parameters": Period.parameters,
    "Period.split": (input) =>
      Result.all([Period.split(input, 1), Period.split({ from: "2026-11-20", to: "2026-11-20" }, input)])
  }

  for (const [name, parse] of Object.entries(parsers)) {
    it(`[7.3-cause-wrong-type] ${name} answers any value with a result, and never throws`, () => {
      forAll({ ...runs, numRuns: Math.ceil(runs.numRuns / 4) }, anything, (make) => {
        const parsed = parse(make() as never)
        assert.isTrue(Result.isResult(parsed))
        if (Result.isFailure(parsed)) assert.isBelow(parsed.failure.message.length, 1000)
      })
      for (const make of exotic) assert.isTrue(Result.isResult(parse(make() as never)))
    })
  }

  it("learn that a body is bytes or a text, and is not empty where it is something else", () => {
    for (const body of [null, undefined, 7, { s: "ok" }, new ArrayBuffer(8), Promise.resolve("")] as Array<never>) {
      for (const decode of [OptionChain.decode, OptionStrikes.decode]) {
        const failure = Result.getOrThrow(Result.flip<unknown, DecodeError>(decode(body)))
        assert.match(failure.message, /expected a Uint8Array or a text, received \[object \w+\]/)
      }
      if (body === undefined) continue
      const failure = Result.getOrThrow(Result.flip(OptionChain.decode("{}", { columns: body })))
      assert.match(failure.message, /expected a list of columns, received \[object \w+\]/)
    }
  })

  it("[2.3-precedence] learn that a symbol is a text", () => {
    for (const value of [null, undefined, 7, {}, new Date(0)]) {
      const failure = Result.getOrThrow(Result.flip(OptionSymbol.parse(value as never)))
      assert.strictEqual(failure.reason._tag, "NotText")
      assert.include(failure.message, "it is not a string. Expected e.g. AAPL261218C00150000.")
    }
  })

  it("learn from guards that a value is none, whatever it is", () => {
    for (const make of exotic) {
      assert.isFalse(OptionSymbol.isOptionSymbol(make()))
      assert.isFalse(CalendarDate.isCalendarDate(make()))
      assert.isFalse(Query.isQuery(make()))
    }
    assert.isTrue(DataMode.isDataMode(DataMode.cached()))
    assert.isFalse(DataMode.isDataMode("cached"))
    assert.isFalse(DataMode.isDataMode({ _tag: "toString" }))
    assert.isTrue(Query.isQuery(Query.account))
    assert.isFalse(Query.isQuery(Query.optionChain("SPX")))
  })
})

it("are told what is not a table, a column of one, or a chain with its symbols", () => {
  const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[1]}`, { columns: ["strike"] }))
  assert.throws(() => ColumnTable.encode(chain, ["bid"] as Array<never>), /"bid" is not a column of this table/)
  assert.throws(() => OptionChain.updatedSpan(null as never), /chain null must be a chain/)
  assert.throws(() => Core.PlanReport.grouped([null] as Array<never>, String), /window null must be a window/)
  for (const none of [null, "spec", ColumnKind, { strike: ColumnKind.number }] as Array<never>) {
    assert.throws(() => ColumnTable.decoder(none), /a spec must be columns by name/)
    assert.throws(() => ColumnTable.merge(none, []), /a spec must be columns by name/)
  }
  for (const none of [null, {}, chain] as Array<never>) {
    for (const take of [OptionChain.groupByExpiration, OptionChain.symbolAt]) {
      assert.throws(() => take(none, 0), /not a chain with the column optionSymbol/)
    }
    if (none === chain) continue
    const takes = [ColumnTable.encode, ColumnTable.filter, ColumnTable.slice, ColumnTable.toRows]
    for (const take of takes as Array<Ask>) assert.throws(() => take(none, none), /this is not a table/)
  }
})

it("have the text of a day read where a day is taken, and are refused anything else with CalendarDateError", () => {
  const [text, later] = ["2026-11-26", "2026-11-30"] as Array<never>
  assert.deepStrictEqual([CalendarDate.format(text!), CalendarDate.daysBetween(text!, later!)], [text, 4])
  assert.isFalse(CalendarDate.Equivalence(text!, later!))
  assert.isFalse(TradingCalendar.isTradingDay(TradingCalendar.NYSE, text!))
  assert.strictEqual(CalendarDate.format(CalendarDate.addDays(text!, "3" as never)), "2026-11-29")
  for (const none of [null, undefined, 7, {}, "2026-02-30", { year: "2026" }, new Date(0)] as Array<never>) {
    for (const take of [CalendarDate.format, CalendarDate.dayOfWeek, TradingCalendar.NYSE.day, NewYork.midnight]) {
      assert.throws(() => take(none), CalendarDate.CalendarDateError)
    }
  }
})

describe("of any other function", () => {
  const day = "2026-11-20"
  const chain = Result.getOrThrow(Query.optionChain("SPX", { assume: { contracts: 300 } }))
  const strikes = Result.getOrThrow(Query.optionStrikes("SPX"))
  const table = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[1]}`, { columns: ["strike"] }))
  const when = { now: 1795194000, calendar: TradingCalendar.NYSE }
  /** Functions that take a value of these modules, with what stands before and behind it. */
  const takes: ReadonlyArray<
    readonly [names: string, before?: ReadonlyArray<unknown>, after?: ReadonlyArray<unknown>]
  > = [
    ["Answer.formatAttempt Answer.make Answer.makeAttempt Answer.spent CalendarDate.fromEpochDay ChainSize.assumedBy"],
    ["ChainSize.nameOf Credits.bound Credits.format Expiration.instant Expiration.underlyingOf Finding.format"],
    ["HttpRequest.line HttpRequest.isPrivate HttpRequest.lineBytes HttpRequest.url HttpRequest.wireUrl MaxAge.format"],
    ["ModeSelection.breakEven NewYork.dateOf NewYork.format PlanReport.clauses PlanReport.facts PlanReport.format"],
    ["PlanReport.inModes PlanReport.liveBound PlanReport.short PlanReport.times PlanReport.together Provenance.format"],
    ["Provenance.merge Query.specOf Reason.afterSending Reply.head Retry.isLost Retry.makeBudget Strike.toDigits"],
    ["LastReplies.reader", [Core.LastReplies.make({ maxBytes: 9 }), "SPX"]],
    ["LastReplies.make LastReplies.reader Workload.byMode Workload.peakMinute Workload.total WorkloadSchedule.span"],
    ["ColumnTable.filterIndices Endpoint.isVersioned Finding.mapText Reason.formatAdvice Reply.explanation Reply.outcome"],
    ["ChainSize.ofChain", [chain]],
    ["ChainSize.ofStrikes", [strikes]],
    ["Credits.countWithQuotes", [5]],
    ["Credits.countWithQuotes", [], [[]]],
    ["CalendarDate.addDays NewYork.at NewYork.toEpochSeconds", [day], [30]],
    ["ChainSize.limited Credits.charged Reply.join Reply.merge ModeSelection.cheapest", [chain]],
    ["ChainSize.limited Plan.capped", [], [Credits.estimate(chain), 5]],
    ["ColumnTable.make ColumnTable.merge ColumnTable.unpack", [OptionChain.spec]],
    ["ColumnTable.filter ColumnTable.select", [table]],
    ["IpRule.admit IpRule.blocked IpRule.judge IpRule.safeAfter IpRule.settle", [], ["home", 1000]],
    ["IpRule.admit", [Core.IpRule.noTraffic], [1000]],
    ["Freshness.becomesHistoricalAt Plan.expected Provenance.local Retry.advance Retry.take MaxAge.accepts", [], [
      0,
      0
    ]],
    ["OptionSymbol.Equivalence OptionSymbol.Order", [], [OptionSymbol.parseUnsafe("AAPL261120C00150000")]],
    ["PlanReport.grouped", [], [String]],
    ["Profile.get", [], ["modes"]],
    ["Profile.get", ["contract"]],
    ["Reply.cleaned", [chain], [String]],
    ["Reply.reader", [chain], [{ strict: false }]],
    ["Reply.refusal", [], [{ text: "" }]],
    ["Reply.refusal", [Core.Reply.head({ status: 404, headers: {} })]],
    ["Retry.decide", [Core.Retry.defaultPolicy]],
    ["Reuse.answers", [chain], [{ now: 0 }]],
    ["Reuse.isPossible WorkloadSchedule.tradingDays", [], [when]],
    ["Workload.add", [Workload.zero]],
    ["Workload.byWindow", [], ["day"]],
    ["Workload.fits", [[]]]
  ]

  for (const [names, before = [], after = []] of takes) {
    it(`${names} say in a typed error what they cannot take, and what it must be`, () => {
      for (const name of names.split(" ")) {
        const [module, own] = name.split(".") as [string, string]
        const take = (Core as never as Record<string, Record<string, Take>>)[module]![own]!
        for (const none of [undefined, null, NaN, {}, "none", Symbol("none"), new Date(0), Object.create(null)]) {
          const taken = Result.try(() => take(...[...before, none, ...after] as Array<never>))
          // What is computed of NaN is NaN, any text may be a root or an address, and no age is asked for by undefined.
          if (Result.isSuccess(taken) && ([NaN, "none"].includes(none as never) || name === "MaxAge.accepts")) {
            continue
          }
          const { _tag, message } = Result.getOrThrow(Result.flip(taken)) as { _tag: string; message: string }
          assert.match(_tag, /^(Value|CalendarDate|Strike)Error|^InvalidQuery$/, name)
          assert.match(message, /must be .*, e\.g\. /, name)
        }
      }
    })
  }

  it("reads null for no options, and says nothing of an amount, an age or a size that is none", () => {
    const { Ledger } = Core
    const ledger = Ledger.make(10)
    assert.strictEqual(Ledger.unexplained(ledger, 1, 5, null as never), 0)
    assert.strictEqual(Ledger.observe(Ledger.charge(ledger, 1, 5, null as never), null as never), ledger)
    assert.strictEqual(Ledger.makeRenewing({ window: "day", now: when.now } as never).allowance, 0)
    assert.strictEqual(Ledger.makeRenewing(null as never).allowance, 0)
    assert.strictEqual(Credits.formatAmount(null as never), "not stated")
    assert.strictEqual(Freshness.staleness(when.now, null as never), Infinity)
    assert.isFalse(MaxAge.accepts({ _tag: "Relative", minutes: 5 }, 1795194000, null as never))
    assert.throws(() => Account.serve(Account.make({ plan: "paid", user: Account.unknown }), null as never), /must be/)
    assert.throws(() => ColumnTable.encode(table, 5 as never), /columns 5 must be a list/)
    assert.throws(() => ColumnTable.filter(table, null as never), /predicate null must be a function/)
    assert.isUndefined(Core.Problem.nearest(null as never, ["limit"]))
    assert.isUndefined(Core.Problem.nearest("limit", [null as never, "limit"]))
    assert.throws(() => Credits.countWithQuotes(7, [null as never]), /price null must be a function/)
    for (const rounding of ["Down", "toString", null] as Array<never>) {
      assert.throws(() => Credits.perThousand(1500, rounding), /rounding .+ must be up, down or nearest, e\.g\. up/)
    }
    const bare = Object.create(null)
    const unread = Result.getOrThrow(Result.flip(Core.QueryText.numbers(bare, bare, bare)))
    assert.match(unread.message, /must be a number, a list/)
    const unnamed = Result.getOrThrow(Result.flip(Core.QueryText.numbers(undefined as never, null as never, "1")))
    assert.match(unnamed.message, /^undefined null must be a number/)
    const refused = Result.flip(Core.ColumnDecoder.refuse([null as never]))
    assert.match(Result.getOrThrow(refused).message, /expected a list of findings, received/)
    assert.throws(() => Core.BufferPool.make({ capacity: NaN }), /capacity NaN must be a number of buffers/)
    assert.isUndefined(Core.BufferPool.make(null as never).take())
    assert.throws(() => Effect.runSync(Effect.scoped(Core.BufferPool.lend({} as never, table))), /must be a pool/)
    assert.throws(() => Credits.countWithQuotes(1, [], "All" as never), /rule "All" must be any or all/)
    const expirations = [{ expiration: day, strikes: "100,105" }] as Array<never>
    assert.throws(() => ChainSize.ofStrikes(strikes, { expirations, seenAt: when.now }), /must be an expiration/)
    const free = Account.fromPublicPlan("Free Forever", Account.unknown)
    assert.throws(() => Account.allowance(free, "Public" as never), /profile "Public" must be contract or public/)
    assert.throws(() => Account.dataType(free, "Public" as never), /profile "Public" must be contract or public/)
    assert.isUndefined(Account.allowance({ ...free, allowance: null as never }))
    assert.isTrue(Result.isSuccess(HttpRequest.make(strikes, "https://api.example.com", null as never)))
    assert.isTrue(Query.needsToken(strikes, null as never))
  })
})

it("are told what is not an account, a user or a mode", () => {
  const typed = { plan: "paid", user: { type: "nonProfessional", row: "Delayed" } }
  const misspelt = { plan: "Paid", user: Account.unknown }
  assert.throws(() => Account.nonProfessional("Delayed" as never), Account.AccountError)
  for (const plan of ["Paid", undefined, typed] as Array<never>) {
    assert.throws(() => Account.defaultMode(plan), /plan .+ must be free, trial or paid, e\.g\. paid/)
  }
  for (const none of [null, undefined, {}, "paid", typed, misspelt, Object.create(null)] as Array<never>) {
    for (const take of [Account.make, Account.dataType, Account.allowance, Account.fromPublicPlan] as Array<Take>) {
      assert.throws(() => take(none, Account.unknown as never), Account.AccountError)
    }
    assert.throws(() => Account.serve(none, { mode: undefined }), Account.AccountError)
    assert.throws(() => Account.dataTypeOfUser(none), Account.AccountError)
    for (const take of [DataMode.parameter, Freshness.leastStaleness]) {
      assert.throws(() => take(none), /must be a value of DataMode, e\.g\. DataMode\.live/)
    }
  }
})

it("are told what is not a calendar", () => {
  const { previousTradingDay, session, sessionOf } = TradingCalendar
  for (const none of [null, undefined, {}, "NYSE"] as Array<never>) {
    for (const take of [previousTradingDay, session]) {
      assert.throws(() => take(none, "2026-11-20" as never), /must be a trading calendar, e\.g\. TradingCalendar/)
    }
    assert.throws(() => sessionOf(none, 1795185000), TradingCalendar.TradingCalendarError)
  }
  assert.isTrue(Result.isFailure(TradingCalendar.make({ name: "none", base: null as never })))
  assert.strictEqual(Freshness.classify(null as never), "historical")
})

it("are told what is not a task, and may give null for no options", () => {
  for (const none of [null, {}, { queries: [], schedule: [] }] as Array<never>) {
    assert.include(Result.getOrThrow(Result.flip(Plan.price(none))).message, "must be a task")
    assert.isTrue(Result.isFailure(Workload.task(Result.getOrThrow(Query.stockPrices(["AAPL"])), none)))
  }
  assert.deepStrictEqual(OptionChain.decode("{", null as never), OptionChain.decode("{"))
})

describe("of a query that was made", () => {
  const chain = Result.getOrThrow(Query.optionChain("SPX"))

  it("are refused what is not a query, such as the Result that holds one, where nothing else can fail", () => {
    const { asCsv, dateOf, format, isDemo, needsToken, target } = Query
    const more = [Credits.sizeQuery, ChainSize.chainOf, (query: never) => Budget.buys(query, 5)]
    for (const none of [null, undefined, "SPX", {}, Query.optionChain("SPX")] as Array<never>) {
      for (const take of [asCsv, dateOf, format, isDemo, needsToken, target, ...more]) {
        assert.throws(() => take(none), /^query .* must be a query, e\.g\. Result\.getOrThrow/)
      }
      assert.throws(() => Query.withMode(none, DataMode.cached()), Reason.InvalidQuery)
      assert.throws(() => Credits.charged(none, { status: 200 }), Reason.InvalidQuery)
      assert.throws(() => ModeSelection.cheapest(none, { staleness: 60 }), Reason.InvalidQuery)
    }
  })

  it("cannot send what is not a query, nor to what is not an address", () => {
    for (const make of exotic) {
      const refused = Result.getOrThrow(Result.flip(HttpRequest.make(make() as never, "https://api.example.com")))
      assert.strictEqual(refused._tag === "InvalidQuery" && refused.parameter, "query")
      assert.isTrue(Result.isFailure(HttpRequest.batches(make() as never, { baseUrl: "https://api.example.com" })))
      assert.isTrue(Result.isFailure(HttpRequest.make(chain, make() as never)))
    }
  })
})
