import { CalendarDate, ColumnTable, OptionChain, OptionSymbol } from "@effect-marketdata/core"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import type { Finding } from "@effect-marketdata/core/Finding"
import { Effect, Result, Stream } from "effect"
import * as fc from "fast-check"
import { optionSymbol } from "./support/arbitraries.ts"
import { body, type Columns, columns, names, noon } from "./support/chains.ts"
import * as Depth from "./support/depth.ts"
import { assert, describe, it } from "./support/it.ts"

const runs = { numRuns: Depth.runs(2000, 50), seed: 2_1 }

type Options = Parameters<typeof OptionChain.decode>[1]

const decode = (body: Uint8Array | string, options?: Options): OptionChain.OptionChain =>
  Result.getOrThrow(OptionChain.decode(body, options))

const failure = (body: Uint8Array | string, options?: Options): DecodeError =>
  Result.getOrThrow(Result.flip(OptionChain.decode(body, options)))

const findings = (rows: number, change: Readonly<Record<string, unknown>>): ReadonlyArray<Finding> =>
  decode(body(rows, change)).findings

/** Where decoding fails: code, column and row. */
const place = (body: Uint8Array | string, options?: Options) => {
  const { code, column, index } = failure(body, options)
  return [code, column, index]
}

/** Seconds since 1970 of a time with its offset. */
const at = (text: string): number => Date.parse(text) / 1000

/** The findings of a chain where one value is not as expected. */
const mismatch = (code: Finding["code"], column: string, index: number, expected: string, received: string) => [
  { code, column, count: 1, examples: [{ index, expected, received }] }
]

it("[2.1-fields] spec has the 25 columns of the contract, and the endpoint names the same", () => {
  assert.deepStrictEqual(Object.keys(OptionChain.spec), [...names])
  assert.deepStrictEqual([...OptionChain.row.columns], [...names])
  assert.strictEqual(names.length, 25)
})

describe("decode", () => {
  it("[2.1-fields] [2.1-shape] reads every column of a chain that holds to the contract, without a finding", () => {
    const chain = decode(body(40))
    const expected = columns(40)
    assert.deepInclude(chain, { length: 40, findings: [] })
    for (const name of names) {
      const read = Array.from({ length: 40 }, (_, index) => chain.valueAt(name, index))
      assert.deepStrictEqual(read, expected[name])
    }
  })

  it("[2.1-fields] keeps numbers in typed arrays", () => {
    const chain = decode(body(4))
    for (const name of names) {
      if (["optionSymbol", "underlying", "side", "inTheMoney"].includes(name)) continue
      assert.instanceOf(chain[name], Float64Array)
      assert.deepStrictEqual([...chain.strike], [100, 100, 101, 101])
    }
    assert.deepStrictEqual([...chain.side], [0, 1, 0, 1])
    assert.deepStrictEqual([...chain.inTheMoney], [1, 0, 1, 0])
    assert.deepStrictEqual(chain.optionSymbol.series.map(({ prefix }) => prefix), ["AAPL261120C", "AAPL261120P"])
  })

  it("reads as many contracts as the largest chain has", () => {
    const chain = decode(body(22_718))
    assert.deepInclude(chain, { length: 22_718, findings: [] })
    assert.strictEqual(OptionChain.symbolAt(chain, 22_717), "AAPL261120P11458000")
  })

  it("reads a chain without contracts", () => {
    const chain = decode(body(0))
    assert.strictEqual(chain.length, 0)
    assert.deepStrictEqual([...chain], [])
    assert.deepStrictEqual(chain.findings, [])
  })
})

