import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { messages } from "./messages.ts"

const empty = ["reasons", "rules", "values"].map((name) => `<!-- ${name} -->\n<!-- /${name} -->\n`).join("")

describe("messages", () => {
  it("are missed on a page that is out of date, and written on one that has the places", () =>
    TemporaryRepository.withFiles({ "docs/guide/errors.md": empty }, async (root) => {
      assert.match((await messages.run(root)).problems.join(), /out of date: `npm run check -- messages --write`/)
      assert.deepStrictEqual((await messages.run(root, true)).problems, [])
      assert.deepStrictEqual((await messages.run(root)).problems, [])
      assert.include(readFileSync(join(root, "docs/guide/errors.md"), "utf8"), "it looks like a ticker")
    }))

  it("have no place on a page without the marks", () =>
    TemporaryRepository.withFiles({ "docs/guide/errors.md": "# E\n" }, async (root) => {
      assert.strictEqual((await messages.run(root)).problems.length, 3)
    }))
})
