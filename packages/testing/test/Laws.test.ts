import * as Laws from "@effect-marketdata/testing/Laws"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

/** The ids of all clauses, from their page. */
const clauses = new Set(
  readFileSync(new URL("../../../docs/conformance/clauses.md", import.meta.url), "utf8").match(
    /\d{1,2}(?:\.\d+)?-[a-z0-9-]+/g
  )
)

const runs = Math.min(200, Number(process.env["LAW_TRIALS"] ?? 200))

describe("Laws", () => {
  describe("all", () => {
    it("names each law once, by a clause that there is", () => {
      assert.strictEqual(new Set(Laws.all.map(({ name }) => name)).size, Laws.all.length)
      for (const law of Laws.all) {
        assert.deepStrictEqual(law.clauses.filter((id) => !clauses.has(id)), [], law.name)
      }
    })

    for (const law of Laws.all) it(law.name, () => Laws.check(law, { runs, seed: 20_261_121 }))
  })
})
