import { ColumnKind, ColumnTable, OptionChain, Schemas } from "@effect-marketdata/core"
import { assert, describe, expect, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { inspect } from "node:util"
import type * as TableContent from "../src/columns/tableContent.ts"
import { names } from "./support/chains.ts"
import * as Depth from "./support/depth.ts"

const runs = { numRuns: Depth.runs(2000, 50), seed: 2_1 }

/** Decodes the columns that are there, all of them known. */
const decode = (columns: Readonly<Record<string, unknown>>) =>
  Result.getOrThrow(
    ColumnTable.decode(OptionChain.spec, JSON.stringify({ s: "ok", ...columns }), { columns: "present" })
  )

describe("decode and encode", () => {
  it("serve resources other than chains", () => {
    const spec = {
      symbol: { kind: ColumnKind.dictionary, null: "identity" },
      close: { kind: ColumnKind.number, null: "finding" }
    } as const
    const body = `{"s":"ok","symbol":["AAPL","MSFT","AAPL"],"close":[1.5,null,3]}`
    const table = Result.getOrThrow(ColumnTable.decode(spec, body))
    assert.deepStrictEqual([...table.close], [1.5, NaN, 3])
    assert.deepStrictEqual([...table].map(({ symbol }) => symbol), ["AAPL", "MSFT", "AAPL"])
    assert.deepStrictEqual(table.symbol.values, ["AAPL", "MSFT"])
    assert.strictEqual(ColumnTable.encode(table), body)
  })

  it("print runs of one number, with nulls and without, as JSON does", () => {
    Depth.forAll(runs, fc.array(fc.tuple(fc.constantFrom(null, -0.5, 1e21, 0.1), fc.constantFrom(1, 60))), (of) => {
      const last = of.flatMap(([value, length]) => Array.from({ length }, () => value))
      assert.strictEqual(ColumnTable.encode(decode({ last })), JSON.stringify({ s: "ok", last }))
    })
  })
})

it("columnNames stand in the order of the contract, whatever the order of the reply and of the query", () => {
  Depth.forAll(runs, fc.shuffledSubarray([...names], { minLength: 1 }), (asked) => {
    const body = JSON.stringify(Object.fromEntries([["s", "ok"], ...asked.map((name) => [name, []])]))
    const table = Result.getOrThrow(ColumnTable.decode(OptionChain.spec, body, { columns: asked.toReversed() }))
    assert.deepStrictEqual(table.columnNames, names.filter((name) => asked.includes(name)))
  })
})

describe("rows", () => {
  it("are views that list their columns", () => {
    const row = decode({ strike: [150], last: [null] }).at(0)
    const listed: Array<string> = []
    for (const name in row) listed.push(name)
    assert.deepStrictEqual(listed, ["strike", "last"])
    const printed = [JSON.stringify(row), inspect(row)]
    assert.deepStrictEqual(printed, [`{"strike":150,"last":null}`, "{ strike: 150, last: null }"])
    assert.strictEqual(String(Result.succeed(row)), `success({"strike":150,"last":null})`)
  })

  it("are compared by their data, copied as nothing, and read through what wraps them", () => {
    const row = decode({ strike: [150, 155], last: [1, null] }).at(1)
    assert.deepEqual<unknown>(row, { strike: 155, last: null })
    assert.deepEqual(row, decode({ strike: [155], last: [null] }).at(0))
    assert.notDeepEqual(row, decode({ strike: [150], last: [null] }).at(0))
    expect(row).toEqual(decode({ strike: [155], last: [null] }).at(0))
    expect(row).not.toEqual(decode({ strike: [155], last: [1] }).at(0))
    assert.deepStrictEqual([...Reflect.ownKeys({ ...row }), ...Object.getOwnPropertySymbols(row)], [])
    assert.deepStrictEqual([new Proxy(row, {}).strike, Object.create(row).strike], [155, 155])
  })

  it("have one prototype for all tables with the same columns, which prints as nothing", () => {
    const prototypeOf = (columns: Parameters<typeof decode>[0]) => Object.getPrototypeOf(decode(columns).at(0))
    const both = prototypeOf({ strike: [1], last: [2] })
    assert.isFalse(prototypeOf({ strike: [1] }) === both)
    assert.isTrue(prototypeOf({ last: [null], strike: [3] }) === both)
    assert.deepStrictEqual([JSON.stringify(both), inspect(both)], ["{}", "{}"])
  })

  it("are there from 0 to length - 1, and nowhere else", () => {
    const table = decode({ strike: [150, 155] })
    assert.strictEqual([...table].length, 2)
    for (const index of [-1, 2, 0.5, NaN, Infinity]) {
      assert.throws(() => table.at(index), RangeError, `there is no row ${index}: the table has 2 rows`)
    }
    assert.throws(() => decode({ strike: [] }).at(0), RangeError)
  })
})

it("is a table for every copy of this package, such as one that a hot reload made", async () => {
  const table = decode({ strike: [150] })
  const copy: typeof TableContent = await import(new URL("../src/columns/tableContent.ts?copy", import.meta.url).href)
  assert.isTrue(copy.isTable(table))
  assert.isTrue(Schema.is(Schemas.Table({ ...OptionChain.spec }, ["strike"]))(table))
})

it("cannot be changed", () => assert.isTrue(Object.isFrozen(decode({ strike: [150] }))))
