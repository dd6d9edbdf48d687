import { ColumnTable, OptionChain, Schemas } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { assert, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { body } from "../support/chains.ts"
import * as Depth from "../support/depth.ts"
import { assertSame, specs, table } from "../support/tables.ts"
import { refusalOf, wires } from "../support/wires.ts"

const chain = (names: ReadonlyArray<OptionChain.Column> = ["optionSymbol", "strike", "last"]) =>
  Schemas.Table(OptionChain.spec, names)

const symbols = ["AAPL261218C00150000", "AAPL261218C00155000"]

const stored = (change: Readonly<Record<string, unknown>> = {}, columns: Readonly<Record<string, unknown>> = {}) => ({
  length: 2,
  columns: { optionSymbol: symbols, strike: [150, 155], last: [1.25, null], ...columns },
  findings: [],
  ...change
})

for (const [endpoint, spec] of Object.entries(specs)) {
  for (const [wire, travel] of Object.entries(wires)) {
    it(`loses nothing of a table of ${endpoint}: ${wire}`, () => {
      Depth.forAll({ numRuns: Depth.runs(100, 15), seed: 17_501 }, table(spec), (table) => {
        assertSame(travel(Schemas.Table(spec, table.columnNames), table), table)
      })
    })
  }
}

it("loses nothing of parts of tables, whose columns hold texts that no row has", () => {
  const spec: ColumnSpec = OptionChain.spec
  fc.assert(
    fc.property(table(spec), fc.nat({ max: 12 }), fc.nat({ max: 12 }), (table, start, end) => {
      const part = ColumnTable.slice(table, start, end)
      assertSame(wires["JSON text"]!(Schemas.Table(spec, part.columnNames), part), part)
    }),
    { numRuns: Depth.runs(200, 25), seed: 17_502 }
  )
})

const rows = Depth.runs(22_718, 3000)

it(`holds a whole chain of ${rows} contracts`, () => {
  const table = Result.getOrThrow(OptionChain.decode(body(rows)))
  for (const travel of Object.values(wires)) {
    const read = travel(Schemas.Table(OptionChain.spec), table)
    assert.strictEqual(ColumnTable.encode(read), ColumnTable.encode(table))
    assert.strictEqual(OptionChain.indexOf(read, OptionChain.symbolAt(table, rows - 1)), rows - 1)
  }
})

it("is a list of elements for each column, which JSON.stringify prints as well", () => {
  const table = Result.getOrThrow(
    OptionChain.decode(`{"strike":[150,155],"last":[-0,null]}`, { columns: ["strike", "last"], statusOptional: true })
  )
  const expected = `{"length":2,"columns":{"strike":[150,155],"last":["-0",null]},"findings":[]}`
  assert.strictEqual(JSON.stringify(table), expected)
  const written = JSON.stringify(Schema.encodeSync(Schemas.Table(OptionChain.spec, ["strike", "last"]))(table))
  assert.strictEqual(written, expected)
})

it("restores typed columns, of which the functions of tables take hold", () => {
  const read = Schema.decodeUnknownSync(chain())(stored())
  assert.deepStrictEqual(read.strike, new Float64Array([150, 155]))
  assert.deepStrictEqual(read.optionSymbol.thousandths, new Int32Array([150_000, 155_000]))
  assert.deepStrictEqual(ColumnTable.filterIndices(read, (row) => read.strike[row]! > 150), new Uint32Array([1]))
  assert.strictEqual(OptionChain.indexOf(read, "AAPL261218C00155000"), 1)
  assert.deepStrictEqual(ColumnTable.merge(OptionChain.spec, [read, read]).length, 4)
})

it("refuses what is not a table of these columns, and says where", () => {
  const cases: ReadonlyArray<readonly [stored: unknown, message: RegExp]> = [
    [null, /^Expected object$/],
    [stored({ length: 3 }), /^Expected 3 elements, got 2\n {2}at \["columns"\]\["optionSymbol"\]$/],
    [stored({ length: -1 }), /at \["length"\]$/],
    [stored({ length: 1.5 }), /at \["length"\]$/],
    [stored({ columns: [] }), /at \["columns"\]$/],
    [stored({}, { strike: [150] }), /^Expected 2 elements, got 1\n {2}at \["columns"\]\["strike"\]$/],
    [stored({}, { strike: [null, 155] }), /^Expected a value, got null\n {2}at \["columns"\]\["strike"\]\[0\]$/],
    [stored({}, { strike: [150, "155"] }), /^Expected a number, got "155"\n {2}at \["columns"\]\["strike"\]\[1\]$/],
    [stored({}, { strike: [150, NaN] }), /^Expected a number, got NaN\n/],
    [stored({}, { strike: { 0: 150, 1: 155 } }), /^Expected a list of elements, got none\n/],
    [stored({}, { strike: undefined }), /^Expected a list of elements, got none\n/],
    [stored({}, { bid: [1, 2] }), /^Expected one of the columns .*\n {2}at \["columns"\]\["bid"\]$/],
    [stored({}, JSON.parse(`{"__proto__":[1,2]}`)), /./],
    [stored({}, { optionSymbol: ["AAPL261218C00150000", "AAPL"] }), /at \["columns"\]\["optionSymbol"\]\[1\]$/],
    [stored({ findings: [{ code: "Nothing", count: 1, examples: [] }] }), /at \["findings"\]\[0\]\["code"\]$/]
  ]
  for (const [input, message] of cases) assert.match(refusalOf(chain(), input) ?? "nothing", message)
  // A class's own `__proto__` is not a column, and is taken for none.
  assert.isUndefined(refusalOf(chain(), stored()))
})

it("refuses choices and texts that the column does not have", () => {
  const side = chain(["side", "inTheMoney"])
  const of = (side: unknown, inTheMoney: unknown) => ({
    length: 1,
    columns: { side: [side], inTheMoney: [inTheMoney] },
    findings: []
  })
  assert.isUndefined(refusalOf(side, of("put", null)))
  assert.match(refusalOf(side, of("Put", true)) ?? "", /^Expected "call" or "put", got "Put"/)
  assert.match(refusalOf(side, of(1, true)) ?? "", /^Expected "call" or "put", got 1/)
  assert.match(refusalOf(side, of("put", 1)) ?? "", /^Expected false or true, got 1/)
})

it("reads whatever JSON holds without breaking", () => {
  const schema = chain()
  const cell = fc.jsonValue({ maxDepth: 1 })
  const list = fc.oneof(fc.array(cell, { maxLength: 3 }), cell)
  Depth.forAll(
    { numRuns: Depth.runs(500, 50), seed: 17_503 },
    fc.oneof(
      fc.jsonValue(),
      fc.record({
        length: fc.oneof(fc.nat({ max: 3 }), cell),
        columns: fc.dictionary(fc.constantFrom("strike", "optionSymbol", "last", "bid", "__proto__"), list),
        findings: fc.oneof(fc.constant([]), cell)
      })
    ),
    (input) => {
      const read = Schema.decodeUnknownResult(schema)(input)
      if (Result.isFailure(read)) assert.strictEqual(read.failure._tag, "SchemaError")
      else assert.strictEqual(ColumnTable.toRows(read.success).length, read.success.length)
    }
  )
})

it("writes no table of other columns, and nothing that is none", () => {
  const table = Schema.decodeUnknownSync(chain())(stored())
  const written = Schema.encodeUnknownResult(chain(["strike"]))(table)
  assert.isTrue(Result.isFailure(written))
  for (const input of [null, 1, {}, [], { length: 0, columns: {}, findings: [] }]) {
    assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(chain())(input)))
  }
})
