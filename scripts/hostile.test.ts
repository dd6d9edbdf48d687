import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { run } from "./shared/command.ts"

const root = join(import.meta.dirname, "..")

const hostile = (...args: ReadonlyArray<string>) =>
  run(process.execPath, ["--conditions=@effect-marketdata/source", "scripts/hostile.ts", ...args], { cwd: root })

describe("npm run hostile", () => {
  it("asks every endpoint over each client, and prints what came of it", async () => {
    const { output, stdout } = await hostile("--rounds", "1", "--seed", "3")
    assert.match(stdout, /^ +fetch +node:http +undici$/m)
    assert.match(stdout, /^questions +36 +36 +36$/m, output)
    assert.match(stdout, /^fibers left +0 +0 +0$/m)
    assert.match(stdout, /^sockets left +0 +0 +0$/m)
    assert.match(stdout, /^seed 3, \d+ replies of \d+ kinds, Node v/m)
  })

  it("refuses what is no number of minutes", async () => {
    const { ok, output } = await hostile("--minutes", "none")
    assert.isFalse(ok)
    assert.include(output, "--minutes is a number from 0 on, and not none")
  })
})
