import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "..", "..")

const fuzz = (...flags: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["--conditions=@effect-marketdata/source", "scripts/fuzz.ts", "--seed", "1", ...flags], {
    cwd: root,
    encoding: "utf8"
  })

describe("npm run fuzz", () => {
  it("finds its probes in place, and nothing wrong", () => {
    const { status, stderr, stdout } = fuzz("--executions", "200")
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^seed 1, Node v\d/)
    assert.match(stdout, / 200 executions \([\d,]+ accepted\), corpus \d+, [1-9]\d* pairs/)
  })

  it("compares so many numbers and documents as it is told", () => {
    const { status, stderr, stdout } = fuzz("--numbers", "5000", "--documents", "20")
    assert.strictEqual(status, 0, stderr)
    assert.include(stdout, "5,000 numbers")
    assert.include(stdout, "20 documents")
  })
})
