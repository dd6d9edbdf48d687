/** `marketdata config`, and the file of settings as every command meets it. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runs } from "../../core/test/support/depth.ts"
import { printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const folder = Started.folder()
const file = join(folder, "config.yaml")
const home = { MARKETDATA_HOME: folder }

const run = (line: string, variables: Readonly<Record<string, string>> = {}) =>
  printed(line.split(" "), { variables: { ...home, ...variables } })

const containing = (text: string | Uint8Array) => writeFileSync(file, text)

/** A command that needs the settings, and sends nothing. */
const needy = "estimate chain SPX"

/** It is refused, with these words. */
const refused = async (line: string, said: RegExp | string, variables: Readonly<Record<string, string>> = {}) => {
  const { code, errors } = await run(line, variables)
  assert.strictEqual(code, 2)
  if (typeof said === "string") assert.include(errors, said)
  else assert.match(errors, said)
}

it("config list shows no secret of a base URL, whichever command reads it, from wherever", async () => {
  const secret = "a1B2c3D4e5"
  const addresses = [
    `https://u:${secret}@localhost/`,
    `https://localhost/?a=${secret}`,
    `https://localhost/#${secret}`,
    `u:${secret}@h`,
    `https://u:${secret}@`
  ]
  const listed =
    "config list, config get baseUrl --json, doctor --offline, account --history, stock prices AAPL, auth status"
  const lines = listed.split(", ")
  const hides = async (line: string, variables = {}) => {
    const { errors, out } = await run(line, variables)
    assert.notInclude(`${out}${errors}`, secret, line)
  }
  for (const address of addresses) {
    containing("")
    for (const line of [...lines, `config set baseUrl ${address}`]) await hides(line, { MARKETDATA_BASE_URL: address })
    containing(`baseUrl: "${address}"\n`)
    for (const line of lines) await hides(line)
  }
})

