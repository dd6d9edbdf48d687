import { readFileSync } from "node:fs"
import { join } from "node:path"
import { compile, moduleFor, sources } from "../kernel/source.ts"
import type { Rule } from "./rule.ts"

/** What core carries as WebAssembly is, byte for byte, what its sources compile to. */
export const kernel: Rule = {
  why: "Nobody can read what was compiled; so it must be what its source here says. `npm run kernel` compiles it anew.",
  run: async (root) => {
    const problems = sources.flatMap((source) =>
      readFileSync(join(root, source.modulePath), "utf8") === moduleFor(source, compile(source))
        ? []
        : [`${source.modulePath} is not what packages/core/assembly/${source.name} compiles to`]
    )
    return { problems }
  }
}
