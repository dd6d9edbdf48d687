/**
 * Buffers that are used again. A program that decodes chain after chain, and keeps none of them, needs no new memory for each.
 *
 * A table that was decoded with a pool belongs to a scope. When the scope closes, the buffer goes to the next table, and every later use
 * of the old table throws.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as BufferPool from "@effect-marketdata/core/BufferPool"
 * import * as Effect from "effect/Effect"
 *
 * const pool = BufferPool.make()
 * const strikes = BufferPool.decode(pool, (recycled) =>
 *   OptionChain.decode(`{"s":"ok","strike":[150,155]}`, { columns: ["strike"], recycled })
 * )
 * Effect.runSync(Effect.scoped(Effect.map(strikes, (chain) => chain.strike[1]))) // => 155
 * ```
 *
 * The client does the same with `MarketData.pooled`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Problem from "../text/Problem.ts"
import * as TableContent from "./tableContent.ts"

/**
 * A pool: a few buffers that wait for another table.
 *
 * @category models
 * @since 0.1.0
 */
export interface BufferPool {
  /** Takes the largest buffer that waits, if there is one. */
  readonly take: () => ArrayBuffer | undefined
  /** Gives a buffer to the pool. Every view of it is empty from then on. */
  readonly give: (buffer: ArrayBuffer) => void
}

const known = /* @__PURE__ */ Problem.guard("pool", "BufferPool.make()", { take: String, give: String })

/**
 * Creates a pool that keeps at most `capacity` buffers; four by default.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: { readonly capacity?: number } = {}): BufferPool => {
  const { capacity = 4 } = options ?? {}
  // With NaN it would keep all.
  Problem.expect(Number.isSafeInteger(capacity) && capacity >= 0, "capacity", capacity, "a number of buffers", "4")
  const waiting: Array<ArrayBuffer> = []
  return {
    take: () => waiting.pop(),
    give: (buffer) => {
      // One that a worker got in the meantime is gone, and cannot be transferred again.
      if (buffer.byteLength === 0) return
      // A transfer leaves every view of the old buffer without elements: nobody reads what the next table writes.
      waiting.push(structuredClone(buffer, { transfer: [buffer] }))
      waiting.sort((a, b) => a.byteLength - b.byteLength)
      if (waiting.length > capacity) waiting.shift()
    }
  }
}

/**
 * Decodes a table into a buffer of the pool, for as long as the scope is open. `decode` gets the buffer and passes it to the decoder as
 * `recycled`. Fails with the error of `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Table extends object, E>(
  pool: BufferPool,
  decode: (recycled: ArrayBuffer | undefined) => Result.Result<Table, E>
): Effect.Effect<Table, E, Scope.Scope> =>
  Effect.uninterruptible(
    Effect.suspend(() => {
      const recycled = known(pool).take()
      const decoded = decode(recycled)
      if (Result.isFailure(decoded) && recycled !== undefined) pool.give(recycled)
      return Effect.flatMap(Effect.fromResult(decoded), (table) => lend(pool, table))
    })
  )

/**
 * Lends a table for as long as the scope is open. When it closes, the memory goes to the pool: the table, and every column taken from it, can no
 * longer be used. No other code may use its memory. A value that is not a table is returned unchanged.
 *
 * @see {@link decode} which takes the memory out of the pool
 * @category combinators
 * @since 0.1.0
 */
export const lend = <Data>(pool: BufferPool, data: Data): Effect.Effect<Data, never, Scope.Scope> =>
  TableContent.isTable(data)
    ? Effect.acquireRelease(
      Effect.sync(() => {
        known(pool)
        return loanOf(data)
      }),
      (lent) => Effect.sync(() => release(lent).forEach(pool.give))
    )
    : Effect.succeed(data)

const released = /* @__PURE__ */ new WeakSet<object>()

/**
 * Returns the table for a while: it is the same to its users, but once it is released it throws at any use, columns included.
 */
const loanOf = <Table extends object>(table: Table): Table => {
  const read = (key: PropertyKey): unknown => {
    if (!released.has(lent)) return Reflect.get(table, key)
    throw new TypeError(
      "this table was released when its scope closed, and its memory belongs to another: use it inside the scope, " +
        "or keep rows of it with ColumnTable.pick"
    )
  }
  const own = Reflect.ownKeys(table).map((key) => [key, { enumerable: true, get: () => read(key) }] as const)
  const lent: Table = Object.create(null, Object.fromEntries(own))
  TableContent.remember(lent, TableContent.of(table))
  return Object.freeze(lent)
}

/** Ends the loan, and returns the buffers in which the table lay. */
const release = (lent: object): ReadonlyArray<ArrayBuffer> => {
  const { content, spec } = TableContent.of(lent)
  const buffers = TableContent.buffers(TableContent.pack(spec, content))
  released.add(lent)
  TableContent.forget(lent)
  return buffers
}
