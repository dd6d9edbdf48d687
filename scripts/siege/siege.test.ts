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

  it.each<[string, Partial<Verdict.Report>]>([
    ["", {}],
    ["The sandbox ended.", { isAlive: false }],
    ["The sandbox does not answer when the attackers have gone.", { answersAfterwards: false }],
    ["1 of 4 honest requests were not answered as in quiet times.", { unanswered: 1 }],
    ["Nobody asked anything.", { latencies: [] }],
    [
      "The sandbox held 2000 MB; at most 1024 MB were expected.",
      { memory: [100, 300, 2000, 300, 300, 300, 300, 300] }
    ],
    [
      "It held 400 MB more in the last quarter than in the second.",
      { memory: [100, 200, 300, 400, 500, 600, 700, 800] }
    ]
  ])("says what was not withstood: %s", (says, change) => {
    assert.strictEqual(Verdict.problems({ ...withstood, ...change }).join(), says)
  })

  it("shows the figures", () => {
    assert.include(Verdict.format(withstood), "half within 3 ms, 99 of 100 within 400 ms")
  })
})
