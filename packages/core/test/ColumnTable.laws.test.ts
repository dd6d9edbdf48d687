import { ColumnKind, ColumnTable, OptionChain } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import { Array as Arr, Result } from "effect"
import { pipe } from "effect/Function"
import * as fc from "fast-check"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { body as chainBody, type Columns, names as allNames, someColumns } from "./support/chains.ts"
import * as Depth from "./support/depth.ts"

const runs = { numRuns: Depth.runs(150, 50), seed: 2_1 }

type Name = OptionChain.Column
type Table = ColumnTable.ColumnTable<OptionChain.Spec>
type Row = Readonly<Record<string, unknown>>

const decode = (columns: Partial<Columns>): Table =>
  Result.getOrThrow(
    ColumnTable.decode(OptionChain.spec, JSON.stringify({ s: "ok", ...columns }), { columns: "present" })
  )

/** The same table as an array of plain objects, made without the library. */
const rowsOf = (columns: Partial<Columns>): ReadonlyArray<Row> => {
  const length = Math.max(0, ...Object.values(columns).map((elements) => elements.length))
  return Array.from(
    { length },
    (_, at) => Object.fromEntries(Object.entries(columns).map(([name, elements]) => [name, elements[at]]))
  )
}

/** Holds a table to rows: its length, its columns, and each element in every way of asking for it. */
const assertRows = (table: Table, rows: ReadonlyArray<Row>): void => {
  assert.strictEqual(table.length, rows.length)
  assert.deepStrictEqual(ColumnTable.toRows(table), rows)
  assert.deepStrictEqual(JSON.parse(JSON.stringify([...table])), rows)
  for (const [at, row] of rows.entries()) {
    for (const name of table.columnNames) {
      assert.strictEqual(table.isNull(name, at), row[name] === null)
      assert.strictEqual(table.valueAt(name, at), row[name])
      assert.strictEqual(table.at(at)[name], row[name])
    }
  }
  // Printed and read again it is the same table: vectors and bitmaps have the right lengths.
  const printed = ColumnTable.encode(table)
  if (table.columnNames.length > 0) {
    assert.deepStrictEqual(JSON.parse(printed), {
      s: "ok",
      ...Object.fromEntries(table.columnNames.map((name) => [name, rows.map((row) => row[name])]))
    })
  }
}

const anIndex = fc.nat({ max: 1000 })

const law = <A>(name: string, arbitrary: fc.Arbitrary<A>, holds: (columns: Partial<Columns>, input: A) => void) =>
  it(name, () => fc.assert(fc.property(someColumns, arbitrary, holds), runs))

law("[2.1-shape] [2.1-last-null] decode and toRows have the same elements", fc.constant(0), (columns) => {
  assertRows(decode(columns), rowsOf(columns))
})

law("select keeps some of the columns, in the order of the contract", fc.nat({ max: 2 ** 25 - 1 }), (columns, mask) => {
  const table = decode(columns)
  const names = table.columnNames.filter((_, at) => (mask >> at) % 2 === 1)
  const selected = ColumnTable.select(table, names.toReversed())
  assert.deepInclude(selected, { columnNames: names, length: table.length })
  for (const name of names) {
    assert.strictEqual(selected[name], table[name])
    for (let at = 0; at < table.length; at++) assert.strictEqual(selected.valueAt(name, at), columns[name]?.[at])
  }
  assert.strictEqual(selected.findings, table.findings)
})

law(
  "slice is what Array's slice is, over the same memory",
  fc.tuple(fc.integer({ min: -25, max: 25 }), fc.option(fc.integer({ min: -25, max: 25 }), { nil: undefined })),
  (columns, [start, end]) => {
    const table = decode(columns)
    const sliced = ColumnTable.slice(table, start, end)
    assertRows(sliced, rowsOf(columns).slice(start, end))
    if (sliced.length > 0 && "bid" in sliced) assert.strictEqual(sliced.bid.buffer, table.bid.buffer)
  }
)

law(
  "take gathers rows, as often and in the order they are named",
  fc.array(anIndex, { maxLength: 30 }),
  (columns, wishes) => {
    const rows = rowsOf(columns)
    const indices = rows.length === 0 ? [] : wishes.map((wish) => wish % rows.length)
    assertRows(ColumnTable.pick(decode(columns), indices), indices.map((index) => rows[index]!))
    assertRows(ColumnTable.pick(decode(columns), Uint32Array.from(indices)), indices.map((index) => rows[index]!))
  }
)

law("pick of a slice of a pick", fc.array(anIndex, { maxLength: 20 }), (columns, wishes) => {
  const rows = rowsOf(columns)
  const indices = rows.length === 0 ? [] : wishes.map((wish) => wish % rows.length)
  const taken = ColumnTable.slice(ColumnTable.pick(decode(columns), indices), 1)
  const expected = indices.slice(1).map((index) => rows[index]!)
  const back = expected.map((_, at) => expected.length - 1 - at)
  assertRows(ColumnTable.pick(taken, back), expected.toReversed())
})

