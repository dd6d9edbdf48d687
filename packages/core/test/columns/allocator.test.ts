import { assert, describe, it, vi } from "@effect/vitest"

/** The module as a process finds it that has decoded nothing yet. */
const fresh = async (): Promise<() => void> => {
  vi.resetModules()
  return (await import("@effect-marketdata/core/TableMemory")).keepFreed
}

describe("allocator", () => {
  it("asks for a large block once, and gives it back at once", async () => {
    const keepFreed = await fresh()
    const freed: Array<number> = []
    const asked: Array<number> = []
    vi.stubGlobal("ArrayBuffer", function(size: number) {
      asked.push(size)
      return { transfer: (size: number) => freed.push(size) }
    })
    keepFreed()
    keepFreed()
    vi.unstubAllGlobals()
    assert.deepStrictEqual(asked, [31 * 1024 * 1024])
    assert.deepStrictEqual(freed, [0])
  })

  it("leaves the block to the collector where it cannot be freed by hand", async () => {
    const keepFreed = await fresh()
    vi.stubGlobal("ArrayBuffer", function() {
      return {}
    })
    keepFreed()
    vi.unstubAllGlobals()
  })

  it("does without where so much memory cannot be had", async () => {
    const keepFreed = await fresh()
    vi.stubGlobal("ArrayBuffer", function() {
      throw new RangeError("Array buffer allocation failed")
    })
    keepFreed()
    vi.unstubAllGlobals()
  })
})
