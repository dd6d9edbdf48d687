/**
 * How often a test file tries its laws by default, and which clauses it names: those that there are, and none where `npm test` would not prove it.
 * Counted in the sources and not in seconds: a count is the same on every machine.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Clause from "../conformance/clause.ts"
import type { Rule } from "./rule.ts"

/** How often one law may be tried by default where it names no number of its own, and all that one file tries together. */
const [law, share] = [100, 5000]

/** Files that may try more. Each use counts once, where it is written: what repeats it is not known here. */
const larger: ReadonlyMap<string, number> = new Map([
  // A run of the decoder is a number of some digits, a microsecond: what is rare among them is found by their count alone.
  ["packages/core/test/columns/differential.test.ts", 60_000]
])

const numberOf = (text: string): number => Number(text.replaceAll("_", ""))

/** `runs(full, byDefault)`, `trials(seed)`, or a number at every depth. */
const use = /\b(?:runs\(\s*(?<full>[^(),]+?)\s*(?:,\s*(?<own>[\d_]+)\s*)?\)|trials\(|numRuns: (?<always>[\d_]+))/g

/** What a test file tries more often than `npm test` can afford, with its line. */
const inspect = (file: string, source: string): ReadonlyArray<string> => {
  const uses = Array.from(source.matchAll(use), ({ groups, index }) => ({
    line: source.slice(0, index).split("\n").length,
    count: numberOf(
      groups?.["always"] ?? groups?.["own"] ?? String(Math.min(numberOf(groups?.["full"] ?? "") || law, law))
    ),
    isAlways: groups?.["always"] !== undefined
  }))
  const total = uses.reduce((sum, { count }) => sum + count, 0)
  const [dearest] = uses.toSorted((a, b) => b.count - a.count)
  return [
    ...uses.filter(({ count, isAlways }) => isAlways && count > law)
      .map(({ count, line }) =>
        `${file}:${line} numRuns: at most ${law} at every depth: write runs(${count}), of depth.ts`
      ),
    ...dearest !== undefined && total > (larger.get(file) ?? share) && !file.endsWith(".full.test.ts")
      ? [
        `${file}:${dearest.line} runs: ${total} by default, of ${
          larger.get(file) ?? share
        } in a file: give runs(full, byDefault) a smaller second number`
      ]
      : []
  ]
}

/** What is wrong with the clauses that a test file names in square brackets. */
const misnamed = (file: string, source: string, clauses: ReadonlySet<string>): ReadonlyArray<string> =>
  // A class of characters in a pattern is no id.
  Clause.idsIn(source).filter((id) => !/^\d-\d(?:a-f)?$/.test(id)).flatMap((id) => [
    ...clauses.has(id)
      ? []
      : [
        `${file} names the clause [${id}], and ${Clause.path} has none of that id: correct it, or leave the brackets out`
      ],
    ...file.endsWith(".full.test.ts") ? [`${file} proves ${id}, as npm test must: move it out of *.full.test.ts`] : []
  ])

export const tests: Rule = {
  why: "A suite of minutes is run once an hour, and one of a minute before every commit.",
  run: async (root) => {
    const clauses = new Set(Clause.read(root).map(({ id }) => id))
    const files = globSync("packages/*/test/**/*.ts", { cwd: root }).map((file) => file.replaceAll("\\", "/"))
    return {
      problems: files.toSorted().flatMap((file) => {
        const source = readFileSync(join(root, file), "utf8")
        return [...inspect(file, source), ...misnamed(file, source, clauses)]
      })
    }
  }
}
