/** How much of all replies together a client holds, and that none of them waits for ever. */
import { MarketData, RetryPolicy } from "@effect-marketdata/client"
import * as Query from "@effect-marketdata/core/Query"
import { Clock, Effect, Exit, Fiber, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { clientOf } from "./support/clients.ts"
import { replying } from "./support/scripted.ts"

const mebibyte = 1_048_576
const pieceBytes = 65_536
const encoder = new TextEncoder()

/** A piece of a reply that is JSON so far, however many of them come: blanks, or texts of a field that nobody asked for. */
const beginning = `{"s":"ok","extra":[""`
const texts = encoder.encode(`,"${"x".repeat(pieceBytes - 3)}"`)

/** Replies of so many bytes, which are made when they are read, and what comes after those; `most` were under way at once. */
const streams = (bytes: number | ((index: number) => number), after?: () => Promise<void>) => {
  const taken = new Map<number, number>()
  let most = 0
  let cancelled = 0
  const body = (index: number) => {
    taken.set(index, 0)
    return new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const before = taken.get(index)!
        const piece = before === 0 ? encoder.encode(beginning) : texts
        if (before + piece.length > (typeof bytes === "number" ? bytes : bytes(index))) {
          if (after !== undefined) return after()
          taken.delete(index)
          return controller.close()
        }
        taken.set(index, before + piece.length)
        most = Math.max(most, [...taken.values()].reduce((sum, bytes) => sum + bytes, 0))
        controller.enqueue(piece)
      },
      cancel: () => {
        cancelled++
        taken.delete(index)
      }
    }, { highWaterMark: 0 })
  }
  const http = replying((_, index) => ({ status: 200, body: body(index) }))
  return { body, http, most: () => most, cancelled: () => cancelled }
}

const never = () => new Promise<void>(() => undefined)
const chain = MarketData.optionChain("SPX")

/** A client that asks once. */
const once = (http: Parameters<typeof clientOf>[0], options: Parameters<typeof clientOf>[1] = {}) =>
  clientOf(http, { given: RetryPolicy.layerNone, ...options })

/** A stream of some pieces. */
const streamOf = (...pieces: ReadonlyArray<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      pieces.forEach((piece) => controller.enqueue(piece))
      controller.close()
    }
  })

const reasonOf = (exit: Exit.Exit<unknown, { readonly reason: { readonly _tag: string } }>): string =>
  Exit.match(exit, {
    onSuccess: () => "success",
    onFailure: (cause) =>
      cause.reasons.map((reason) => reason._tag === "Fail" ? reason.error.reason._tag : reason._tag).join()
  })

describe("bytes in flight", () => {
  const size = fc.integer({ min: 1, max: 24 }).map((pieces) => pieces * pieceBytes)
  it.live("never pass what is stated, and each reply comes to its end", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 4 }), size, async (sizes, maxBytesInFlight) => {
          const { http, most } = streams((index) => sizes[index]!)
          const all = Effect.all(sizes.map(() => Effect.exit(chain)), { concurrency: "unbounded" })
          const exits = await Effect.runPromise(Effect.provide(all, once(http, { maxBytesInFlight })))
          // They end within a field.
          assert.deepStrictEqual(exits.map(reasonOf), sizes.map(() => "MalformedReply"))
          const largest = Math.max(...sizes)
          assert.isAtMost(most(), maxBytesInFlight + largest + sizes.length * (mebibyte + 2 * pieceBytes))
        }),
        { numRuns: runs(5, 3), seed: 1_048 }
      )
    ))

  const huge = streams(Infinity)
  const [queries, maxReplyBytes, maxBytesInFlight] = [4, 2.5 * mebibyte, mebibyte]
  it.live("of endless replies are no more than stated, and each is refused in its turn", function*() {
    const all = Array.from({ length: queries }, () => Effect.exit(chain))
    const exits = yield* Effect.all(all, { concurrency: "unbounded" })
    assert.deepStrictEqual(exits.map(reasonOf), Array(queries).fill("ReplyTooLarge"))
    assert.strictEqual(huge.cancelled(), queries)
    // What all may hold, one whole reply, and of each its share and the piece that is on its way.
    assert.isAtMost(huge.most(), maxBytesInFlight + maxReplyBytes + queries * (mebibyte + 2 * pieceBytes))
    assert.isAbove(huge.most(), maxBytesInFlight)
  }, once(huge.http, { maxReplyBytes, maxBytesInFlight }))

  const small = streams(mebibyte, never)
  it.effect("wait for nobody within their share", function*() {
    const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.forkChild(chain))
    yield* settled
    // Each was read until the next piece would have been one too many.
    assert.isAbove(small.most(), 5 * (mebibyte - pieceBytes))
    yield* Fiber.interruptAll(fibers)
  }, once(small.http, { maxBytesInFlight: 1 }))

  const whole = streams(2 * mebibyte)
  const slow = streams(2 * mebibyte, never)
  const slowLast = replying((_, index) => ({ status: 200, body: (index === 3 ? slow : whole).body(index) }))
  it.effect("make room for others when their reply is read", function*() {
    for (let before = 0; before < 3; before++) yield* Effect.exit(chain)
    yield* Effect.forkChild(chain)
    yield* settled
    assert.strictEqual(reasonOf(yield* Effect.exit(chain)), "MalformedReply")
  }, once(slowLast, { maxBytesInFlight: 5 * mebibyte }))

  const endless = streams(Infinity)
  const slowFirst = replying((_, index) => ({ status: 200, body: (index === 0 ? slow : endless).body(index) }))
  it.effect("are given back where a query is interrupted while it waits", function*() {
    const first = yield* Effect.forkChild(chain)
    yield* settled
    const second = yield* Effect.forkChild(Effect.exit(chain))
    yield* settled
    assert.isUndefined(second.pollUnsafe())
    yield* Fiber.interrupt(first)
    assert.strictEqual(reasonOf(yield* Fiber.join(second)), "ReplyTooLarge")
  }, once(slowFirst, { maxBytesInFlight: mebibyte, maxReplyBytes: 4 * mebibyte }))
})

