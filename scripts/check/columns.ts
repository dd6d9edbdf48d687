/** Generates the classes of rows, and the meanings of columns that files carry, from the comments at the columns. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as RowClasses from "../../packages/core/test/support/rowClasses.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

const src = "packages/core/src"

export const columns: Rule = {
  why: "A column says once what it means, in a comment: who reads its row as data is told the same.",
  run: async (root, write = false) => {
    const { meanings, problems, text } = RowClasses.rowClasses((path) => readFileSync(join(root, src, path), "utf8"))
    if (problems.length > 0) return { problems }
    const place = { root, rule: "columns", write }
    return {
      problems: [
        ...Written.file({ ...place, path: `${src}/${RowClasses.paths.rows}` }, text),
        ...Written.file({ ...place, path: `${src}/${RowClasses.paths.meanings}` }, meanings)
      ]
    }
  }
}
