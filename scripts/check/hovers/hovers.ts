/** What the compiler calls the types that people look at, as an editor shows them, and what it says of a mistake. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Apart from "../../shared/apart.ts"
import * as Command from "../../shared/command.ts"
import { layOut } from "../laidOut.ts"
import type { Rule } from "../rule.ts"

const compilers = {
  "5.9": "scripts/check/hovers/node_modules/typescript-5.9/bin/tsc",
  "6": "scripts/check/hovers/node_modules/typescript-6/bin/tsc",
  "7": "node_modules/typescript/bin/tsc"
}

const written = "scripts/check/hovers/hovers.json"

const preamble = `
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
`.trim()

const firstLine = preamble.split("\n").length + 1

/** What a compiler says of each expression: its type, for which `never` is asked, or its mistake. */
const hear = async (
  root: string,
  compiler: string,
  expressions: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const args = [join(root, compiler), "-p", join(root, "dist/hovers"), "--pretty", "false"]
  const { output } = await Command.run(process.execPath, args, { cwd: root })
  return expressions.map((_, at) => {
    const place = `dist/hovers/written/expressions.ts(${at + firstLine},`
    const said = Command.messages(output).filter((message) => message.startsWith(place))
    const mistake = said.find((message) => !message.includes("to type 'never'"))
    const type = said.map((message) => /Type '(.*)' is not assignable to type 'never'/.exec(message)?.[1])[0]
    return mistake?.replace(/^.*? error TS\d+: /, "").split("\n", 1)[0] ?? type ?? output
  })
}

/** Compilers list the members of a union in different orders. */
const inAnyOrder = (text = ""): string => text.match(/[\w"]+/g)?.toSorted().join(" ") ?? ""

export const hovers: Rule = {
  why: "A type that nobody can read is one that nobody checks.",
  run: async (root, write = false) => {
    const expected: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, written), "utf8"))
    const expressions = Object.keys(expected)
    Apart.install(join(root, "scripts/check/hovers"))
    const lines = expressions.map((expression, at) => `export const _${at}: never = ${expression}`)
    const files = new Map([["written/expressions.ts", [preamble, ...lines].join("\n")]])
    layOut(root, "hovers", files, { noErrorTruncation: true, skipLibCheck: true })
    const heard = await Promise.all(
      Object.entries(compilers).map(async ([version, path]) => ({
        version,
        texts: await hear(root, path, expressions)
      }))
    )
    const [{ texts: present } = { texts: [] }] = heard
    if (write) {
      const said = Object.fromEntries(expressions.map((expression, at) => [expression, present[at]]))
      writeFileSync(join(root, written), `${JSON.stringify(said, undefined, 2)}\n`)
    }
    const problems = heard.flatMap(({ texts, version }) =>
      expressions.flatMap((expression, at) => {
        const should = write ? present[at] : expected[expression]
        return inAnyOrder(texts[at]) === inAnyOrder(should)
          ? []
          : [`TypeScript ${version} calls ${expression}\n    ${texts[at]}\n  instead of\n    ${should}`]
      })
    )
    return { problems, notes: [`${expressions.length} types, ${heard.length} compilers`] }
  }
}
