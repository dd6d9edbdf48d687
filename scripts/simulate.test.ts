import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { run } from "./shared/command.ts"

const root = join(import.meta.dirname, "..")

const simulate = (...args: ReadonlyArray<string>) =>
  run(process.execPath, ["--conditions=@effect-marketdata/source", "scripts/simulate.ts", ...args], { cwd: root })

describe("npm run simulate", () => {
  it("prints the report as JSON, the same for the same seed", async () => {
    const [one, two] = await Promise.all([0, 1].map(() => simulate("--seed", "3", "--days", "1", "--json")))
    const { log, seeds, violations } = JSON.parse(one?.stdout ?? "")
    assert.isTrue(one?.ok)
    assert.deepStrictEqual([seeds, violations], [1, []])
    assert.strictEqual(JSON.parse(two?.stdout ?? "").log, log)
  })

  it("prints a table of many seeds", async () => {
    const { ok, stdout } = await simulate("--seeds", "2", "--days", "1")
    assert.isTrue(ok)
    assert.match(stdout, /^days +2$/m)
    assert.match(stdout, /^violations +0$/m)
  })

  it("refuses what is no number of days", async () => {
    const { ok, output } = await simulate("--days", "none")
    assert.isFalse(ok)
    assert.include(output, "--days is a whole number from 1 on, and not none")
  })
})
