import { ColumnKind, ColumnTable, OptionChain, OptionQuote, StockCandles, StockNews } from "@effect-marketdata/core"
import { Arrow, Columns, Csv, JsonLines, Parquet } from "@effect-marketdata/export"
import { assert, describe, it } from "@effect/vitest"
import { tableFromIPC } from "apache-arrow"
import { Array as Arr, Record, Result } from "effect"
import * as fc from "fast-check"
import { parquetMetadata } from "hyparquet"
import { forAll, forAllAsync, runs } from "../../core/test/support/depth.ts"
import * as Drawn from "../../core/test/support/tables.ts"
import { longest, number } from "../src/formats/encoder.ts"
import * as Readers from "./support/readers.ts"
import { empty, rowsOf, several, specs, type Table, table } from "./support/tables.ts"

const trials = (seed: number) => ({ numRuns: runs(400, 60), seed })

/** What several tables come to behind each other. */
const rowsOfAll = (tables: ReadonlyArray<Table>) => tables.flatMap(rowsOf)

/** Writes tables one after the other. The bytes are copied before the next comes, as a file does. */
const written = (encoder: ReturnType<typeof Arrow.encoder>, tables: ReadonlyArray<Table>): Uint8Array<ArrayBuffer> => {
  const pieces = tables.flatMap((table) => Result.getOrThrow(encoder.push(table)).map((bytes) => bytes.slice()))
  return new Uint8Array(Buffer.concat([...pieces, ...Result.getOrThrow(encoder.end())]))
}

/** Lone halves of pairs as UTF-8 has them. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd")

/** Lone halves of pairs become what UTF-8 has for them. */
const asUtf8 = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? wellFormed(value) : value])
    )
  )

/** Integers, times and decimals have no minus zero. */
const withoutMinusZero = (tables: ReadonlyArray<Table>) => {
  const floats = new Set(Columns.of(tables[0]!).filter(({ type }) => type === "number").map(({ name }) => name))
  return asUtf8(rowsOfAll(tables)).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, Object.is(value, -0) && !floats.has(name) ? 0 : value])
    )
  )
}

/** Same values, minus zero and zero told apart. */
const same = (found: unknown, expected: unknown): void => assert.deepStrictEqual(found, expected)

describe("Arrow", () => {
  it("gives a table of any endpoint back as apache-arrow reads it, as a file and as a stream", () => {
    forAll(trials(1), table, fc.constantFrom("file", "stream"), (table, format) => {
      const bytes = Result.getOrThrow(Arrow.encode(table, { format }))
      same(Readers.arrow(bytes), withoutMinusZero([table]))
    })
  })

  it("gives many tables of one file back, whose texts are told by one dictionary", () => {
    forAll(trials(2), several, fc.constantFrom("file", "stream"), (tables, format) => {
      same(Readers.arrow(written(Arrow.encoder({ format }), tables)), withoutMinusZero(tables))
    })
  })

  it("says what each column means, and what the file says of itself", () => {
    const options = { metadata: { source: "Market Data" } }
    const { schema } = tableFromIPC(Result.getOrThrow(Arrow.encode(empty(OptionChain.spec), options)))
    same(Object.fromEntries(schema.metadata), { source: "Market Data" })
    same(Object.fromEntries(schema.fields.find(({ name }) => name === "updated")!.metadata), {
      meaning: "When the quote was taken.",
      clause: "2.1-fields"
    })
    same(schema.fields.map(({ name, type }) => `${name} ${type}`).slice(0, 9), [
      "optionSymbol Utf8",
      "underlying Dictionary<Uint8, Utf8>",
      "expiration Timestamp<SECOND, America/New_York>",
      "side Dictionary<Uint8, Utf8>",
      "strike Decimal[9e+3]",
      "firstTraded Timestamp<SECOND, America/New_York>",
      "dte Int32",
      "ask Float64",
      "askSize Int32"
    ])
  })

  it("does not copy columns of numbers, nor the codes of texts in a whole table", () => {
    const chain = Result.getOrThrow(
      OptionChain.decode(`{"s":"ok","side":["call","put"],"bid":[1,2]}`, { columns: ["side", "bid"] })
    )
    const pieces = Result.getOrThrow(Arrow.encoder().push(chain))
    const { buffer, byteOffset } = chain.bid
    assert.isTrue(pieces.some((piece) => piece.buffer === buffer && piece.byteOffset === byteOffset))
  })
})

