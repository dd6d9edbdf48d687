import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as ChainFilter from "@effect-marketdata/sandbox/ChainFilter"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Snapshot from "./support/snapshot.ts"

const friday = CalendarDate.parseUnsafe("2026-11-20")
const { chain } = Snapshot.ofSymbol("RUT", NewYork.at(friday, 12, 0))

/** What a filter must leave, row by row. */
const rowsWith = (keeps: (row: OptionChain.Row) => boolean): ReadonlyArray<string> =>
  [...chain].filter(keeps).map((row) => JSON.stringify(row))

const rowsOf = (filtered: OptionChain.OptionChain): ReadonlyArray<string> =>
  [...filtered].map((row) => JSON.stringify(row))

const expires = (row: OptionChain.Row): string => CalendarDate.format(NewYork.dateOf(row.expiration))

describe("ChainFilter", () => {
  describe("filter", () => {
    it("keeps an expiration, under all roots", () => {
      const third = CalendarDate.parseUnsafe("2026-12-18")
      const filtered = ChainFilter.filter(chain, { expiration: third })
      assert.deepStrictEqual(rowsOf(filtered), rowsWith((row) => expires(row) === "2026-12-18"))
      assert.isAbove(filtered.length, 0)
    })

    it("keeps a side", () => {
      assert.deepStrictEqual(rowsOf(ChainFilter.filter(chain, { side: "put" })), rowsWith((row) => row.side === "put"))
    })

    it("keeps what has both", () => {
      const filtered = ChainFilter.filter(chain, { expiration: friday, side: "call" })
      assert.deepStrictEqual(
        rowsOf(filtered),
        rowsWith((row) => row.side === "call" && expires(row) === "2026-11-20")
      )
    })

    it("keeps null null", () => {
      const filtered = ChainFilter.filter(chain, { side: "put" })
      const nulls = Array.from(filtered.last.keys()).filter((row) => filtered.isNull("last", row))
      assert.isAbove(nulls.length, 0)
      assert.strictEqual(nulls.length, rowsWith((row) => row.side === "put" && row.last === null).length)
    })

    it("leaves no row for an expiration that is not listed", () => {
      const none = ChainFilter.filter(chain, { expiration: CalendarDate.parseUnsafe("2026-11-21") })
      assert.strictEqual(none.length, 0)
      assert.deepStrictEqual(none.columnNames, chain.columnNames)
    })

    it("is the chain itself where nothing is asked for", () => {
      assert.isTrue(ChainFilter.filter(chain, {}) === chain)
      assert.isTrue(ChainFilter.filter(chain, { expiration: undefined, side: undefined }) === chain)
    })

    it("has columns of its own that read as a chain again", () => {
      const filtered = ChainFilter.filter(chain, { expiration: friday })
      assert.strictEqual(filtered.bid.buffer.byteLength, filtered.length * 8)
      const decoded = Result.getOrThrow(OptionChain.decode(ColumnTable.encode(filtered), { strict: true }))
      assert.deepStrictEqual(rowsOf(decoded), rowsOf(filtered))
    })
  })
})
