/** What the columns of tables mean, as data: the class of a row is written from the comments that stand at the columns. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as RowClasses from "../../packages/core/test/support/rowClasses.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

const src = "packages/core/src"

export const columns: Rule = {
  why: "A column says once what it means, in a comment: who reads its row as data is told the same.",
  run: async (root, write = false) => {
    const { problems, text } = RowClasses.rowClasses((path) => readFileSync(join(root, src, path), "utf8"))
    const place = { root, path: `${src}/${RowClasses.path}`, rule: "columns", write }
    return { problems: problems.length > 0 ? problems : Written.file(place, text) }
  }
}
