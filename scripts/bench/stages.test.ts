/** Here, where no other test decodes: the timers stay where they were put. */
import { assert, describe, it } from "@effect/vitest"
import { body } from "../../packages/core/test/support/chains.ts"
import { stages } from "../../packages/core/test/support/stages.ts"

const reply = (contracts: number) => new TextEncoder().encode(body(contracts))

describe("the stages of a decode", () => {
  it("all happen where the table is large, and have a floor where they read or write bytes", () => {
    const found = stages(reply(8000), 1)
    const withoutFloor = Object.entries(found).filter(([, { floor }]) => floor === 0).map(([name]) => name)
    assert.deepStrictEqual(withoutFloor, ["fresh memory", "the rest"])
    assert.isTrue(Object.values(found).every(({ milliseconds }) => milliseconds > 0))
  })

  it("are an error where one that is watched does not happen", () => {
    // The table of a few contracts is one copy of the kernel's memory.
    assert.throws(() => stages(reply(92), 1), /no stage "fresh memory" happened/)
  })
})
