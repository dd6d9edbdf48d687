import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { sourceHash, sources } from "./source.ts"

const root = dirname(dirname(import.meta.dirname))

describe("WebAssembly", () => {
  it.each(sources)("$modulePath was compiled from the sources that are here", (source) => {
    const module = readFileSync(join(root, source.modulePath), "utf8")
    assert.include(module, `sha256 ${sourceHash(source)}`, "run `npm run kernel`")
  })
})
