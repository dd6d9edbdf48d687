import { BufferPool, ColumnTable, OptionChain, Schemas } from "@effect-marketdata/core"
import { Effect, Exit, Result, Schema, type Scope } from "effect"
import { body } from "./support/chains.ts"
import { assert, it, steps, type Test } from "./support/it.ts"

const chain = (pool: BufferPool.BufferPool, rows: number) =>
  BufferPool.decode(pool, (recycled) => OptionChain.decode(body(rows), { recycled }))

const pooled = (name: string, test: Test<Scope.Scope, [BufferPool.BufferPool]>) =>
  it.effect(name, () => steps(test)(BufferPool.make()))

pooled("decodes into a buffer that was used before, and reads the same", function*(pool) {
  const larger = yield* Effect.scoped(Effect.map(chain(pool, 40), (chain) => chain.bid.buffer.byteLength))
  const smaller = yield* chain(pool, 4)
  assert.deepStrictEqual([smaller.bid.buffer.byteLength, ColumnTable.encode(smaller)], [larger, body(4)])
  assert.deepStrictEqual(smaller.findings, [])
})

it.effect("is written as JSON within its scope, and read as a table of its own", function*() {
  const Chain = Schemas.Table(OptionChain.spec)
  const [lent, stored] = yield* Effect.scoped(
    Effect.map(chain(BufferPool.make(), 4), (lent) => [lent, JSON.stringify(lent)] as const)
  )
  assert.strictEqual(ColumnTable.encode(Schema.decodeUnknownSync(Chain)(JSON.parse(stored))), body(4))
  assert.isTrue(Result.isFailure(Schema.encodeResult(Chain)(lent)))
})

pooled("takes more memory where a buffer is too small", function*(pool) {
  yield* Effect.scoped(chain(pool, 4))
  assert.strictEqual(ColumnTable.encode(yield* chain(pool, 400)), body(400))
})

pooled("gives two tables at a time two buffers", function*(pool) {
  yield* Effect.scoped(chain(pool, 8))
  const [one, other] = [yield* chain(pool, 8), yield* chain(pool, 6)]
  assert.notStrictEqual(one.bid.buffer, other.bid.buffer)
  assert.deepStrictEqual([ColumnTable.encode(one), ColumnTable.encode(other)], [body(8), body(6)])
})

pooled("fails loudly where a table is used after its scope", function*(pool) {
  const released = yield* Effect.scoped(chain(pool, 8))
  assert.throws(() => released.bid, "was released when its scope closed")
  assert.throws(() => released.length, "was released")
  assert.throws(() => released.at(0), "was released")
  assert.throws(() => [...released], "was released")
  assert.throws(() => ColumnTable.slice(released, 0, 1), "within the scope")
  assert.throws(() => ColumnTable.encode(released), "was released")
})

pooled("leaves columns that were taken out of a table without elements, and never with another's", function*(pool) {
  const bid = yield* Effect.scoped(Effect.map(chain(pool, 8), ({ bid }) => bid))
  yield* Effect.scoped(chain(pool, 8))
  assert.strictEqual(bid.length, 0)
  assert.isUndefined(bid[0])
})

pooled("keeps what was copied out of a table", function*(pool) {
  const kept = yield* Effect.scoped(Effect.map(chain(pool, 8), (chain) => ColumnTable.pick(chain, [1, 0])))
  yield* Effect.scoped(chain(pool, 8))
  assert.deepStrictEqual([...kept.side], [1, 0])
})

pooled("fails as decode does, and has its buffer back", function*(pool) {
  const size = yield* Effect.scoped(Effect.map(chain(pool, 40), (chain) => chain.bid.buffer.byteLength))
  const failed = yield* Effect.exit(Effect.scoped(
    BufferPool.decode(pool, (recycled) => OptionChain.decode(`{"s":"ok","strike":[1,`, { recycled }))
  ))
  assert.isTrue(Exit.isFailure(failed))
  assert.strictEqual(pool.take()?.byteLength, size)
})

pooled("closes its scope where the table was sent to a worker, and takes its buffer for none", function*(pool) {
  const buffer = yield* Effect.scoped(Effect.map(chain(pool, 8), (chain) => {
    const packed = ColumnTable.pack(chain)
    structuredClone(packed, { transfer: ColumnTable.buffers(packed) })
    return chain.bid.buffer
  }))
  assert.isUndefined(pool.take())
  const none = OptionChain.decode(`{"s":"ok","strike":[]}`, { columns: ["strike"], recycled: buffer })
  assert.strictEqual(Result.getOrThrow(none).length, 0)
})

it("keeps as many buffers as it may, the largest", () => {
  const pool = BufferPool.make({ capacity: 2 })
  for (const size of [8, 32, 0, 16]) pool.give(new ArrayBuffer(size))
  const sizes = [pool.take(), pool.take(), pool.take()].map((buffer) => buffer?.byteLength)
  assert.deepStrictEqual(sizes, [32, 16, undefined])
})
