import { ColumnTable, OptionChain, Schemas } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, Struct } from "effect"
import * as fc from "fast-check"
import { body } from "../support/chains.ts"
import * as Depth from "../support/depth.ts"
import { specs, table } from "../support/tables.ts"
import { refusalOf, wires } from "../support/wires.ts"

/** A class whose values have the fields of a row, whichever they are. */
type RowClass = Schema.Codec<object, Schema.Json> & {
  readonly fields: object
  readonly make: (fields: never) => object
}

/** The class of an endpoint's rows, found by what it is called. */
const classOf = (endpoint: string): RowClass => {
  const name = `${endpoint.slice(0, 1).toUpperCase()}${endpoint.slice(1)}Row`
  const found = Object.entries(Schemas).find(([exported]) => exported === name)?.[1]
  assert.isFunction(found, name)
  return found as unknown as RowClass
}

/** A table of all columns. */
const whole = (spec: ColumnSpec) =>
  table(spec).filter(({ columnNames }) => columnNames.length === Object.keys(spec).length)

const [contract] = OptionChain.toRows(Result.getOrThrow(OptionChain.decode(body(1))))

describe("rows as classes", () => {
  for (const [endpoint, spec] of Object.entries(specs)) {
    const Row = classOf(endpoint)

    it(`has a field for each column of ${endpoint}, which says what it means`, () => {
      assert.deepStrictEqual(Object.keys(Row.fields), Object.keys(spec))
      const { definitions, schema } = Schema.toJsonSchemaDocument(Row)
      const { properties } = JSON.parse(JSON.stringify(Object.values(definitions)[0] ?? schema))
      for (const name of Object.keys(spec)) {
        assert.match(JSON.stringify(properties[name]), /"description":"[A-Z`].*\."/, name)
      }
    })

    it(`holds whatever a row of ${endpoint} holds, and loses nothing of it`, () => {
      fc.assert(
        fc.property(fc.array(whole(spec), { minLength: 1, maxLength: 1 }), ([table]) => {
          for (const row of ColumnTable.toRows(table!)) {
            const made = Row.make(row as never)
            assert.deepStrictEqual({ ...made }, row)
            for (const [wire, travel] of Object.entries(wires)) {
              // JSON writes minus zero as zero, where no schema says otherwise.
              if (wire === "JSON.stringify") continue
              const travelled = travel(Row, made)
              assert.strictEqual(travelled.constructor, made.constructor)
              assert.deepStrictEqual({ ...travelled }, row)
            }
          }
        }),
        { numRuns: Depth.runs(10, 3), seed: 17_550 }
      )
    })
  }

  it("refuses what its columns do not hold", () => {
    const refused = (change: object): string =>
      refusalOf(Schemas.OptionChainRow, { ...contract, ...change }) ?? "not refused"
    assert.strictEqual(refused({}), "not refused")
    assert.strictEqual(refused({ last: null, bid: null, inTheMoney: null }), "not refused")
    for (const name of ["optionSymbol", "underlying", "expiration", "side", "strike"]) {
      assert.include(refused({ [name]: null }), `at ["${name}"]`)
      assert.include(refused({ [name]: undefined }), `at ["${name}"]`)
    }
    assert.include(refused({ side: 0 }), `at ["side"]`)
    assert.include(refused({ bid: "1.5" }), `at ["bid"]`)
    assert.include(refused({ bid: NaN }), `at ["bid"]`)
    assert.include(refused({ optionSymbol: "AAPL" }), `at ["optionSymbol"]`)
    assert.throws(() => new Schemas.OptionChainRow({ ...contract!, strike: Infinity }))
  })

  it("gives a row in some of the columns", () => {
    const Quote = Schemas.OptionChainRow.mapFields(Struct.pick(["strike", "last"]))
    const row = Schema.decodeUnknownSync(Quote)({ strike: 150, last: null, bid: 1 })
    assert.deepStrictEqual(row, { strike: 150, last: null })
    assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(Quote)({ strike: null, last: 1 })))
  })
})