describe("series that were met before", () => {
  const symbols = { columns: ["optionSymbol"] } as const
  const chain = (...symbols: ReadonlyArray<string>) => JSON.stringify({ s: "ok", optionSymbol: symbols })

  it("are read again, and the strikes behind them judged again", () => {
    const symbol = "KNWN261120C00150000"
    for (let time = 0; time < 2; time++) {
      const { optionSymbol } = decode(chain(symbol, "KNWN261120C00155000"), symbols)
      assert.deepStrictEqual([...optionSymbol.thousandths], [150_000, 155_000])
      for (const strike of ["0015000x", "00150 00", "+0150000", "00.50000"]) {
        const { code, expected, index } = failure(chain(symbol, symbol.slice(0, -8) + strike), symbols)
        assert.deepStrictEqual([code, index], ["WrongValue", 1])
        assert.include(expected, "an option symbol")
      }
    }
  })

  it("are forgotten where there are too many, and read all the same", () => {
    const letter = (of: number) => String.fromCharCode(65 + of)
    const roots = Array.from({ length: 9000 }, (_, at) => letter(at / 676) + letter((at / 26) % 26) + letter(at % 26))
    const texts = roots.map((root, at) => `${root}261120${at % 2 === 0 ? "C" : "P"}${String(at + 1).padStart(8, "0")}`)
    for (let time = 0; time < 2; time++) {
      const read = decode(chain(...texts), symbols)
      for (const [index, text] of texts.entries()) assert.strictEqual(OptionChain.symbolAt(read, index), text)
      assert.deepStrictEqual(read.optionSymbol.series.map(({ root }) => root), roots)
    }
  })
})

describe("what is refused", () => {
  it("[2.1-lengths] columns of unequal length, with the column and both lengths", () => {
    const error = failure(body(96, { openInterest: columns(92).openInterest }))
    assert.deepStrictEqual([error.code, error.column], ["LengthMismatch", "openInterest"])
    assert.include(error.message, "expected 96 elements, as in optionSymbol, received 92")
  })

  it("[2.1-lengths] a column that is too long, as the page about chains shows one, with both lengths", () => {
    const error = failure(body(92, { side: columns(96).side }))
    assert.deepStrictEqual([error.code, error.column, error.index], ["LengthMismatch", "side", 92])
    assert.include(error.message, "expected 92 elements, as in optionSymbol, received 96")
  })

  it("a reply without a column that identifies its rows, or without any column", () => {
    for (const name of ["optionSymbol", "underlying", "expiration", "side", "strike"]) {
      assert.deepStrictEqual(place(body(1, { [name]: undefined })), ["MissingColumn", name, undefined])
    }
    assert.strictEqual(failure(`{"s":"ok"}`).code, "MissingColumn")
    assert.strictEqual(failure(`{"s":"ok"}`, { columns: "present" }).code, "MissingColumn")
    assert.strictEqual(failure(`{"s":"ok","bid":[1]}`, { columns: ["ask"] }).code, "MissingColumn")
  })

  it("[2.1-first-traded] a date as text where the contract delivers epoch seconds", () =>
    assert.deepStrictEqual(place(body(1, { firstTraded: ["2026-06-01"] })), ["WrongType", "firstTraded", 0]))

  it("[2.1-side] a side that is neither call nor put, at its row", () => {
    for (const side of ["straddle", "Call", "C", "", "puts"]) {
      assert.deepStrictEqual(place(body(3, { side: ["call", "put", side] })), ["WrongValue", "side", 2])
    }
    assert.include(failure(body(1, { side: ["C"] })).message, `expected "call" or "put", received "C"`)
  })

  it("[2.1-only-last-null] null in a column that identifies the row", () => {
    for (const name of ["optionSymbol", "underlying", "expiration", "side", "strike"] as const) {
      assert.deepStrictEqual(place(body(2, { [name]: [columns(1)[name][0], null] })), ["NullNotAllowed", name, 1])
    }
  })
})

describe("nulls", () => {
  it("[2.1-last-null] null in last stays apart from 0 and from NaN, and is not a finding", () => {
    const chain = decode(body(3, { last: [null, 0, 1.2] }))
    assert.deepStrictEqual(chain.findings, [])
    assert.deepStrictEqual([0, 1, 2].map((index) => chain.isNull("last", index)), [true, false, false])
    assert.deepStrictEqual([...chain].map(({ last }) => last), [null, 0, 1.2])
    assert.isNaN(chain.last[0])
    assert.strictEqual(chain.last[1], 0)
  })

  it("[2.1-only-last-null] null in any other column is a finding, and an error under strict", () => {
    for (const name of names) {
      if (name === "last" || OptionChain.spec[name].null === "identity") continue
      const text = body(3, { [name]: [columns(1)[name][0], null, null] })
      const chain = decode(text)
      assert.deepStrictEqual(chain.findings, [{
        code: "NullNotAllowed",
        column: name,
        count: 2,
        examples: [1, 2].map((index) => ({ index, expected: "a value", received: "null" }))
      }])
      assert.isTrue(chain.isNull(name, 1))
      assert.isNull(chain.at(1)[name])
      assert.deepStrictEqual(place(text, { strict: true }), ["NullNotAllowed", name, 1])
    }
  })

  it("counts every null, and keeps the first five", () => {
    const [finding] = findings(20, { iv: Array.from({ length: 20 }, () => null) })
    assert.strictEqual(finding?.count, 20)
    assert.deepStrictEqual(finding?.examples.map(({ index }) => index), [0, 1, 2, 3, 4])
  })
})

