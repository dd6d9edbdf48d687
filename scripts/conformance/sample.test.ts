import { assert, describe, it } from "@effect/vitest"
import * as Sample from "./sample.ts"

const items = Array.from({ length: 95 }, (_, index) => `fault ${index}`)

const tenth = (seed: string, of = items) => Sample.tenth(of, seed, (item) => item)

describe("Sample", () => {
  describe("tenth", () => {
    it("gives the same seed the same items, in whatever order they come", () => {
      assert.deepStrictEqual(tenth("a"), tenth("a"))
      assert.sameMembers([...tenth("a", items.toReversed())], [...tenth("a")])
    })

    it("gives other seeds other items", () => assert.notDeepEqual(tenth("a"), tenth("b")))

    it("rounds up, and keeps the order", () => {
      const chosen = tenth("a")
      assert.lengthOf(chosen, 10)
      assert.deepStrictEqual(chosen, items.filter((item) => chosen.includes(item)))
      assert.lengthOf(tenth("a", ["only"]), 1)
      assert.lengthOf(tenth("a", []), 0)
    })
  })
})
