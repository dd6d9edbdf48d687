import * as Profile from "@effect-marketdata/core/Profile"
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const rows: ReadonlyArray<readonly [string, Profile.Row]> = Object.entries(Profile.table)

it("takes the contract's side where nobody says otherwise", () => {
  const modes = ([Profile.defaultProfile, "public"] as const).map((name) => Profile.get(name, "freeDefaultMode"))
  assert.deepStrictEqual([Profile.defaultProfile, ...modes], ["contract", "delayed", "historical"])
})

it("has rows only where the two sides differ", () => {
  for (const [name, row] of rows) assert.notDeepEqual(row.contract, row.public, name)
})

it("names for each row what it is about, and clauses that exist or the silence of the contract", () => {
  const clauses = readFileSync(new URL("../../../docs/conformance/clauses.md", import.meta.url), "utf8")
  for (const [name, { source, what }] of rows) {
    assert.isAbove(what.length, 10, name)
    assert.match(source, /^(clauses? \d|contract \d)/, name)
    for (const [id] of source.matchAll(/\b\d(?:\.\d)?-[\w-]+/g)) assert.include(clauses, `| ${id} |`, name)
  }
})