describe("unusual fields", () => {
  it("[2.1-closed] an unknown field is a finding that names it, and an error under strict", () => {
    const text = body(1, { rho: [0.1], next: "page 2" })
    const chain = decode(text)
    assert.deepStrictEqual(chain.findings, [
      { code: "UnknownField", column: "rho", count: 1, examples: [] },
      { code: "UnknownField", column: "next", count: 1, examples: [] }
    ])
    assert.strictEqual(chain.length, 1)
    assert.deepStrictEqual(place(text, { strict: true }), ["UnknownField", "rho", undefined])
  })

  it("[2.1-closed] an unknown field is a finding whichever columns were asked for", () => {
    const [finding] = decode(`{"s":"ok","strike":[1],"rho":[0.1]}`, { columns: ["strike"] }).findings
    assert.strictEqual(finding?.column, "rho")
  })

  it("[2.1-fields] a missing status is a finding, and an error under strict", () => {
    const text = body(1, { s: undefined })
    const found = decode(text).findings
    assert.deepStrictEqual(found, [{ code: "MissingStatus", column: undefined, count: 1, examples: [] }])
    assert.deepStrictEqual(place(text, { strict: true }), ["Deviation", undefined, undefined])
    assert.deepStrictEqual(decode(text, { strict: true, statusOptional: true }).findings, [])
    const wrong = body(1, { s: "no_data" })
    assert.deepStrictEqual(place(wrong, { statusOptional: true }), ["NotOk", "s", undefined])
  })

  it("[2.1-fields] a missing quantity reads as null in every row, and is a finding", () => {
    const text = body(9, { vega: undefined })
    const chain = decode(text)
    assert.deepStrictEqual(chain.findings, [{ code: "MissingColumn", column: "vega", count: 1, examples: [] }])
    assert.strictEqual(chain.vega.length, 9)
    for (let index = 0; index < 9; index++) assert.isTrue(chain.isNull("vega", index))
    assert.deepStrictEqual(place(text, { strict: true }), ["MissingColumn", "vega", undefined])
  })
})

describe("columns", () => {
  it("reads the columns that were asked for and wants no others", () => {
    const chain = Result.getOrThrow(
      OptionChain.decode(`{"s":"ok","bid":[1],"strike":[2]}`, { columns: ["bid", "strike"] })
    )
    assert.deepInclude(chain, { columnNames: ["strike", "bid"], findings: [] })
    assert.isFalse("ask" in chain)
  })

  it("takes whichever are there for \"present\"", () => {
    const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","vega":[1],"ask":[2]}`, { columns: "present" }))
    assert.deepStrictEqual(chain.columnNames, ["ask", "vega"])
    assert.deepStrictEqual(new Set(chain.findings.map(({ code }) => code)), new Set(["MissingColumn"]))
    const missing = chain.findings.map(({ column }) => column)
    assert.deepStrictEqual(missing, names.filter((name) => name !== "ask" && name !== "vega"))
  })
})

