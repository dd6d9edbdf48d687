/** What Effect brings to every command stays whole: help, completions, the wizard. */
import { assert, describe, it } from "@effect/vitest"
import { everyCommand } from "./support/everyCommand.ts"
import { printed } from "./support/printed.ts"

describe("--help", () => {
  it("is understood as words, as other programs have them", async () => {
    for (
      const [words, flags] of [["help", "--help"], ["help chain", "chain --help"], ["version", "--version"]] as const
    ) {
      const { code, out } = await printed(words.split(" "))
      assert.strictEqual(code, 0)
      assert.strictEqual(out, (await printed(flags.split(" "))).out)
    }
  })

  it.each(everyCommand.map(({ examples, name }) => [name, examples] as const))(
    "of %s shows its usage and three examples, on standard output",
    async (name, examples) => {
      const { code, errors, out } = await printed([...name.split(" "), "--help"])
      assert.strictEqual(code, 0)
      assert.strictEqual(errors, "")
      assert.include(out, `marketdata ${name}`)
      for (const example of examples) assert.include(out, example)
    }
  )

  it("of the program lists every command, and the exit codes", async () => {
    const { out } = await printed(["--help"])
    for (const { name } of everyCommand) assert.match(out, new RegExp(`^ {2}${name.split(" ")[0]} `, "m"))
    assert.match(out, /^ {2}130 +stopped by Ctrl-C$/m)
  })
})

describe("--completions", () => {
  it("know every command", async () => {
    const { code, errors, out } = await printed(["--completions", "bash"])
    assert.strictEqual(code, 0)
    assert.strictEqual(errors, "")
    for (const { name } of everyCommand) assert.include(out, name.split(" ").at(-1)!)
  })
})

describe("--wizard", () => {
  it("builds a line from answers, and runs it", async () => {
    const { code, out } = await printed(["config", "path", "--wizard"], { isTerminal: true, keys: ["enter"] })
    assert.strictEqual(code, 0)
    assert.match(out, /\n\/proc\/nowhere\/marketdata\/config\.yaml$/)
  })
})