it("pick refuses rows that are not there", () => {
  const table = decode({ strike: [1, 2] })
  for (const index of [-1, 2, 0.5, NaN]) assert.throws(() => ColumnTable.pick(table, [0, index]), RangeError)
})

law("filter is what Array's filter is", fc.func(fc.boolean()), (columns, holds) => {
  const table = decode(columns)
  const rows = rowsOf(columns)
  const indices = ColumnTable.filterIndices(table, (index) => holds(index))
  assert.instanceOf(indices, Uint32Array)
  assert.deepStrictEqual([...indices], rows.flatMap((_, index) => holds(index) ? [index] : []))
  const found = [...ColumnTable.rows(table, indices)].map((row) => JSON.stringify(row))
  assert.deepStrictEqual(found, rows.filter((_, index) => holds(index)).map((row) => JSON.stringify(row)))
  assertRows(ColumnTable.filter(table, (index) => holds(index)), rows.filter((_, index) => holds(index)))
})

law(
  "sortBy orders as a stable sort of the elements does, nulls last",
  fc.tuple(anIndex, fc.constantFrom("ascending" as const, "descending" as const)),
  (columns, [which, direction]) => {
    const table = decode(columns)
    const name = table.columnNames[which % table.columnNames.length]!
    const elements = columns[name]!
    const sign = direction === "ascending" ? 1 : -1
    const rank = (value: unknown): unknown => name === "side" ? Number(value === "put") : value
    const expected = elements.map((_, at) => at).toSorted((a, b) => {
      const [x, y] = [rank(elements[a]), rank(elements[b])]
      if (x === null || y === null) return Number(x === null) - Number(y === null)
      return sign * (x === y ? 0 : (x as number) < (y as number) ? -1 : 1)
    })
    assert.deepStrictEqual([...ColumnTable.sortIndices(table, name, direction)], expected)
    const rows = rowsOf(columns)
    assertRows(ColumnTable.sortBy(table, name, direction), expected.map((index) => rows[index]!))
  }
)

law("take is what Array's take is", fc.oneof(fc.integer({ min: -2, max: 30 }), fc.constant(NaN)), (columns, count) => {
  assertRows(ColumnTable.take(decode(columns), count), Arr.take(rowsOf(columns), count > 0 ? count : 0))
})

it("what makes a table of a table can be piped, and is the same as called", () => {
  const table = decode({ strike: [150, 155, 160, 165], bid: [4, 1, 3, 2], last: [1, null, 2, 3] })
  const piped = table.pipe(
    ColumnTable.filter((row, { strike }) => strike[row]! > 150),
    ColumnTable.sortBy("bid", "descending"),
    ColumnTable.slice(0, -1),
    ColumnTable.pick([1, 0]),
    ColumnTable.take(2),
    ColumnTable.select(["strike", "last"])
  )
  assert.deepStrictEqual(ColumnTable.toRows(piped), [{ strike: 165, last: 3 }, { strike: 160, last: 2 }])
  assertRows(pipe(table, ColumnTable.take(1)), [{ strike: 150, bid: 4, last: 1 }])
})

it("columns that are not there are refused, by those who come without types", () => {
  const table = decode({ strike: [1, 2] })
  const name = "vega" as "strike"
  const refused = `"vega" is not a column of this table. Expected one of strike.`
  assert.throws(() => ColumnTable.sortBy(table, name), RangeError, refused)
  assert.throws(() => ColumnTable.select(table, [name]), RangeError, refused)
})

law("encodeChunks are the pieces of encode, a column a piece", fc.constant(0), (columns) => {
  const table = decode(columns)
  const parts = [...ColumnTable.encodeChunks(table)]
  assert.strictEqual(parts.join(""), ColumnTable.encode(table))
  assert.strictEqual(parts.length, table.columnNames.length + 2)
  assertRows(decode(JSON.parse(ColumnTable.encode(table))), rowsOf(columns))
})

it("merge is what concat is; a column that one table lacks is null in its rows", () => {
  Depth.forAll(runs, fc.array(someColumns, { minLength: 1, maxLength: 4 }), (tables) => {
    const names = new Set<string>(tables.flatMap((columns) => Object.keys(columns)))
    const ordered = allNames.filter((name) => names.has(name))
    const expected = tables.flatMap(rowsOf).map((row) =>
      Object.fromEntries(ordered.map((name) => [name, row[name] ?? null]))
    )
    const merged: Table = ColumnTable.merge(OptionChain.spec, tables.map(decode))
    assert.deepStrictEqual(merged.columnNames, ordered)
    assertRows(merged, expected)
    for (const { code, column, count, examples } of merged.findings) {
      if (code !== "NullNotAllowed") continue
      const nulls = tables.flatMap((columns) => rowsOf(columns).map((row) => row[column as Name] === null)).flatMap(
        (isNull, at) => isNull ? [at] : []
      )
      assert.strictEqual(count, nulls.length)
      assert.deepStrictEqual(examples.map(({ index }) => index), nulls.slice(0, 5))
    }
  })
})

