/** What Effect brings to every command stays whole: completions, the wizard. */
import { assert, describe, it } from "@effect/vitest"
import { everyCommand } from "./support/everyCommand.ts"
import { printed } from "./support/printed.ts"

describe("--completions", () => {
  it("know every command", async () => {
    const { code, errors, out } = await printed(["--completions", "bash"])
    assert.deepStrictEqual([code, errors], [0, ""])
    for (const { name } of everyCommand) assert.include(out, name.split(" ").at(-1)!)
  })

  it("know columns, settings, and where a file is meant", async () => {
    const { out } = await printed(["--completions", "zsh"])
    for (const flag of ["columns", "sort"]) assert.match(out, new RegExp(`\\(--${flag}\\).*:value:\\(.*openInterest`))
    assert.match(out, /\(--columns\).*:value:\(activity /)
    assert.notMatch(out, /\(--sort\).*:value:\(activity /)
    assert.match(out, /such as mode:\(.*allowanceWindow/)
    assert.match(out, /a list of tasks.*:_files/)
    assert.match(out, /\(--reply\).*:_files/)
    assert.match(out, /\(--format\).*:value:\(table json[^]*\(--log-level\).*:value:\(all trace/)
    assert.match(out, /\(--output -o\).*Save the table.*:_files/)
    assert.match(out, /\(--output -o\).*The folder of the tables.*:_directories/)
  })
})

it("--wizard builds a line from answers, and runs it", async () => {
  const { code, out } = await printed(["config", "path", "--wizard"], { isTerminal: true, keys: ["enter"] })
  assert.strictEqual(code, 0)
  assert.match(out, /\n\/proc\/nowhere\/marketdata\/config\.yaml$/)
})
