import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { plain } from "./support/picture.ts"
import { atNoon, type Place } from "./support/printed.ts"

/** What of a line is printed and what is paged, on a terminal of 24 lines. */
const shown = async (line: string, place: Place = {}) => {
  const paged: Array<string> = []
  const { out } = await atNoon(line.split(" "), {
    isTerminal: "output",
    rows: Effect.succeed(24),
    paged,
    variables: { TERM: "xterm" },
    ...place
  })
  return { out, paged: paged.join("") }
}

const all = "chain AAPL --mode cached --all"

it("is shown by the pager, and not printed", async () => {
  const { out, paged } = await shown(all)
  assert.strictEqual(out, "")
  assert.include(paged, "AAPL: 1,568 contracts")
  assert.isAbove(paged.split("\n").length, 800)
  const { out: printed } = await shown(all, { isTerminal: false })
  assert.strictEqual(plain(paged), printed)
})

it("is printed where it is for a pipe, for a program, or for a terminal that cannot scroll, and where no pager is wanted", async () => {
  const cases = [
    [all, { isTerminal: false }],
    [all, { variables: { TERM: "dumb" } }],
    [`${all} --no-pager`, {}],
    [`${all} --json`, {}],
    [`${all} --format csv`, {}],
    ["chain AAPL --mode cached", {}]
  ] as ReadonlyArray<readonly [string, Place]>
  for (const [line, place] of cases) {
    const { out, paged } = await shown(line, place)
    assert.strictEqual(paged, "", line)
    assert.include(out, "AAPL", line)
  }
})