describe("config get, set and unset", () => {
  it("keeps the comments of the file, and checks what is set", async () => {
    containing("# mine\nmode: live # why\n\n# time\ntimeout: 5s\n")
    assert.strictEqual((await run("config set mode cached")).code, 0)
    assert.strictEqual((await run("config set confirmAbove 500")).code, 0)
    assert.strictEqual((await run("config unset timeout")).code, 0)
    assert.match(readFileSync(file, "utf8"), /^# mine\nmode: cached # why\n[^]*confirmAbove: 500\n$/)
    assert.strictEqual((await run("config get mode")).out, "cached")
    await refused("config set mode fresh", /^error: mode "fresh" must be live, delayed or cached, e\.g\. cached\.$/)
    assert.match(readFileSync(file, "utf8"), /^mode: cached # why$/m)
  })

  it("gives back every value that may be set, as it was set", async () => {
    const values = Object.fromEntries(
      [
        "baseUrl=http://127.0.0.1:8080/md/, tokenIn=query, mode=delayed, confirmAbove=0, timeout=1.5 min, format=table",
        "cache=off, cacheBytes=1000, ledger=~/spent.db, allowance=5000, allowanceWindow=minute, maxInFlight=7, maxSymbols=9",
        "retries=0.5, retriesPerSecond=0, maxReplyBytes=1000, maxBytesInFlight=1000, maxKeptBytes=0"
      ].join(", ").split(", ").map((pair) => pair.split("=") as [string, string])
    )
    for (const name of ["config.yaml", "config.json"]) {
      const variables = { MARKETDATA_CONFIG: join(folder, "all", name) }
      mkdirSync(join(folder, "all"), { recursive: true })
      writeFileSync(variables.MARKETDATA_CONFIG, name.endsWith("json") ? "{}" : "")
      for (const [setting, value] of Object.entries(values)) {
        assert.deepInclude(await printed(["config", "set", setting, value], { variables }), { code: 0, errors: "" })
      }
      const { problems, settings } = JSON.parse((await printed(["config", "list", "--json"], { variables })).out)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(
        Object.fromEntries(settings.map((setting: { name: string; value: string }) => [setting.name, setting.value])),
        values
      )
    }
    assert.strictEqual(JSON.parse(readFileSync(join(folder, "all", "config.json"), "utf8")).maxInFlight, 7)
  })

  it("makes the folder for its user alone, and keeps a link a link", async () => {
    const variables = { MARKETDATA_HOME: join(folder, "new") }
    assert.strictEqual((await run("config set mode live", variables)).code, 0)
    assert.strictEqual(statSync(join(folder, "new")).mode & 0o777, 0o700)
    assert.strictEqual(statSync(join(folder, "new", "config.yaml")).mode & 0o777, 0o600)
    const target = join(folder, "dotfiles.yaml")
    const link = join(folder, "link.yaml")
    writeFileSync(target, "mode: live\n")
    symlinkSync(target, link)
    assert.strictEqual((await run("config set mode cached", { MARKETDATA_CONFIG: link })).code, 0)
    assert.strictEqual(readFileSync(target, "utf8"), "mode: cached\n")
  })

  it("writes a line for each setting, also at once, so that another one can be added by hand", async () => {
    for (const text of ["", "{}\n", "{ mode: live }\n", `{ "mode": "live" }`]) {
      containing(text)
      assert.strictEqual((await run("config set mode cached")).code, 0)
      assert.match(readFileSync(file, "utf8"), /^"?mode"?: "?cached"?\n$/)
      writeFileSync(file, `${readFileSync(file, "utf8")}format: csv\n`)
      assert.strictEqual((await run("config get format")).code, 0)
      await run("config unset format")
      await run("config unset mode")
      assert.strictEqual(readFileSync(file, "utf8"), "")
    }
    await Promise.all(["mode live", "format csv", "retries 3", "timeout 5s"].map((pair) => run(`config set ${pair}`)))
    assert.match(readFileSync(file, "utf8"), /^(?:\w+: \w+\n){4}$/)
  })

  it("changes nothing in a file that it cannot read", async () => {
    for (const [text, said] of [["mode: [\n", ""], ["mode: live\n---\nallowance: 5\n", "a second document"]] as const) {
      containing(text)
      await refused("config set mode cached", new RegExp(`:2:1: this is not YAML: ${said}.*Nothing was changed`))
      assert.strictEqual(readFileSync(file, "utf8"), text)
    }
  })
})

describe("the settings of a command", () => {
  it("that are broken fail no command that does without them", async () => {
    containing("mod: live\n")
    for (const line of ["--help", "chain --help"]) assert.strictEqual((await run(line)).code, 0, line)
  })

  it("never make the program fail because of a defect, whatever the file holds", async () => {
    const words = "mode timeout : - { } [ ] &a *a !!int | > \" ' # %YAML --- << ? 1 é".split(" ")
    const yaml = fc.array(fc.constantFrom(...words, " ", "\n", "\t", "\u0000"), { maxLength: 40 })
      .map((parts) => new TextEncoder().encode(parts.join("")))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), yaml), async (bytes) => {
        containing(bytes)
        for (const line of ["config list --json", "config set mode cached", needy]) {
          const { code, errors } = await run(line)
          assert.notInclude(errors, "because of a defect")
          assert.include([0, 2], code)
        }
      }),
      { seed: 1, numRuns: runs(150, 8) }
    )
  })

  it("are not looked for in what is too large, too deep or no file", async () => {
    const deep = ["[", "{", "{a: ", "- ", "? ", "mode: [", "[\n"].map((nest) => nest.repeat(8000))
    const bomb = `a: &a [1, 1]\n${
      "abcdefgh".split("").map((name) => `${name}${name}: &${name}${name} [*a, *a]\n`).join("")
    }`
    for (const text of [`mode: ${"x".repeat(70_000)}`, ...deep, "a: &a 1\nmode: *a\n", bomb]) {
      containing(text)
      for (const line of [needy, "config set mode live"]) {
        await refused(line, /config\.yaml:?[\d:]*: (?:this is (?:larger than 64 KiB|nested too deeply)|an alias )/)
      }
    }
    for (const MARKETDATA_CONFIG of [folder, "/dev/zero"]) await refused(needy, "is not a file", { MARKETDATA_CONFIG })
  })

  it("are not taken from a file that everybody may change, or put another one in the place of, also by a link", async () => {
    const [linked, open] = [join(folder, "linked.yaml"), join(folder, "open")]
    mkdirSync(open)
    writeFileSync(join(open, "config.yaml"), "mode: live\n")
    symlinkSync(join(open, "config.yaml"), linked)
    containing("mode: live\n")
    const cases = [[folder, file, "the folder of "], [file, file, ""], [open, linked, "the folder of "]] as const
    for (const [place, named, what] of cases) {
      const { mode } = statSync(place)
      chmodSync(place, 0o777)
      await refused(needy, `everybody may change ${what}this file; type chmod o-w`, { MARKETDATA_CONFIG: named })
      chmodSync(place, mode)
    }
  })
})
