import { compile, moduleFor, sources } from "../kernel/source.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

/** What core carries as WebAssembly is, byte for byte, what its sources compile to. */
export const kernel: Rule = {
  why: "Nobody can read what was compiled; so it must be what its source here says.",
  run: async (root, write = false) => ({
    problems: sources.flatMap((source) => {
      const place = { root, path: source.modulePath, rule: "kernel", write, exact: true }
      return Written.file(place, moduleFor(source, compile(source)))
    })
  })
}
