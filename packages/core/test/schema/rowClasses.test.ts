import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as RowClasses from "../support/rowClasses.ts"

const src = join(import.meta.dirname, "../../src")
const read = (path: string): string => readFileSync(join(src, path), "utf8")

/** What comes of the sources with some text in place of another. */
const changed = (text: string, other: string) => RowClasses.rowClasses((path) => read(path).replace(text, other))

const laidOut = (text: string): string => text.replaceAll(/\s/g, "")

it("are what the comments at the columns say", () => {
  const { meanings, problems, text } = RowClasses.rowClasses(read)
  assert.deepStrictEqual(problems, [])
  assert.strictEqual(laidOut(text), laidOut(read(RowClasses.paths.rows)))
  assert.strictEqual(laidOut(meanings), laidOut(read(RowClasses.paths.meanings)))
})

it("cannot be written where a column means nothing", () => {
  const expected = ["optionChain", "optionQuote"].map((name) =>
    `the column strike of ${name} has no comment of one line that says what it means`
  )
  assert.deepStrictEqual(changed("  /** The strike, in dollars. */\n", "").problems, expected)
})

it("cannot be written where nothing is said of a row", () => {
  assert.deepStrictEqual(changed("One article, as a view:", "An article:").problems, [
    `the row of stockNews has no comment that says what one is: "One article, as a view: …"`
  ])
})

it("change with a comment", () => {
  const { meanings } = changed("/** The strike, in dollars. */", "/** The strike, in cents. */")
  assert.include(meanings, "strike: \"The strike, in cents.\"")
})
