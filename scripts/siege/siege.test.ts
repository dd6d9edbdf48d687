import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { run } from "../shared/command.ts"
import * as Attacks from "./attacks.ts"
import * as Verdict from "./verdict.ts"

const root = join(import.meta.dirname, "../..")

const siege = (...args: ReadonlyArray<string>) => run(process.execPath, ["scripts/siege.ts", ...args], { cwd: root })

/** A siege that was withstood. */
const withstood: Verdict.Report = {
  isAlive: true,
  answersAfterwards: true,
  latencies: [1, 2, 3, 400],
  unanswered: 0,
  memory: [100, 300, 310, 305, 312, 300, 308, 311],
  calm: 100,
  afterwards: 290
}

describe("npm run siege", () => {
  it("leaves the sandbox alive, honest requests answered, and says what came of each attack", async () => {
    const { ok, output } = await siege("--minutes", "0.05", "--size", "0.02")
    assert.isTrue(ok, output)
    for (const { name } of Attacks.all) assert.match(output, new RegExp(`^${name} +[1-9]\\d* connections`, "m"))
    assert.match(output, /^[1-9]\d* honest requests, 0 without their answer/m)
    assert.match(output, /^memory of the sandbox: [1-9]\d* MB before, at most [1-9]\d* MB/m)
  }, 60_000)

  it("refuses a time, a size and an attack that are none", async () => {
    for (
      const [args, says] of [
        [["--minutes", "none"], "--minutes must be a positive number, such as 2, not none"],
        [["--size", "0"], "--size must be a positive number, such as 2, not 0"],
        [["--attack", "politeness"], `--attack must be one of "slowloris", `]
      ] as const
    ) {
      const { ok, output } = await siege(...args)
      assert.isFalse(ok)
      assert.include(output, says)
    }
  })
})

describe("the verdict", () => {
  it("is that of the figures", () => {
    assert.deepStrictEqual(Verdict.problems(withstood), [])
    assert.include(Verdict.format(withstood), "half within 3 ms, 99 of 100 within 400 ms")
  })

  const cases: ReadonlyArray<readonly [string, Partial<Verdict.Report>, string]> = [
    ["the sandbox ended", { isAlive: false }, "The sandbox ended."],
    ["it is mute afterwards", { answersAfterwards: false }, "does not answer"],
    ["an honest request was left without its answer", { unanswered: 1 }, "1 of 4 honest requests"],
    ["nobody was there to ask", { latencies: [] }, "Nobody asked"],
    ["it held too much", { memory: [100, 300, 2000, 300, 300, 300, 300, 300] }, "held 2000 MB"],
    ["it held ever more", { memory: [100, 200, 300, 400, 500, 600, 700, 800] }, "400 MB more in the last quarter"]
  ]
  for (const [name, change, says] of cases) {
    it(`is against it where ${name}`, () => {
      const problems = Verdict.problems({ ...withstood, ...change })
      assert.lengthOf(problems, 1)
      assert.include(problems[0], says)
    })
  }
})
