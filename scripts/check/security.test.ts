/** Every threat of docs/security.md names what guards it, and that is there. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** The rows of all tables of threats, by their cells. */
const rowsOf = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  page.split("\n").filter((line) => /^\| (?!threat |-)/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))

/** The names of tests and rules in a cell; `{a,b}` stands for both. */
const guardsOf = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`|\]\(([^)]+)\)/g)].flatMap(([, code, link]) => {
    const name = code ?? `docs/${link?.replace(/#.*/, "")}`
    const [whole, names] = /\{(.*)\}/.exec(name) ?? []
    return whole === undefined || names === undefined ? [name] : names.split(",").map((one) => name.replace(whole, one))
  })

const rules: ReadonlyArray<string> = [
  ...readFileSync(join(root, "scripts/check.ts"), "utf8").matchAll(/^ {2}(\w+): async/gm)
]
  .map(([, name = ""]) => name)

const isThere = (guard: string): boolean => {
  const rule = /^npm run check -- (\w+)$/.exec(guard)?.[1]
  return rule === undefined ? /\.(?:test\.ts|md)$/.test(guard) && existsSync(join(root, guard)) : rules.includes(rule)
}

/** What is wrong with a page of threats. */
const problems = (page: string): ReadonlyArray<string> =>
  rowsOf(page).flatMap(([threat = "", , guard = ""], row) => {
    const guards = guardsOf(guard)
    if (guards.length === 0) return guard === "the same" && row > 0 ? [] : [`nothing guards against: ${threat}`]
    return guards.filter((one) => !isThere(one)).map((one) => `${one} is not there, to guard against: ${threat}`)
  })

describe("docs/security.md", () => {
  const page = readFileSync(join(root, "docs/security.md"), "utf8")

  it("names a test or a rule that exists for every threat", () => {
    assert.isAbove(rowsOf(page).length, 30)
    assert.deepStrictEqual(problems(page), [])
  })

  it("would be told where it does not", () => {
    const row = (guard: string) =>
      problems(`| threat | what | guarded by |\n| - | - | - |\n| a flood | a dam | ${guard} |`)
    assert.deepStrictEqual(row(""), ["nothing guards against: a flood"])
    assert.deepStrictEqual(row("the same"), ["nothing guards against: a flood"])
    assert.lengthOf(row("`packages/core/test/Dam.test.ts`"), 1)
    assert.lengthOf(row("`packages/core/test/{Reason,Dam}.test.ts`"), 1)
    assert.lengthOf(row("`npm run check -- dams`"), 1)
    assert.lengthOf(row("`packages/core/src/reason/Reason.ts`"), 1)
    assert.lengthOf(row("`npm run check -- secrets`, [sizes](benchmarks.md)"), 0)
  })
})
