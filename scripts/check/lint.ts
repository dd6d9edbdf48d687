import * as Diagnostics from "./oxlint/diagnostics.ts"
import type { Rule } from "./rule.ts"

export const lint: Rule = {
  name: "lint",
  why:
    "Cycles, back arrows between packages, clocks in core, floating promises: what compiles and is wrong all the same.",
  run: async (root) => ({ problems: await Diagnostics.lines(root, "code") })
}
