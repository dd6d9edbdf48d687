import * as Bytes from "@effect-marketdata/cluster/Bytes"
import { ColumnTable, OptionChain, Schemas } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { assert, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { delivered } from "../../core/test/support/delivered.ts"
import * as Depth from "../../core/test/support/depth.ts"
import { assertSame, specs, table } from "../../core/test/support/tables.ts"
import { wires } from "../../core/test/support/wires.ts"

for (const [endpoint, spec] of Object.entries(specs)) {
  it(`loses nothing of a table of ${endpoint}, wherever its bytes lie`, () => {
    Depth.forAll({ numRuns: Depth.runs(100, 15), seed: 17_503 }, table(spec), fc.nat({ max: 9 }), (table, offset) => {
      const codec = Bytes.TableAsBytes(spec, table.columnNames)
      const bytes = Schema.encodeSync(codec)(table)
      const elsewhere = Buffer.alloc(offset + bytes.length + 3).subarray(offset, offset + bytes.length)
      elsewhere.set(bytes)
      assertSame(Schema.decodeSync(codec)(elsewhere), table)
    })
  })

  it(`reads any change of the bytes of a table of ${endpoint} as a table, or refuses it`, () => {
    fc.assert(
      fc.property(table(spec), fc.nat(), fc.nat({ max: 255 }), fc.nat({ max: 40 }), (table, at, byte, cut) => {
        const codec = Bytes.TableAsBytes(spec, table.columnNames)
        const bytes = Schema.encodeSync(codec)(table)
        bytes[at % bytes.length] = byte
        const changed = bytes.subarray(0, bytes.length - (cut > 20 ? cut - 20 : 0))
        const read = Schema.decodeResult(codec)(changed)
        if (Result.isFailure(read)) return
        // What is read is a table that JSON can hold: no element is outside of its column.
        assertSame(wires["JSON text"]!(Schemas.Table(spec, table.columnNames), read.success), read.success)
      }),
      { numRuns: Depth.runs(100, 15), seed: 17_504 }
    )
  })
}

it("loses nothing of parts of tables, whose columns hold texts that no row has", () => {
  const spec: ColumnSpec = OptionChain.spec
  fc.assert(
    fc.property(table(spec), fc.nat({ max: 12 }), fc.nat({ max: 12 }), (table, start, end) => {
      const part = ColumnTable.slice(table, start, end)
      const codec = Bytes.TableAsBytes(spec, part.columnNames)
      assertSame(Schema.decodeSync(codec)(Schema.encodeSync(codec)(part)), part)
    }),
    { numRuns: Depth.runs(200, 25), seed: 17_505 }
  )
})

it("refuses what is not a table of these columns, and says where", () => {
  const codec = Bytes.TableAsBytes(OptionChain.spec, ["strike", "last"])
  const refusal = (bytes: Uint8Array) =>
    Result.match(Schema.decodeResult(codec)(bytes), { onFailure: String, onSuccess: () => "" })
  const other = Result.getOrThrow(OptionChain.decode(`{"s":"ok","last":[1.25]}`, { columns: ["last"] }))
  assert.match(refusal(new Uint8Array()), /Expected a table as bytes, got other bytes/)
  assert.match(refusal(new TextEncoder().encode("{\"s\":\"ok\"}")), /Expected a table as bytes, got other bytes/)
  const message = refusal(Schema.encodeSync(Bytes.TableAsBytes(OptionChain.spec, ["last"]))(other))
  assert.match(message, /Expected the columns strike, last, got others\n {2}at \["columns"\]\["strike"\]/)
  const table = Result.getOrThrow(
    OptionChain.decode(`{"s":"ok","strike":[150,155],"last":[1.25,null]}`, { columns: ["strike", "last"] })
  )
  const bytes = Schema.encodeSync(codec)(table)
  assert.match(refusal(bytes.subarray(0, -8)), /Expected .*, got fewer bytes/)
  assert.match(refusal(new Uint8Array([...bytes, 0])), /bytes, got/)
})

const printed = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it("Bytes.DataAsBytes loses nothing of the data of any endpoint, in JSON or in CSV", () => {
  for (const { data, query } of delivered) {
    const bytes = Schema.encodeSync(Bytes.DataAsBytes(query))(data)
    assert.instanceOf(bytes, Uint8Array)
    const read = Schema.decodeSync(Bytes.DataAsBytes(structuredClone(query)))(bytes)
    assert.deepStrictEqual(printed(read), printed(data), query.endpoint.name)
    assert.strictEqual(Object.prototype.toString.call(read), Object.prototype.toString.call(data))
    assert.isTrue(Result.isFailure(Schema.decodeResult(Bytes.DataAsBytes(query))(bytes.subarray(0, -1))))
  }
})
