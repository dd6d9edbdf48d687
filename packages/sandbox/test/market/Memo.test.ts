import { assert, it } from "@effect/vitest"
import * as Memo from "../../src/market/memo.ts"

const counting = (capacity: number) => {
  const asked: Array<number> = []
  const half = Memo.recent(capacity, (value: number) => value, (value) => {
    asked.push(value)
    return value % 2 === 0 ? value / 2 : undefined
  })
  return { asked, half }
}

it("recent forgets what was not asked for the longest", () => {
  const { asked, half } = counting(2)
  for (const value of [1, 2, 1, 3, 1, 2]) half(value)
  assert.deepStrictEqual(asked, [1, 2, 3, 2])
})