describe("rows that contradict their symbol", () => {
  it("[2.3-bad-strike-decimal] a strike that the symbol scales otherwise is a finding with both values", () => {
    const text = body(2, { optionSymbol: ["AAPL261120C00000100", "AAPL261120P00100000"] })
    assert.deepStrictEqual(decode(text).findings, mismatch("StrikeMismatch", "strike", 0, "0.1", "100"))
    assert.deepStrictEqual(place(text, { strict: true }), ["Deviation", "strike", 0])
  })

  it("[2.3-strike-range] a strike equals the symbol's to the thousandth", () => {
    Depth.forAll(runs, fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom(-1, 0, 1), (n, off) => {
      const text = `{"s":"ok","optionSymbol":["A261120C${String(n).padStart(8, "0")}"],"strike":[${(n + off) / 1000}]}`
      const { findings } = decode(text, { columns: ["optionSymbol", "strike"] })
      assert.strictEqual(findings.length, off === 0 ? 0 : 1)
    })
  })

  it("[2.1-side] another side than the symbol's is a finding", () => {
    assert.deepStrictEqual(findings(2, { side: ["call", "call"] }), mismatch("SideMismatch", "side", 1, "put", "call"))
  })

  it("is found only where the columns are there", () => {
    const text = body(1, { strike: [0], side: ["put"], expiration: [0], mid: [99] })
    for (const columns of [["optionSymbol"], ["strike", "side", "expiration", "mid"], ["mid", "bid"]] as const) {
      assert.deepStrictEqual(Result.getOrThrow(OptionChain.decode(text, { columns })).findings, [])
    }
  })
})

it("[2.1-dte] dte counts calendar days between New York days, and anything else is a finding", () => {
  const lateEvening = Date.UTC(2026, 10, 20, 4, 59) / 1000
  assert.deepStrictEqual(findings(1, { updated: [lateEvening], dte: [1] }), [])
  assert.deepStrictEqual(findings(1, { updated: [lateEvening + 60], dte: [0] }), [])
  // The day in Greenwich is one ahead by then, and does not count.
  assert.deepStrictEqual(findings(1, { updated: [lateEvening], dte: [0] }).map(({ code }) => code), ["DteMismatch"])
  assert.deepStrictEqual(findings(1, { dte: [1] }), mismatch("DteMismatch", "dte", 0, "0", "1"))
})

describe("moneyness", () => {
  const prices = { bid: [1], ask: [1.5], mid: [1.25] }
  const strikeAtPrice = { ...prices, underlyingPrice: [100], intrinsicValue: [0], extrinsicValue: [1.25] }

  it("[2.1-moneyness] a strike equal to the price is not in the money", () => {
    assert.deepStrictEqual(findings(1, { ...strikeAtPrice, inTheMoney: [false] }), [])
    const wrong = findings(1, { ...strikeAtPrice, inTheMoney: [true] })
    assert.deepStrictEqual(wrong, mismatch("MoneynessMismatch", "inTheMoney", 0, "false", "true"))
  })

  it("[2.1-moneyness] follows for puts and for calls, with symbols and without them", () => {
    // The call and the put with a strike of 100, and the underlying at 102.
    const all = columns(2)
    const { optionSymbol: _, ...unnamed } = all
    const off = (body: object) =>
      decode(JSON.stringify({ s: "ok", ...body }), {
        columns: names.filter((name) => name in body)
      }).findings.map(({ code, column }) => `${code} ${column}`)
    for (const right of [all, unnamed]) {
      assert.deepStrictEqual(off(right), [])
      assert.deepStrictEqual(off({ ...right, intrinsicValue: [2, 2] }), ["MoneynessMismatch intrinsicValue"])
      assert.deepStrictEqual(off({ ...right, intrinsicValue: [0, 0] }), ["MoneynessMismatch intrinsicValue"])
      assert.deepStrictEqual(off({ ...right, inTheMoney: [true, true] }), ["MoneynessMismatch inTheMoney"])
      assert.deepStrictEqual(off({ ...right, inTheMoney: [false, false] }), ["MoneynessMismatch inTheMoney"])
      assert.deepStrictEqual(off({ ...right, extrinsicValue: [1.25, 3.25] }), ["MoneynessMismatch extrinsicValue"])
    }
  })

  it("[2.1-moneyness] says nothing of a row whose value is null: that is another finding", () => {
    for (const change of [{ inTheMoney: [null] }, { intrinsicValue: [null] }, { extrinsicValue: [null] }]) {
      assert.deepStrictEqual(findings(1, change).map(({ code }) => code), ["NullNotAllowed"])
    }
    // Another deviation in the row does not make it one.
    const codes = findings(1, { inTheMoney: [null], dte: [9] }).map(({ code }) => code)
    assert.deepStrictEqual(codes, ["NullNotAllowed", "DteMismatch"])
  })

  it("takes an extrinsic value below zero with its sign, without it, and as zero", () => {
    const off = (extrinsic: number) =>
      findings(1, { bid: [1.4], ask: [1.6], mid: [1.5], extrinsicValue: [extrinsic] }).length
    assert.deepStrictEqual([0.5, -0.5, 0, 0.1, -1].map(off), [0, 0, 0, 1, 1])
  })
})

