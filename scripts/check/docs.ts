import * as Diagnostics from "./oxlint/diagnostics.ts"
import type { Rule } from "./rule.ts"

export const docs: Rule = {
  name: "docs",
  why:
    "An export that nobody can look up does not exist: every one says what it is, since when and where it is listed.",
  run: async (root) => ({ problems: await Diagnostics.lines(root, "docs") })
}
