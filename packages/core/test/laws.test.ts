/**
 * The laws that `testing` has for users, held against core itself, under the clauses that they prove. What one of them says is not said a second time
 * in the tests of a module.
 */
import { BillLaws, Laws } from "@effect-marketdata/testing"
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Depth from "./support/depth.ts"

/** The ids of all clauses, from their page. */
const listed = readFileSync(new URL("../../../docs/conformance/clauses.md", import.meta.url), "utf8")
const clauses = new Set(listed.match(/\d{1,2}(?:\.\d+)?-[a-z0-9-]+/g))

/** How often a law is tried. For the laws of bills a sandbox works out a chain or years of candles each time. */
const runsOf = (law: (typeof Laws.all)[number]): number =>
  BillLaws.all.includes(law) ? Depth.runs(60, 10) : Depth.runs(300, 50)

it("name each law once, by a clause that there is", () => {
  assert.strictEqual(new Set(Laws.all.map(({ name }) => name)).size, Laws.all.length)
  for (const law of Laws.all) assert.deepStrictEqual(law.clauses.filter((id) => !clauses.has(id)), [], law.name)
})

for (const law of Laws.all) {
  const proves = [...new Set(law.clauses)].map((id) => `[${id}] `).join("")
  it(`${proves}${law.name}`, () => Laws.check(law, { runs: runsOf(law), seed: 20_261_121 }))
}
