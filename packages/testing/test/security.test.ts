/** Every threat of docs/security.md names what guards it, and that is there. */
import { assert, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

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

const checks = readFileSync(join(root, "scripts/check.ts"), "utf8")
const rules = Array.from(checks.matchAll(/^ {2}(\w+): async/gm), ([, name]) => `npm run check -- ${name}`)

/** The programs that continuous integration runs. */
const lines = readFileSync(join(root, ".ci/run"), "utf8").matchAll(/^ *(?:within \d+ )?(npm run \w+) /gm)
const programs = Array.from(lines, ([, name]) => name)

const isThere = (guard: string): boolean =>
  rules.includes(guard) || programs.includes(guard) ||
  (/\.(?:test\.ts|md)$/.test(guard) && existsSync(join(root, guard)))

/** What is wrong with a page of threats. */
const problems = (page: string): ReadonlyArray<string> =>
  rowsOf(page).flatMap(([threat = "", , guard = ""], row) => {
    const guards = guardsOf(guard)
    if (guards.length === 0) return guard === "the same" && row > 0 ? [] : [`nothing guards against: ${threat}`]
    return guards.filter((one) => !isThere(one)).map((one) => `${one} is not there, to guard against: ${threat}`)
  })

it("names a test or a rule that exists for every threat", () => {
  const page = readFileSync(join(root, "docs/security.md"), "utf8")
  assert.isAbove(rowsOf(page).length, 30)
  assert.deepStrictEqual(problems(page), [])
})

it.each([
  ["", 1],
  ["the same", 1],
  ["`packages/core/test/{Reason,Dam}.test.ts`", 1],
  ["`npm run check -- dams`", 1],
  ["`packages/core/src/reason/Reason.ts`", 1],
  ["`npm run check -- secrets`, [sizes](benchmarks.md)", 0]
])("would be told of the guard %s", (guard, count) => {
  assert.lengthOf(problems(`| threat | what | guarded by |\n| - | - | - |\n| a flood | a dam | ${guard} |`), count)
})
