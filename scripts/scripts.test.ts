/** Every script explains itself under the machine's own Node; those that go on for long do a little of what they do. */
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

  it("lists the scripts where there is none of that name", async () => {
    const { ok, output } = await run("typos")
    assert.isFalse(ok)
    assert.include(output, `There is no script "typos"; there are ${names.toSorted().join(", ")}.`)
  })

  it.each([
    ["bench", "--nonsense", "Unrecognized flag: --nonsense"],
    ["check", "typos", `Invalid value for argument <rule>: "typos"`],
    ["simulate", "--days=none", `Invalid value for flag --days: "none"`],
    ["simulate", "--seeds=0", "must be a whole number from 1 on, not 0"],
    ["hostile", "--minutes=0", "must be a positive number, such as 2, not 0"],
    ["siege", "--attack=politeness", `Invalid value for flag --attack: "politeness"`]
  ])("refuses %s %s, with the help", async (name, argument, says) => {
    const { ok, output } = await run(name, argument)
    assert.isFalse(ok)
    assert.include(output, "USAGE")
    assert.include(output, says)
  })
})

describe("npm run bench", () => {
  it("profiles decodes only", async () => {
    const { ok, output } = await run("bench", "call", "--stages")
    assert.isFalse(ok)
    assert.include(output, "--stages is of decode: npm run bench -- decode --stages, not call")
  })
})

describe("npm run simulate", () => {
  it("prints the report as JSON, the same for the same seed", async () => {
    const [one, two] = await Promise.all([0, 1].map(() => run("simulate", "--seed", "3", "--days", "1", "--json")))
    const { log, seeds, violations } = JSON.parse(one!.stdout)
    assert.isTrue(one!.ok)
    assert.deepStrictEqual([seeds, violations], [1, []])
    assert.strictEqual(JSON.parse(two!.stdout).log, log)
  })

  it("prints a table of many seeds", async () => {
    const { ok, stdout } = await run("simulate", "--seeds", "2", "--days", "1")
    assert.isTrue(ok)
    assert.match(stdout, /^days +2$/m)
    assert.match(stdout, /^violations +0$/m)
  })
})

describe("npm run fuzz", () => {
  it("finds its probes in place, and nothing wrong", async () => {
    const { ok, output } = await run("fuzz", "--seed", "1", "--executions", "200")
    assert.isTrue(ok, output)
    assert.match(output, /^seed 1, Node v\d/)
    assert.match(output, / 200 executions \([\d,]+ accepted\), corpus \d+, [1-9]\d* pairs/)
  })

  it("compares so many numbers and documents as it is told", async () => {
    const { ok, output } = await run("fuzz", "--seed", "1", "--numbers", "5000", "--documents", "20")
    assert.isTrue(ok, output)
    assert.match(output, /5,000 numbers[^]*20 documents/)
  })
})

describe("npm run hostile", () => {
  it("asks every endpoint over each client, and prints what came of it", async () => {
    const { output, stdout } = await run("hostile", "--rounds", "1", "--seed", "3")
    assert.match(stdout, /^ +fetch +node:http +undici$/m)
    assert.match(stdout, /^queries +36 +36 +36$/m, output)
    assert.match(stdout, /^fibers left +0 +0 +0$/m)
    assert.match(stdout, /^sockets left +0 +0 +0$/m)
    assert.match(stdout, /^seed 3, \d+ replies of \d+ kinds, Node v/m)
  })
})
