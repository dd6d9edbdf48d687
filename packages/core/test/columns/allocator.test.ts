import { OptionChain, TableMemory } from "@effect-marketdata/core"
import { assert, it, vi } from "@effect/vitest"
import * as Result from "effect/Result"
import { once } from "node:events"
import { Worker } from "node:worker_threads"

type Module = typeof TableMemory & { readonly allocate: (size: number) => ArrayBuffer }

let modules = 0

/** The module as a process finds it that has decoded nothing yet: under an address that nobody has imported. */
const fresh = (): Promise<Module> => {
  const address = `../../src/columns/TableMemory.ts?fresh=${modules++}`
  return import(address)
}

it("asks for a large block once, and gives it back at once", async () => {
  const { keepFreed } = await fresh()
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

it.each<[says: string, block: () => object]>([
  ["leaves the block to the collector where it cannot be freed by hand", () => ({})],
  ["does without where so much memory cannot be had", () => {
    throw new RangeError("Array buffer allocation failed")
  }]
])("%s", async (_, block) => {
  const { keepFreed } = await fresh()
  vi.stubGlobal("ArrayBuffer", function() {
    return block()
  })
  keepFreed()
  vi.unstubAllGlobals()
})

for (const [said, blocks] of [[undefined, 1], [false, 0], [true, 1]] as const) {
  it(`asks once a client has suggested an allocator, with the first large table; told ${said}, ${blocks} times`, async () => {
    const { allocate, keepFreed, useByDefault } = await fresh()
    const { buffer } = Buffer.allocUnsafeSlow(1_000_000)
    const asked: Array<number> = []
    const block = function(size: number): void {
      asked.push(size)
    }
    vi.stubGlobal("ArrayBuffer", Object.defineProperty(block, Symbol.hasInstance, { value: () => true }))
    useByDefault(() => buffer)
    if (said !== undefined) keepFreed(said)
    useByDefault(() => buffer)
    const before = asked.length
    const tables = [allocate(1_000_000), allocate(1_000_000)]
    vi.unstubAllGlobals()
    assert.strictEqual(before, said === true ? 1 : 0)
    assert.isTrue(tables.every((table) => table === buffer))
    assert.strictEqual(asked.length, blocks)
  })
}

it.each([[100, 0], [10_000, 1]])(
  "asks with a table of %s rows, which is copied out of the kernel, %s times",
  async (rows, blocks) => {
    const worker = new Worker(new URL("../support/keepsFreed.ts", import.meta.url), {
      execArgv: ["--conditions=@effect-marketdata/source"],
      workerData: { rows }
    })
    assert.deepStrictEqual(await once(worker, "message"), [blocks])
    await worker.terminate()
  }
)

it("keeps for the next table no memory of one that somebody still has", () => {
  const table = (strike: number) => {
    const list = Array.from({ length: 100_000 }, (_, row) => strike + row)
    const body = JSON.stringify({ s: "ok", strike: list, bid: list })
    return Result.getOrThrow(OptionChain.decode(body, { columns: ["strike", "bid"] }))
  }
  TableMemory.useByDefault((size) => Buffer.allocUnsafeSlow(size).buffer)
  // Of some, only a view of a column is left.
  const kept = Array.from({ length: 12 }, (_, at) => table(at * 1000)).map(({ strike }, at) =>
    at % 2 === 0 ? strike : strike.subarray(50_000)
  )
  for (let at = 0; at < 24; at++) table(-1 - at)
  kept.forEach((column, at) => {
    const first = at * 1000 + (at % 2 === 0 ? 0 : 50_000)
    assert.isTrue(column.every((value, row) => value === first + row))
  })
})