describe("mid", () => {
  it("[2.1-mid] half a cent off the midpoint is rounding, and more is a finding", () => {
    const mids = (columns: Partial<Columns>) => findings(1, { ...columns, extrinsicValue: columns.mid! })
    const off = (mid: number) =>
      mids({ bid: [1.01], ask: [1.02], mid: [mid], underlyingPrice: [100], inTheMoney: [false], intrinsicValue: [0] })
        .map(({ code }) => code)
    assert.deepStrictEqual([1.015, 1.01, 1.02, 1.0125].map(off), [[], [], [], []])
    assert.deepStrictEqual([1.0099, 1.0201, 0, 2].map(off), Array.from({ length: 4 }, () => ["MidMismatch"]))
    assert.deepStrictEqual(
      mids({ bid: [1], ask: [2], mid: [1.6], underlyingPrice: [100], inTheMoney: [false], intrinsicValue: [0] }),
      [{ code: "MidMismatch", column: "mid", count: 1, examples: [{ index: 0, expected: "1.5", received: "1.6" }] }]
    )
  })

  it("[2.1-mid] takes every midpoint, exact or rounded to cents", () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 })
    Depth.forAll(runs, cents, cents, fc.boolean(), (bid, ask, up) => {
      const half = (bid + ask) / 2
      for (const mid of [half, up ? Math.ceil(half) : Math.floor(half)]) {
        const text = `{"s":"ok","bid":[${bid / 100}],"ask":[${ask / 100}],"mid":[${mid / 100}]}`
        assert.deepStrictEqual(decode(text, { columns: ["bid", "ask", "mid"] }).findings, [])
      }
    })
  })
})

describe("expiration", () => {
  const codes = (symbol: string, expiration: number) =>
    decode(JSON.stringify({ s: "ok", optionSymbol: [symbol], expiration: [expiration] }), {
      columns: ["optionSymbol", "expiration"]
    }).findings.map(({ code }) => code)

  it("[2.1-expiration] equity options expire at 16:00 in New York, summer and winter, half days included", () => {
    assert.deepStrictEqual(codes("AAPL261120C00150000", at("2026-11-20T16:00:00-05:00")), [])
    assert.deepStrictEqual(codes("AAPL260717C00150000", at("2026-07-17T16:00:00-04:00")), [])
    assert.deepStrictEqual(codes("AAPL261127C00150000", at("2026-11-27T16:00:00-05:00")), [])
    assert.deepStrictEqual(codes("AAPL260717C00150000", at("2026-07-17T16:00:00-05:00")), ["ExpirationTime"])
  })

  it("[2.1-expiration] another time on the right day is a finding and no failure: SPXW has been sent at 16:00", () => {
    assert.deepStrictEqual(codes("SPXW261120C06500000", at("2026-11-20T16:00:00-05:00")), ["ExpirationTime"])
    assert.deepStrictEqual(codes("AAPL261120C00150000", at("2026-11-20T00:00:00-05:00")), ["ExpirationTime"])
    assert.deepStrictEqual(codes("AAPL261120C00150000", at("2026-11-20T23:59:59-05:00")), ["ExpirationTime"])
  })

  it("[2.1-expiration] another day in New York contradicts the symbol", () => {
    assert.deepStrictEqual(codes("AAPL261120C00150000", at("2026-11-19T16:00:00-05:00")), ["ExpirationMismatch"])
    assert.deepStrictEqual(codes("AAPL261120C00150000", at("2026-11-21T00:00:00-05:00")), ["ExpirationMismatch"])
    assert.deepStrictEqual(codes("AAPL261120C00150000", at("2026-11-20T00:00:00Z")), ["ExpirationMismatch"])
  })

  it("[2.1-expiration] shows both times as New York clocks do", () => {
    const [finding] = findings(1, { expiration: [at("2026-11-20T21:15:00Z")] })
    assert.deepStrictEqual(finding?.examples, [
      { index: 0, expected: "2026-11-20 16:00:00 EST", received: "2026-11-20 16:15:00 EST" }
    ])
  })
})

