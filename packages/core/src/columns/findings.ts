import { type Finding, maxExamples } from "./Finding.ts"

/** Findings about a number of rows. */
interface Rows {
  readonly length: number
  readonly findings: ReadonlyArray<Finding>
}

/** Counts findings of several tables together, kind by kind and column by column; the rows of their examples are those of the whole. */
export const merge = (tables: ReadonlyArray<Rows>): ReadonlyArray<Finding> => {
  const merged = new Map<string, Finding>()
  let offset = 0
  for (const { findings, length } of tables) {
    for (const finding of findings) {
      const key = `${finding.code} ${finding.column}`
      const before = merged.get(key)
      const examples = finding.examples.map((example) =>
        example.index === undefined ? example : { ...example, index: example.index + offset }
      )
      merged.set(key, {
        ...finding,
        count: (before?.count ?? 0) + finding.count,
        examples: [...(before?.examples ?? []), ...examples].slice(0, maxExamples)
      })
    }
    offset += length
  }
  return [...merged.values()]
}
