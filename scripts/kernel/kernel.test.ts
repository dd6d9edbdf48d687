import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { modulePath, sourceHash } from "./source.ts"

const root = dirname(dirname(import.meta.dirname))

describe("the kernel", () => {
  it("was compiled from the sources that are here", () => {
    assert.include(readFileSync(join(root, modulePath), "utf8"), `sha256 ${sourceHash()}`, "run `npm run kernel`")
  })
})