describe("indexOf", () => {
  const chainOf = (symbols: ReadonlyArray<OptionSymbol.OptionSymbol>) =>
    Result.getOrThrow(
      OptionChain.decode(JSON.stringify({ s: "ok", optionSymbol: symbols.map(OptionSymbol.format) }), {
        columns: ["optionSymbol"]
      })
    )

  it("finds the first of equal symbols", () => {
    const [one, other] = ["AAPL261120C00150000", "AAPL261120P00150000"].map(OptionSymbol.parseUnsafe)
    assert.strictEqual(OptionChain.indexOf(chainOf([other!, one!, one!, other!]), one!), 1)
  })

  it("finds nothing for a text that is not a symbol", () => {
    const chain = chainOf([OptionSymbol.parseUnsafe("AAPL261120C00150000")])
    for (const text of ["", "AAPL", "AAPL261120C0015000", "AAPL261120C 0150000", "aapl261120C00150000"]) {
      assert.strictEqual(OptionChain.indexOf(chain, text), -1)
    }
    assert.strictEqual(OptionChain.indexOf(chainOf([]), "AAPL261120C00150000"), -1)
  })
})

it("groupByExpiration has every row once, in the order of the chain, under the day of its symbol", () => {
  Depth.forAll(runs, fc.array(optionSymbol, { maxLength: 40 }), (symbols) => {
    const text = JSON.stringify({ s: "ok", optionSymbol: symbols.map(OptionSymbol.format) })
    const chain = Result.getOrThrow(OptionChain.decode(text, { columns: ["optionSymbol"] }))
    const groups = OptionChain.groupByExpiration(chain)
    const days = groups.map(({ expiration }) => CalendarDate.toEpochDay(expiration))
    assert.deepStrictEqual(days, [...new Set(days)].toSorted((a, b) => a - b))
    const grouped = groups.flatMap(({ rows }) => [...rows]).toSorted((a, b) => a - b)
    assert.deepStrictEqual(grouped, symbols.map((_, row) => row))
    for (const { expiration, rows } of groups) {
      assert.isNotEmpty(rows)
      assert.deepStrictEqual([...rows], [...rows].toSorted((a, b) => a - b))
      for (const row of rows) assert.deepStrictEqual(symbols[row]!.expiration, expiration)
    }
  })
})

describe("fromStream", () => {
  it.effect("reads a stream as decode reads the whole", function*() {
    const bytes = new TextEncoder().encode(body(30))
    const count = Math.ceil(bytes.length / 100)
    const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * 100, at * 100 + 100))
    const chain = yield* OptionChain.fromStream(Stream.fromIterable(pieces))
    assert.strictEqual(ColumnTable.encode(chain), body(30))
  })

  it.effect("stops at the first byte that cannot be read, however long the stream", function*() {
    const endless = Stream.forever(Stream.make(new TextEncoder().encode("<html>")))
    const error = yield* Effect.flip(OptionChain.fromStream(endless))
    assert.strictEqual(error.code, "NotAnObject")
  })
})

describe("updatedSpan", () => {
  it("[2.1-updated] gives the oldest and the newest snapshot in epoch seconds", () => {
    const chain = decode(body(4, { updated: [noon, noon - 60, noon + 5, null] }))
    assert.deepStrictEqual(OptionChain.updatedSpan(chain), { oldest: noon - 60, newest: noon + 5 })
    assert.deepStrictEqual(OptionChain.updatedSpan(decode(body(1))), { oldest: noon, newest: noon })
  })

  it("[2.1-updated] is undefined where no row has one", () => {
    const chains = [decode(body(0)), decode(body(1, { updated: [null] })), {}]
    for (const chain of chains) assert.isUndefined(OptionChain.updatedSpan(chain))
  })
})