it("merge joins legends of any size in the narrowest codes", () => {
  const symbolsOf = (from: number) => Array.from({ length: 200 }, (_, at) => `T${from + at}`)
  const tables = [0, 100, 200].map((from) => decode({ underlying: symbolsOf(from) }))
  const merged: Table = ColumnTable.merge(OptionChain.spec, tables)
  assert.strictEqual(merged.underlying.values.length, 400)
  assert.instanceOf(merged.underlying.codes, Uint16Array)
  assertRows(merged, [0, 100, 200].flatMap(symbolsOf).map((underlying) => ({ underlying })))
})

it("merge of nothing has no rows and no columns", () => {
  const merged = ColumnTable.merge(OptionChain.spec, [])
  assert.deepStrictEqual([merged.length, merged.columnNames], [0, []])
})

law("pack and unpack survive a transfer, which leaves nothing behind", fc.constant(0), (columns) => {
  const table = decode(columns)
  const packed = ColumnTable.pack(table)
  const buffers = ColumnTable.buffers(packed)
  assert.strictEqual(buffers.length, 1)
  const moved = structuredClone(packed, { transfer: buffers })
  assertRows(ColumnTable.unpack(OptionChain.spec, moved), rowsOf(columns))
  assert.deepStrictEqual(moved.findings, table.findings)
  for (const { byteLength } of buffers) assert.strictEqual(byteLength, 0)
})

law("slices and takings pack by their own rows", fc.tuple(anIndex, anIndex), (columns, [first, second]) => {
  const rows = rowsOf(columns)
  const start = first % (rows.length + 1)
  const end = start + second % (rows.length + 1 - start)
  const sliced = ColumnTable.slice(decode(columns), start, end)
  assertRows(ColumnTable.unpack(OptionChain.spec, structuredClone(ColumnTable.pack(sliced))), rows.slice(start, end))
  const taken = ColumnTable.pick(sliced, Array.from({ length: sliced.length }, (_, at) => at))
  const packed = ColumnTable.pack(taken)
  const moved = structuredClone(packed, { transfer: ColumnTable.buffers(packed) })
  assertRows(ColumnTable.unpack(OptionChain.spec, moved), rows.slice(start, end))
})

it("travels to a worker and back, copied or transferred", async () => {
  const worker = new Worker(new URL("./support/echoTable.ts", import.meta.url), {
    execArgv: ["--conditions=@effect-marketdata/source"]
  })
  const last = Array.from({ length: 500 }, (_, at) => at % 3 === 0 ? null : at)
  for (const isTransferred of [false, true]) {
    const table = Result.getOrThrow(OptionChain.decode(chainBody(500, { last })))
    const printed = ColumnTable.encode(table)
    const packed = ColumnTable.pack(table)
    worker.postMessage(packed, isTransferred ? ColumnTable.buffers(packed) : [])
    const [answer] = await once(worker, "message")
    assert.strictEqual(answer.printed, printed)
    assert.strictEqual(ColumnTable.encode(ColumnTable.unpack(OptionChain.spec, answer.packed)), printed)
    assert.strictEqual(table.strike.length, isTransferred ? 0 : 500)
  }
  await worker.terminate()
})

it("may have columns by names that objects inherit", () => {
  const spec = {
    constructor: { kind: ColumnKind.number, null: "nullable" },
    toString: { kind: ColumnKind.number, null: "nullable" },
    close: { kind: ColumnKind.number, null: "nullable" }
  } as const
  const body = `{"s":"ok","toString":[1,null],"close":[2,3]}`
  const table = Result.getOrThrow(ColumnTable.decode(spec, body, { columns: "present" }))
  assert.deepStrictEqual(table.columnNames, ["toString", "close"])
  assert.strictEqual(ColumnTable.encode(table), body)
  const twice = `{"s":"ok","toString":[1,null,1,null],"close":[2,3,2,3]}`
  const merged = ColumnTable.merge(spec, [table, table])
  assert.strictEqual(ColumnTable.encode(merged), twice)
  assert.strictEqual(ColumnTable.encode(ColumnTable.unpack(spec, structuredClone(ColumnTable.pack(merged)))), twice)
  assert.strictEqual(ColumnTable.encode(ColumnTable.slice(merged, 2)), body)
})
