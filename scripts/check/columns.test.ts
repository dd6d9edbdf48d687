import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Script from "../shared/script.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { columns } from "./columns.ts"

const files = Object.fromEntries(
  globSync(["packages/core/src/{endpoints,chain}/*.ts", "packages/core/src/schema/rows.ts"], { cwd: Script.root })
    .map((path) => [path, readFileSync(join(Script.root, path), "utf8")])
)

/** What the rule finds in this repository with some of its texts changed. */
const problemsWith = (change: (text: string) => string, write = false) =>
  TemporaryRepository.withFiles(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, change(text)])),
    async (root) => {
      if (write) await columns.run(root, true)
      return (await columns.run(root, false)).problems
    }
  )

describe("columns", () => {
  it("holds in this repository", async () => {
    assert.deepStrictEqual(await problemsWith((text) => text), [])
  })

  it("finds a column that means nothing", async () => {
    const problems = await problemsWith((text) => text.replace("  /** The strike, in dollars. */\n", ""))
    assert.deepStrictEqual(
      problems,
      ["optionChain", "optionQuote"].map((name) =>
        `the column strike of ${name} has no comment of one line that says what it means`
      )
    )
  })

  it("finds a row that nothing is said of", async () => {
    const problems = await problemsWith((text) => text.replace("One article, as a view:", "An article:"))
    assert.deepStrictEqual(problems, [
      `the row of stockNews has no comment that says what one is: "One article, as a view: …"`
    ])
  })

  it("finds a comment that was changed alone, and writes it where it is asked to", async () => {
    const change = (text: string) => text.replace("/** The strike, in dollars. */", "/** The strike, in cents. */")
    assert.match((await problemsWith(change))[0] ?? "", /rows.ts is out of date/)
    assert.deepStrictEqual(await problemsWith(change, true), [])
  })
})
