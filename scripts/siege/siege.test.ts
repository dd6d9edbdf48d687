import { assert, describe, it } from "@effect/vitest"
import * as Command from "../shared/command.ts"
import { root } from "../shared/script.ts"
import * as Attacks from "./attacks.ts"
import * as Verdict from "./verdict.ts"

describe("npm run siege", () => {
  it("leaves the sandbox alive, honest requests answered, and says what came of each attack", async () => {
    const args = ["scripts/siege.ts", "--minutes", "0.05", "--size", "0.02"]
    const { ok, output } = await Command.run(process.execPath, args, { cwd: root })
    assert.isTrue(ok, output)
    for (const { name } of Attacks.all) assert.match(output, new RegExp(`^${name} +[1-9]\\d* connections`, "m"))
    assert.match(output, /^[1-9]\d* honest requests, 0 without their answer/m)
    assert.match(output, /^memory of the sandbox: [1-9]\d* MB before, at most [1-9]\d* MB/m)
  }, 60_000)
})

describe("the verdict", () => {
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

  it("is that of the figures", () => {
    assert.deepStrictEqual(Verdict.problems(withstood), [])
    assert.include(Verdict.format(withstood), "half within 3 ms, 99 of 100 within 400 ms")
  })

  it.each<[string, Partial<Verdict.Report>, string]>([
    ["the sandbox ended", { isAlive: false }, "The sandbox ended."],
    ["it is mute afterwards", { answersAfterwards: false }, "does not answer"],
    ["an honest request was left without its answer", { unanswered: 1 }, "1 of 4 honest requests"],
    ["nobody was there to ask", { latencies: [] }, "Nobody asked"],
    ["it held too much", { memory: [100, 300, 2000, 300, 300, 300, 300, 300] }, "held 2000 MB"],
    ["it held ever more", { memory: [100, 200, 300, 400, 500, 600, 700, 800] }, "400 MB more in the last quarter"]
  ])("is against it where %s", (_, change, says) => {
    const problems = Verdict.problems({ ...withstood, ...change })
    assert.lengthOf(problems, 1)
    assert.include(problems[0], says)
  })
})