describe("Parquet", () => {
  it("gives tables of any endpoint back as hyparquet reads them", () =>
    forAllAsync(trials(3), several, async (tables) => {
      same(await Readers.parquet(written(Parquet.encoder(), tables)), withoutMinusZero(tables))
    }))

  it("says what the columns mean, with statistics, in any compression", async () => {
    const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[150,155.5]}`, { columns: ["strike"] }))
    for (const compression of ["zstd", "snappy", "none"] as const) {
      const bytes = Result.getOrThrow(Parquet.encode(chain, { compression, metadata: { asked: "today" } }))
      same(await Readers.parquet(bytes), rowsOf(chain as unknown as Table))
      const { key_value_metadata, row_groups } = parquetMetadata(bytes.buffer)
      same(key_value_metadata, [
        { key: "asked", value: "today" },
        {
          key: "columns",
          value: `{"strike":{"unit":"dollars","meaning":"The strike, in dollars.","clause":"2.1-fields"}}`
        }
      ])
      const { max_value, min_value, null_count } = row_groups[0]!.columns[0]!.meta_data!.statistics!
      same([min_value, max_value, null_count], [150, 155.5, 0n])
    }
  })

  it("says that the row groups of a table without rows are structures, which readers in Rust insist on", () => {
    const bytes = Buffer.from(Result.getOrThrow(Parquet.encode(empty(OptionChain.spec))))
    same(bytes.indexOf(Uint8Array.of(0x16, 0, 0x19, 0)), -1)
    assert.isAbove(bytes.indexOf(Uint8Array.of(0x16, 0, 0x19, 0x0c)), 0)
  })

  it("collects small tables into row groups", () => {
    const body = `{"s":"ok","strike":[${Array(40_000).fill(1).join()}]}`
    const bulk = Result.getOrThrow(ColumnTable.decode(OptionChain.spec, body, { columns: ["strike"] }))
    const groups = parquetMetadata(written(Parquet.encoder(), Array(5).fill(bulk)).buffer).row_groups
    same(groups.map(({ num_rows }) => num_rows), [80_000n, 80_000n, 40_000n])
  })
})

/** A cell of CSV as an element of its column. */
const parsed = (cell: string, { type }: Columns.Column, times: "iso" | "epoch"): unknown => {
  switch (type) {
    case "text":
    case "category":
      return cell
    case "boolean":
      return cell === "true"
    case "time":
      return times === "iso" ? Date.parse(cell) / 1000 : Number(cell)
    default:
      return Number(cell)
  }
}

describe("CSV and JSON lines", () => {
  const both = fc.constantFrom("iso", "epoch")

  it("give every element back to the bit, times with the offset of New York", () => {
    forAll(trials(4), several, both, (tables, times) => {
      const columns = Columns.of(tables[0]!)
      const [head, ...lines] = Readers.csv(written(Csv.encoder({ times }), tables))
      same(head, columns.map(({ name }) => name))
      const objects = Readers.jsonLines(written(JsonLines.encoder({ times }), tables))
      const expected = asUtf8(rowsOfAll(tables))
      assert.strictEqual(lines.length, expected.length)
      for (const [row, cells] of lines.entries()) {
        for (const [at, column] of columns.entries()) {
          const value = expected[row]![column.name]
          const cell = cells[at]!
          const isFormula = typeof value === "string" && /^\s*[=+\-@＝＋－＠]/.test(value)
          if (value === null) same(cell, "")
          else same(isFormula ? cell.slice(1) : parsed(cell, column, times), value)
          const own = objects[row]![column.name]
          const element = column.type === "time" && (typeof own === "string" || typeof own === "number")
            ? parsed(`${own}`, column, times)
            : own
          same(element, value)
        }
      }
    })
  })

  it("print a number as String does, whatever its decimals, and -0", () => {
    const rounded = fc.tuple(fc.double(), fc.integer({ min: 0, max: 9 })).map(([value, digits]) =>
      Math.abs(value) < 1e12 ? Number(value.toFixed(digits)) : value
    )
    const cents = fc.integer().map((value) => value / 100)
    fc.assert(
      fc.property(fc.oneof(fc.double(), rounded, cents, fc.constantFrom(0, -0, 1e-6, 1e9, 2 ** 31, 1e21)), (value) => {
        const bytes = new Uint8Array(longest + 1)
        const text = new TextDecoder().decode(bytes.subarray(number(bytes, longest, value, String), longest))
        same(text, Object.is(value, -0) ? "-0" : String(value))
        same(bytes[longest], 0)
      }),
      trials(9)
    )
  })

  it("are read back where a caller's own numbers are none, or infinite", () => {
    const spec = { x: { kind: ColumnKind.number, null: "identity" } } as const
    const vectors = { x: Float64Array.of(NaN, -Infinity, Infinity, 1e21) }
    const table = ColumnTable.make<typeof spec, "x">(spec, { length: 4, vectors, nulls: {}, findings: [] })
    same(Readers.csv(Result.getOrThrow(Csv.encode(table))).slice(1), [["NaN"], ["-Infinity"], ["Infinity"], ["1e+21"]])
    same(Readers.jsonLines(Result.getOrThrow(JsonLines.encode(table))).map(({ x }) => x), [null, null, null, 1e21])
  })

  it("write more distinct times than a function takes arguments", () => {
    const times = Array.from({ length: 200_000 }, (_, minute) => 1_700_000_000 + 60 * minute)
    const candles = Result.getOrThrow(StockCandles.decode(JSON.stringify({ s: "ok", t: times }), { columns: ["t"] }))
    const lines = new TextDecoder().decode(Result.getOrThrow(Csv.encode(candles, { times: "epoch" }))).split("\r\n")
    same(lines, ["t", ...times.map(String), ""])
  })

  it("no cell of text begins as a formula does", () => {
    forAll(trials(5), table, (table) => {
      const columns = Columns.of(table)
      for (const cells of Readers.csv(Result.getOrThrow(Csv.encode(table))).slice(1)) {
        for (const [at, { type }] of columns.entries()) {
          if (type === "text" || type === "category") assert.notMatch(cells[at]!, /^\s*[=+\-@]/)
        }
      }
    })
  })
})

it("a cell of CSV is quoted where readers would take an apostrophe for the quotation mark, a text for null, or skip an empty line", () => {
  const body = JSON.stringify({ s: "ok", headline: ["=1", "'twas", "it's", "\"", "", null] })
  const news = Result.getOrThrow(StockNews.decode(body, { columns: ["headline"] }))
  const text = new TextDecoder().decode(Result.getOrThrow(Csv.encode(news)))
  same(text.split("\r\n"), ["headline", `"'=1"`, `"'twas"`, "it's", `""""`, `""`, `""`, ""])
})

it("lines of CSV end, and its texts are written, as it is told", () => {
  const news = Result.getOrThrow(StockNews.decode(`{"s":"ok","headline":["=1","a"]}`, { columns: ["headline"] }))
  const bytes = Result.getOrThrow(Csv.encode(news, { cell: (text) => `<${text}>`, lineEnd: "\n" }))
  assert.strictEqual(new TextDecoder().decode(bytes), "<headline>\n<=1>\n<a>\n")
})

describe("what cannot be exported", () => {
  const formats = { Arrow, Parquet, Csv, JsonLines }

  it("is named by column, row and value, or else read back the same: tables with any number anywhere", async () => {
    await forAllAsync(trials(6), fc.oneof(...Object.values(specs).map(Drawn.table)), async (table) => {
      const encoded = Arrow.encode(table)
      const again = Parquet.encode(table)
      assert.strictEqual(Result.isSuccess(encoded), Result.isSuccess(again))
      if (Result.isFailure(encoded)) {
        const { reason } = encoded.failure
        assert.strictEqual(reason._tag, "Inexact")
        if (reason._tag === "Inexact") same(table.valueAt(reason.column as never, reason.row), reason.value)
        return
      }
      if (table.columnNames.length > 0) same(Readers.arrow(encoded.success), withoutMinusZero([table]))
    })
  })

  it("can be exported as it is", () => {
    const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[1.0005]}`, { columns: ["strike"] }))
    for (const { encode } of Object.values(formats)) {
      const failed = encode(chain)
      assert.strictEqual(
        Result.isFailure(failed) ? failed.failure.message : "",
        "the column strike has 1.0005 in row 0, which is not a number of at most six digits and three decimals. " +
          `Export it as it is, e.g. types: { "strike": "number" }.`
      )
      assert.isTrue(Result.isSuccess(encode(chain, { types: { strike: "number" } })))
    }
  })

  it("tables of other columns, none, and options that no format has", () => {
    const strikes = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[1]}`, { columns: ["strike"] }))
    const bids = Result.getOrThrow(OptionChain.decode(`{"s":"ok","bid":[1]}`, { columns: ["bid"] }))
    // A quote may be without a strike, where a contract of a chain never is.
    const quotes = Result.getOrThrow(OptionQuote.decode(`{"s":"ok","strike":[null]}`, { columns: ["strike"] }))
    const reason = (result: Result.Result<unknown, { readonly reason: { readonly _tag: string } }>) =>
      Result.isFailure(result) ? result.failure.reason._tag : "none"
    for (const { encode, encoder } of Object.values(formats)) {
      for (const none of [undefined, null, {}, { data: strikes }, { ...strikes }, "strike"]) {
        assert.strictEqual(reason(encode(none as never)), "InvalidOption")
      }
      for (const nothing of [null, { types: null, times: undefined, metadata: null }]) {
        assert.deepStrictEqual(encode(strikes, nothing as never), encode(strikes))
      }
      assert.strictEqual(reason(encoder().end()), "NoColumns")
      assert.strictEqual(reason(encode(ColumnTable.select(strikes, []))), "NoColumns")
      const begun = encoder()
      Result.getOrThrow(begun.push(strikes))
      assert.strictEqual(reason(begun.push(bids)), "OtherColumns")
      assert.strictEqual(reason(begun.push(quotes)), "OtherColumns")
      const other = encoder()
      for (const table of [quotes, strikes]) Result.getOrThrow(other.push(table))
      for (const types of [{ bid: "number" }, { strike: "text" }, { strike: undefined }] as ReadonlyArray<object>) {
        assert.strictEqual(reason(encode(strikes, { types: types as Columns.Types })), "InvalidOption")
      }
      for (const source of [null, 5]) {
        assert.strictEqual(reason(encode(strikes, { metadata: { source } as never })), "InvalidOption")
      }
    }
    assert.strictEqual(reason(Parquet.encode(strikes, { compression: "lzo" as never })), "InvalidOption")
    for (const wrong of [{ times: "unix" }, { lineEnd: "\r" }, { cell: "\"" }] as ReadonlyArray<object>) {
      assert.strictEqual(reason(Csv.encode(strikes, wrong)), "InvalidOption")
    }
    assert.strictEqual(reason(Arrow.encode(strikes, { format: "feather" as never })), "InvalidOption")
  })
})

describe("Columns", () => {
  it("knows every column of every endpoint: its type and its unit", () => {
    const kindOf = ({ type, unit }: Columns.Column) => unit === undefined ? type : `${type} in ${unit}`
    const all = Record.map(
      specs,
      (spec) => Record.map(Arr.groupBy(Columns.of(empty(spec)), kindOf), Arr.map(({ name }) => name))
    )
    assert.deepStrictEqual<unknown>(all, expectedColumns)
    for (const spec of Object.values(specs)) {
      for (const { meaning } of Columns.of(empty(spec))) {
        assert.match(meaning ?? "", /\.$/)
        assert.notMatch(meaning ?? "", /epoch|the column holds/)
      }
    }
  })

  it("labels candles by whose they are", () => {
    const candles = empty(specs["stockCandles"]!)
    const labelled = Columns.withSymbol(candles, "AAPL")
    assert.strictEqual(Columns.withSymbol(labelled, "MSFT"), labelled)
    const symbol = { name: "symbol", type: "category", nullable: false, unit: undefined, clause: undefined }
    same(Columns.of(labelled)[0], { ...symbol, meaning: "The symbol that was asked for." })
    assert.throws(() => Columns.withSymbol(candles, ""), /must be a non-empty string/)
  })

  it("puts the columns of another table behind its own, with what they mean", () => {
    const spec = { ivComputed: { kind: ColumnKind.number, null: "nullable" } } as const
    const chain = empty(specs["optionChain"]!)
    const joined = Columns.beside(chain, empty(spec), { ivComputed: "Volatility, as a fraction." })
    assert.deepStrictEqual(joined.columnNames, [...chain.columnNames, "ivComputed"])
    const { clause, meaning, type, unit } = Columns.of(joined).at(-1)!
    same([type, unit, meaning], ["number", "fraction", "Volatility, as a fraction."])
    assert.isUndefined(clause)
    const twice = () => Columns.beside(joined, empty(spec))
    assert.throws(twice, /other "ivComputed" must have only columns that the table does not have/)
    const given = { length: 1, vectors: { ivComputed: new Float64Array(1) }, nulls: {}, findings: [] }
    const longer = ColumnTable.make<typeof spec, "ivComputed">(spec, given)
    assert.throws(() => Columns.beside(chain, longer), /other 1 must have as many rows as the table: 0/)
  })
})

/** The columns of a chain, and of an option's quote, by what they are. */
const ofChain = {
  text: ["optionSymbol"],
  category: ["underlying", "side"],
  time: ["expiration", "firstTraded", "updated"],
  boolean: ["inTheMoney"],
  "integer in days": ["dte"],
  "integer in contracts": ["askSize", "bidSize", "volume", "openInterest"],
  "decimal in dollars": ["strike"],
  "number in dollars": ["underlyingPrice"],
  "number in dollars a share": ["ask", "bid", "mid", "last", "intrinsicValue", "extrinsicValue"],
  "number in fraction": ["iv"],
  "number in dollars per dollar": ["delta"],
  "number in delta per dollar": ["gamma"],
  "number in dollars a share per day": ["theta"],
  "number in dollars a share per percentage point": ["vega"]
}

const candle = ["o", "h", "l", "c"]
const candles = { time: ["t"], "number in dollars": candle, "number in shares": ["v"] }
const quoted = ["ask", "bid", "mid", "last", "change"]

const expectedColumns = {
  optionChain: ofChain,
  optionQuote: ofChain,
  stockQuotes: {
    category: ["symbol"],
    time: ["updated"],
    "integer in shares": ["askSize", "bidSize"],
    "number in dollars": [...quoted, "52weekHigh", "52weekLow", ...candle],
    "number in fraction": ["changepct"],
    "number in shares": ["volume"]
  },
  stockPrices: {
    category: ["symbol"],
    time: ["updated"],
    "number in dollars": ["mid", "change"],
    "number in fraction": ["changepct"]
  },
  stockCandles: candles,
  stockBulkCandles: { category: ["symbol"], ...candles },
  stockEarnings: {
    category: ["symbol", "reportTime", "currency"],
    time: ["date", "reportDate", "updated"],
    integer: ["fiscalYear", "fiscalQuarter"],
    "number in currency": ["reportedEPS", "estimatedEPS", "surpriseEPS"],
    "number in fraction": ["surpriseEPSpct"]
  },
  stockNews: { category: ["symbol"], text: ["headline", "content", "source"], time: ["publicationDate"] },
  marketStatus: { time: ["date"], category: ["status"] },
  fundCandles: { time: ["t"], "number in dollars": candle },
  serviceStatus: {
    text: ["service", "status"],
    boolean: ["online"],
    "number in fraction": ["uptimePct30d", "uptimePct90d"],
    time: ["updated"]
  }
}

const many = runs(200_000, 2000)

it(`${many} rows in every format`, async () => {
  const list = (of: (row: number) => unknown) => JSON.stringify(Array.from({ length: many }, (_, row) => of(row)))
  const chain = Result.getOrThrow(OptionChain.decode(
    `{"s":"ok","strike":${list((row) => row / 1000)},"last":${list((row) => row % 3 === 0 ? null : row / 7)},` +
      `"side":${list((row) => row % 2 === 0 ? "call" : "put")},"updated":${list((row) => 1795208400 + row)}}`,
    { columns: ["strike", "last", "side", "updated"] }
  )) as unknown as Table
  same(Readers.arrow(Result.getOrThrow(Arrow.encode(chain))), rowsOf(chain))
  same(await Readers.parquet(Result.getOrThrow(Parquet.encode(chain))), rowsOf(chain))
  assert.strictEqual(Readers.csv(Result.getOrThrow(Csv.encode(chain))).length, many + 1)
  assert.strictEqual(Readers.jsonLines(Result.getOrThrow(JsonLines.encode(chain))).length, many)
})
