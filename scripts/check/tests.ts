/**
 * Checks how often a test file tries its laws by default, and the clauses that it names: they must exist, and a file that `npm test` skips must name none.
 * Runs are counted in the sources, because seconds differ between machines.
 */
import * as Clause from "../conformance/clause.ts"
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"

/** The runs of a law that names no number, and the most that all laws of a file may have together, by default. */
const [law, share] = [100, 5000]

/** Files that may try more. Each use counts once, where it is written: what repeats it is not known here. */
const larger: ReadonlyMap<string, number> = new Map([
  // A run here reads one number, which takes a microsecond; rare cases need many of them.
  ["packages/core/test/columns/differential.test.ts", 60_000]
])

/** `runs(full, byDefault)`, `trials(seed)`, or a number at every depth. */
const use = /\b(?:runs\(\s*(?<full>[^(),]+?)\s*(?:,\s*(?<own>[\d_]+)\s*)?\)|trials\(|numRuns: (?<always>[\d_]+))/g

const numberOf = (text = ""): number => Number(text.replaceAll("_", ""))

/** What a test file tries more often than `npm test` can afford. */
const excess = (file: string, source: string): ReadonlyArray<string> => {
  if (file.endsWith(".full.test.ts")) return []
  const counts = Array.from(
    source.matchAll(use),
    ({ groups: { always, full, own } = {} }) => numberOf(always ?? own) || Math.min(numberOf(full) || law, law)
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  const most = larger.get(file) ?? share
  return total <= most
    ? []
    : [`${file} tries ${total} by default, of ${most} in a file: give runs(full, byDefault) a smaller second number`]
}

/** What is wrong with the clauses that a test file names in square brackets. */
const misnamed = (file: string, source: string, clauses: ReadonlySet<string>): ReadonlyArray<string> =>
  // A class of characters in a pattern is not an id.
  Clause.idsIn(source).filter((id) => !/^\d-\d(?:a-f)?$/.test(id)).flatMap((id) => {
    const unknown =
      `names the clause [${id}], and ${Clause.path} has none of that id: correct it, or leave the brackets out`
    const skipped = `proves ${id}, as npm test must: move it out of *.full.test.ts`
    return [...clauses.has(id) ? [] : [unknown], ...file.endsWith(".full.test.ts") ? [skipped] : []]
  }).map((problem) => `${file} ${problem}`)

export const tests: Rule = {
  why: "A suite of minutes is run once an hour, and one of a minute before every commit.",
  run: async (root) => {
    const clauses = new Set(Clause.read(root).map(({ id }) => id))
    return {
      problems: Files.found(root, "packages/*/test/**/*.ts").flatMap((file) => {
        const source = Files.text(root, file)
        return [...excess(file, source), ...misnamed(file, source, clauses)]
      })
    }
  }
}
