/** What a test may cost at the depth of `npm test`. Counted in the sources and not in seconds: a count is the same on every machine. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Node, parseSync, Visitor } from "oxc-parser"
import { testTimeout } from "../../packages/core/test/support/depth.ts"
import * as Clause from "../conformance/clause.ts"
import type { Rule } from "./rule.ts"

/** How often one law may be tried by default where it names no number of its own, and all that one file tries together. */
const [law, share] = [100, 5000]

/** Files that may try more. Each use counts once, where it is written: what repeats it is not known here. */
const larger: ReadonlyMap<string, number> = new Map([
  // A run of the decoder is a number of some digits, a microsecond: what is rare among them is found by their count alone.
  ["packages/core/test/columns/differential.test.ts", 60_000]
])

/** What a number comes to at default depth: a literal, or the second argument of `runs(full, byDefault)`. */
const byDefault = (node: Node | undefined): number | undefined => {
  if (node?.type === "Literal") return typeof node.value === "number" ? node.value : undefined
  if (node?.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined
  if (node.callee.name === "trials") return law
  if (node.callee.name !== "runs") return undefined
  const [full, own] = node.arguments
  return own === undefined ? Math.min(byDefault(full) ?? law, law) : byDefault(own)
}

/** The name at the root of a call: `it` of `it.effect.each(table)(…)`. */
const rootOf = (node: Node): string => {
  if (node.type === "MemberExpression") return rootOf(node.object)
  if (node.type === "CallExpression") return rootOf(node.callee)
  return nameOf(node)
}

const nameOf = (node: Node): string => node.type === "Identifier" ? node.name : ""

/** The numbers and the options that a test is called with: its timeout is among them. */
const timeouts = (given: Node): ReadonlyArray<Node> =>
  given.type === "ObjectExpression"
    ? given.properties.flatMap((own) => own.type === "Property" && nameOf(own.key) === "timeout" ? [own.value] : [])
    : [given]

/** What a test file does that `npm test` cannot afford, with its line. */
export const inspect = (file: string, source: string): ReadonlyArray<string> => {
  const isFull = file.endsWith(".full.test.ts")
  const problems: Array<string> = []
  const say = (at: number, what: string) => problems.push(`${file}:${source.slice(0, at).split("\n").length} ${what}`)
  const uses: Array<{ readonly at: number; readonly count: number }> = []
  new Visitor({
    Property({ key, start, value }) {
      if (nameOf(key) !== "numRuns" || value.type !== "Literal") return
      const count = byDefault(value) ?? 0
      uses.push({ at: start, count })
      if (count > law) say(start, `numRuns: at most ${law} at every depth: write runs(${count}), of depth.ts`)
    },
    CallExpression(node) {
      if (["runs", "trials"].includes(nameOf(node.callee))) uses.push({ at: node.start, count: byDefault(node) ?? 0 })
      if (!["it", "test", "describe"].includes(rootOf(node.callee))) return
      const [title, ...given] = node.arguments
      const isNamed = title?.type === "Literal" || title?.type === "TemplateLiteral"
      const ids = isFull && isNamed ? Clause.idsIn(source.slice(title.start, title.end)) : []
      if (ids.length > 0) {
        say(node.start, `full: npm test must prove ${ids.join(" and ")}: move the test out of *.full.test.ts`)
      }
      const late = isFull ? undefined : given.flatMap(timeouts).find((own) => (byDefault(own) ?? 0) > testTimeout)
      if (late !== undefined) {
        say(late.start, `timeout: at most ${testTimeout}: make the test smaller, or move it to *.full.test.ts`)
      }
    }
  }).visit(parseSync(file, source).program)
  const total = uses.reduce((sum, { count }) => sum + count, 0)
  const most = larger.get(file) ?? share
  const [dearest] = uses.toSorted((a, b) => b.count - a.count)
  if (dearest !== undefined && total > most && !isFull) {
    say(
      dearest.at,
      `runs: ${total} by default, of ${most} in a file: give runs(full, byDefault) a smaller second number`
    )
  }
  return problems
}

export const tests: Rule = {
  why: "A suite of minutes is run once an hour, and one of a minute before every commit.",
  run: (root) =>
    Promise.resolve({
      problems: globSync(["packages/*/test/**/*.ts", "scripts/**/*.test.ts"], { cwd: root }).toSorted()
        .map((file) => file.replaceAll("\\", "/"))
        .flatMap((file) => inspect(file, readFileSync(join(root, file), "utf8")))
    })
}
