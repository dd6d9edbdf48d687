import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import * as Command from "./command.ts"
import * as TemporaryRepository from "./temporaryRepository.ts"

const { here } = TemporaryRepository

describe("check", () => {
  it("refuses a rule that does not exist, so that a slip does not pass for a check", async () => {
    const { ok, output } = await Command.run(process.execPath, [join(here, "scripts", "check.ts"), "typos"], {
      cwd: here
    })
    assert.isFalse(ok)
    assert.match(output, /There is no rule typos; there are types, format,/)
  })
})
