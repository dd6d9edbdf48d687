import { readFileSync } from "node:fs"
import { join } from "node:path"
import { compile } from "../kernel/compile.ts"
import { moduleFor, modulePath } from "../kernel/source.ts"
import type { Rule } from "./rule.ts"

/** The kernel that core carries is, byte for byte, what its sources compile to. */
export const kernel: Rule = {
  name: "kernel",
  why:
    "Nobody can read a compiled kernel; so it must be the one whose source is here. `npm run kernel` compiles it anew.",
  run: async (root) => ({
    problems: readFileSync(join(root, modulePath), "utf8") === moduleFor(compile())
      ? []
      : [`${modulePath} is not what scripts/kernel/assembly compiles to`]
  })
}
