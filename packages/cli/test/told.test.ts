/**
 * What commands print and exit with, byte for byte: each file of `told` holds lines as they are typed, what they read, and what came of them. After a
 * change that is meant, `TOLD=write npm test -- packages/cli/test/told.test.ts` writes the files anew, and the difference says what it changed.
 *
 * - `$ NAME=VALUE marketdata …`: a line; a word with blanks stands in quotation marks
 * - `< …`: what standard input holds; `| …`: what the file of settings holds
 * - `! …`: what went to standard error; `= …`: the exit code, where it is not 0; all else went to standard output
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { everyCommand, words } from "./support/everyCommand.ts"
import { atNoon } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const told = join(import.meta.dirname, "told")
const home = Started.folder()
let homes = 0

const linesOf = (block: string, sign: string): string =>
  block.split("\n").filter((line) => line.startsWith(sign)).map((line) => `${line.slice(2)}\n`).join("")

const marked = (text: string, sign: string): string => text === "" ? "" : text.replaceAll(/^/gm, sign) + "\n"

/** Runs the line of a block, and returns the block as it should be. */
const ran = async (block: string): Promise<string> => {
  const folder = join(home, String(homes++))
  const [line = ""] = block.split("\n")
  const typed = words(line.slice(2))
  const at = typed.indexOf("marketdata")
  const [input, settings] = [linesOf(block, "< "), linesOf(block, "| ")]
  mkdirSync(folder)
  if (settings !== "") writeFileSync(join(folder, "config.yaml"), settings)
  const { code, errors, out } = await atNoon(typed.slice(at + 1), {
    variables: {
      MARKETDATA_HOME: folder,
      ...Object.fromEntries(typed.slice(0, at).map((word) => word.split("=") as [string, string]))
    },
    input
  })
  const text = `${line}\n${marked(input.trimEnd(), "< ")}${marked(settings.trimEnd(), "| ")}${marked(out, "")}${
    marked(errors, "! ")
  }${code === 0 ? "" : `= ${code}\n`}`
  return text.replaceAll(folder, "HOME").replaceAll(/(?:127\.0\.0\.1|::1):\d+/g, "127.0.0.1:8080").replaceAll(
    /Node \S+, \w+ \w+/g,
    "Node"
  )
}

for (const name of readdirSync(told)) {
  describe(name, () => {
    const path = join(told, name)
    const text = readFileSync(path, "utf8")
    const blocks = text.split(/^(?=\$ )/m)
    const now: Array<string> = []
    for (const [index, block] of blocks.entries()) {
      it(block.split("\n")[0]!, async () => {
        now[index] = await ran(block)
        if (process.env["TOLD"] !== "write") assert.strictEqual(now[index], block)
      })
    }
    afterAll(() => {
      if (process.env["TOLD"] === "write") writeFileSync(path, now.join(""))
    })
  })
}

it("the help of every command is told", () => {
  const help = readFileSync(join(told, "help.txt"), "utf8")
  for (const { name } of everyCommand) assert.include(help, `$ marketdata ${name} --help\n`)
})