/** A turn of the event loop. */
const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Some turns of the event loop, without any time going by. */
const settled = Effect.gen(function*() {
  for (let turns = 0; turns < 200; turns++) {
    yield* turn
    yield* TestClock.adjust(0)
  }
})

/** Asks a query that falls back to nothing. */
const asked = (query: Query.Query) =>
  Effect.flatMap(MarketData.MarketData, ({ run }) => run(query as Query.Query<unknown, undefined>))

describe("a reply that is too large", () => {
  const queries: ReadonlyArray<Query.Query> = [
    Result.getOrThrow(Query.optionLookup("AAPL 7/28/2023 200 Call")),
    Result.getOrThrow(Query.optionExpirations("AAPL")),
    Query.account,
    Result.getOrThrow(Query.stockPrices(["A"]))
  ]
  for (const query of queries) {
    const { cancelled, http, most } = streams(Infinity)
    const { maxReplyBytes } = query.endpoint
    it.live(`is refused at the limit of its endpoint: ${query.endpoint.name}`, function*() {
      const { message, reason } = yield* Effect.flip(asked(query))
      assert.deepInclude(reason, { _tag: "ReplyTooLarge", limit: maxReplyBytes, unit: "bytes", configured: false })
      assert.include(message, `${maxReplyBytes} bytes that this endpoint can have`)
      assert.strictEqual(cancelled(), 1)
      assert.isAtMost(most(), maxReplyBytes + 2 * pieceBytes)
    }, once(http))
  }

  const { body, most } = streams(Infinity)
  const announcing = replying(() => ({ status: 200, headers: { "content-length": "1048577" }, body: body(0) }))
  it.live("is not even begun where it is announced", function*() {
    const { reason } = yield* Effect.flip(MarketData.account)
    assert(reason._tag === "ReplyTooLarge")
    assert.deepStrictEqual([reason.limit, most()], [1_048_576, 0])
  }, once(announcing))

  const ones = encoder.encode(",1".repeat(pieceBytes / 2))
  const many = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(`{"s":"ok","bid":[1`)),
      pull: (controller) => controller.enqueue(ones)
    })
  it.live("has too many rows, or too many bytes", function*() {
    const { reason } = yield* Effect.flip(MarketData.optionChain("SPX", { columns: ["bid"] }))
    assert.deepInclude(reason, { _tag: "ReplyTooLarge", limit: 400_000, unit: "rows", configured: false })
  }, once(replying(() => ({ status: 200, body: many() }))))
})

describe("a reply that never pauses", () => {
  it.live("holds up nobody: the query's time runs out while it is read", function*() {
    const { reason } = yield* Effect.flip(chain)
    assert.deepInclude(reason, { _tag: "TimedOut", limit: "deadline" })
  }, clientOf(streams(Infinity).http, { given: RetryPolicy.layer({ attempts: 1, deadline: 50 }) }))

  const replies = 8
  const piece = encoder.encode(`${beginning}${",0".repeat(mebibyte)}`)
  it.live("shares its turn with all the others that are read", function*() {
    const clock = yield* Clock.Clock
    let looked = 0
    let before = 0
    let most = 0
    // Each slice of a piece is a millisecond's work.
    const slow: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
      monotonicTimeNanosUnsafe: () => BigInt(++looked) * 1_000_000n
    })
    const watch = Effect.forever(Effect.andThen(
      turn,
      Effect.sync(() => {
        most = Math.max(most, looked - before)
        before = looked
      })
    ))
    const all = Effect.all(Array.from({ length: replies }, () => Effect.exit(chain)), { concurrency: "unbounded" })
    const exits = yield* Effect.raceFirst(all, watch).pipe(Effect.provideService(Clock.Clock, slow))
    assert.deepStrictEqual(exits.map(reasonOf), Array(replies).fill("MalformedReply"))
    // The clock is read before and after each slice.
    assert.isAbove(looked, replies * 2 * piece.length / pieceBytes)
    assert.isAtMost(most, 50)
  }, once(replying(() => ({ status: 200, body: streamOf(piece) }))))

  const body = encoder.encode(`{"s":"ok","optionSymbol":["AAPL261218C00150000"],"extra":["${"x".repeat(900_000)}"]}`)
  it.live("is read on after each pause, whatever the size of its pieces", function*() {
    const { data } = yield* MarketData.optionChain("AAPL", { columns: ["optionSymbol"] })
    assert.strictEqual(data.length, 1)
  }, clientOf(replying(() => ({ status: 200, body: streamOf(body.slice(0, 5), body.slice(5)) }))))
})

it("limits are those of the endpoint's row", () => {
  for (const { columns, maxReplyBytes, maxRows, name } of Object.values(Query.endpoints)) {
    assert.isTrue(Number.isSafeInteger(maxReplyBytes) && maxReplyBytes >= mebibyte, name)
    assert.isTrue(Number.isSafeInteger(maxRows) && maxRows >= 1, name)
    // All rows with all columns fit, at the fewest bytes that a value and its comma take.
    assert.isAtLeast(maxReplyBytes, maxRows * columns.length * 2, name)
  }
  assert.strictEqual(Result.getOrThrow(Query.optionChain("SPX")).endpoint.maxReplyBytes, 128 * mebibyte)
})
