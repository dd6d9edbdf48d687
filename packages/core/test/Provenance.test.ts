import * as Provenance from "@effect-marketdata/core/Provenance"
import { assert, describe, it } from "@effect/vitest"

const unknown = { requestedMode: undefined, sentMode: undefined, updated: undefined, requestId: undefined }
const provenance: Provenance.Provenance = { ...unknown, status: 200, source: "provider", receivedAt: 1_795_208_400 }

describe("merge", () => {
  it("leaves the only one as it is", () => assert.strictEqual(Provenance.merge(provenance), provenance))

  it("[8.1-batches] is from the cache where any request was answered from there, and tells the latest of the rest", () => {
    const cached = { ...provenance, status: 203, source: "cache", sentMode: "cached", requestId: "one" } as const
    const updated = { oldest: 100, newest: 200 }
    const receivedAt = provenance.receivedAt + 5
    const live = { ...provenance, sentMode: "live", updated, receivedAt, requestId: "two" } as const
    const merged = { ...live, status: 203, source: "cache", sentMode: "cached" } as const
    assert.deepStrictEqual(Provenance.merge(cached, live), merged)
    assert.deepStrictEqual(Provenance.merge(live, cached), { ...merged, requestId: "one" })
  })

  it("is local where any answer was, and as old as the oldest", () => {
    const [young, old] = [Provenance.local(provenance, 5), Provenance.local(provenance, 70)]
    const cached = { ...provenance, status: 203, source: "cache" } as const
    for (const [one, other] of [[young, old], [old, young], [old, provenance], [cached, old]] as const) {
      assert.deepInclude(Provenance.merge(one, other), { source: "local", age: 70 })
    }
  })

  it("spans the quotes of all", () => {
    const updated = (oldest: number, newest: number) => ({ ...provenance, updated: { oldest, newest } })
    const merged = Provenance.merge(updated(4, 7), provenance, updated(3, 9), updated(5, 8))
    assert.deepStrictEqual(merged.updated, { oldest: 3, newest: 9 })
  })

  it("says of a kept reply what the service said then", () => {
    const local = Provenance.local({ ...provenance, status: 203, source: "cache", sentMode: "cached" }, 61)
    const told = "kept for 61 s from the service's cache (status 203), asked as cached"
    assert.strictEqual(Provenance.format(local), told)
  })

  it("tells live data after a cached miss from a cached hit", () => {
    const live = Provenance.format({ ...provenance, requestedMode: "CachedOrLive", sentMode: "live" })
    assert.strictEqual(live, "the upstream provider (status 200), asked as live after a cached miss")
    const cached = { status: 203, source: "cache", requestedMode: "CachedOrLive", sentMode: "cached" } as const
    const told = "the service's cache (status 203), asked as cached"
    assert.strictEqual(Provenance.format({ ...provenance, ...cached }), told)
  })
})
