/**
 * Every script prints its help under the machine's own Node. Long-running scripts that continuous integration does not run otherwise run for a moment.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Command from "./shared/command.ts"
import { root } from "./shared/script.ts"

const own = Command.machineNode() ?? process.execPath

const run = (...args: ReadonlyArray<string>) =>
  Command.run(own, [join(import.meta.dirname, "run.mjs"), ...args], { cwd: root })

const names = readdirSync(import.meta.dirname).filter((file) => /^[a-z]+\.ts$/.test(file))
  .map((file) => file.replace(".ts", ""))

describe("scripts/run.mjs", () => {
  it.each(names)("%s says with --help what it does, with examples", async (name) => {
    const { ok, output, stdout } = await run(name, "--help")
    assert.isTrue(ok, output)
    assert.match(stdout, /^DESCRIPTION\n {2}\S/)
    assert.isAtLeast(stdout.split(`  npm run ${name} --`).length - 1, 2)
  })

  it.each([
    ["typos", "", `There is no script "typos"; there are ${names.toSorted().join(", ")}.`],
    ["bench", "--nonsense", "Unrecognized flag: --nonsense"],
    ["check", "typos", `Invalid value for argument <rule>: "typos"`],
    ["simulate", "--days=none", `Invalid value for flag --days: "none"`],
    ["simulate", "--seeds=0", "must be a whole number from 1 on, not 0"],
    ["hostile", "--minutes=0", "must be a positive number, such as 2, not 0"],
    ["conformance", "8.3-hit nonsense", "no fault's name has the words nonsense"],
    ["siege", "--attack=politeness", "Unrecognized flag: --attack"]
  ])("refuses %s %s", async (name, args, says) => {
    const { ok, output } = await run(name, ...args.split(" "))
    assert.isFalse(ok)
    assert.include(output, says)
  })
})

const besieged = [
  /^slowloris +[1-9]\d* connections/m,
  /^slow readers of gzip +[1-9]\d* connections/m,
  /^[1-9]\d* honest requests, 0 unanswered:/m,
  /^memory of the sandbox: [1-9]\d* MB before, at most [1-9]\d* MB$/m
]

describe("what goes on for long does a little of it:", () => {
  it.each([
    ["fuzz", "--seed 1 --executions 200", [/ 200 executions \([\d,]+ accepted\), corpus \d+, [1-9]\d* pairs/]],
    ["fuzz", "--seed 1 --numbers 5000 --documents 20", [/5,000 numbers[^]*20 documents/]],
    ["siege", "--minutes 0.05 --size 0.02", besieged]
  ])("%s %s", async (name, args, says) => {
    const { output } = await run(name, ...args.split(" "))
    for (const text of says) assert.match(output, text)
  })
})
