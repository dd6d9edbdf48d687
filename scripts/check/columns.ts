/** What the columns of tables mean, as data: a schema describes a row by the comments that stand at the columns. */
import * as Query from "@effect-marketdata/core/Query"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Rule } from "./rule.ts"

const core = "packages/core/src"
const written = `${core}/schema/meanings.ts`

/** The files of columns that several endpoints have; an endpoint has those of the files that it imports. */
const shared = ["chain/columns.ts", "endpoints/candle.ts", "endpoints/stockQuoteExtras.ts"]

/** A comment of one line, and the property behind it. */
const commented = /\/\*\* (.+) \*\/\n\s+"?(\w+)"?(?::|,)/g

const commentsIn = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(commented)].map(([, comment = "", name = ""]) => [name, comment]))

const fileOf = (endpoint: string): string => `endpoints/${endpoint.slice(0, 1).toUpperCase()}${endpoint.slice(1)}.ts`

const baseName = (path: string): string => path.replace(/^.*\//, "")

/** The meanings of an endpoint's columns, and those that have none. */
const meaningsOf = (root: string, { columns, name }: Query.AnyEndpoint) => {
  const read = (path: string) => readFileSync(join(root, core, path), "utf8")
  const own = read(fileOf(name))
  const sources = [own, ...shared.filter((path) => own.includes(`/${baseName(path)}"`)).map(read)].map(commentsIn)
  return columns.map((column) => [column, sources.find((comments) => comments.has(column))?.get(column)] as const)
}

/** The same text but for how it is laid out. */
const isSame = (a: string, b: string): boolean => a.replaceAll(/\s/g, "") === b.replaceAll(/\s/g, "")

export const columns: Rule = {
  why: "A column says once what it means, in a comment: who reads its row as data is told the same.",
  run: async (root, write = false) => {
    const tables = Object.values(Query.endpoints).filter(({ columns }) => columns.length > 0)
      .map((endpoint) => [endpoint.name, meaningsOf(root, endpoint)] as const)
    const problems = tables.flatMap(([name, meanings]) =>
      meanings.flatMap(([column, meaning]) =>
        meaning === undefined
          ? [`the column ${column} of ${name} has no comment of one line that says what it means`]
          : []
      )
    )
    const property = (name: string): string => /^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name)
    const text =
      "/** What each column means: written from the comments at the columns by `npm run check -- columns --write`. */\n" +
      "export const meanings = {\n" +
      tables.map(([name, meanings]) =>
        `  ${name}: {\n${
          meanings.map(([column, meaning]) => `    ${property(column)}: ${JSON.stringify(meaning)}`).join(",\n")
        }\n  }`
      ).join(",\n") +
      "\n} as const\n"
    const path = join(root, written)
    if (problems.length === 0 && !(existsSync(path) && isSame(readFileSync(path, "utf8"), text))) {
      if (write) writeFileSync(path, text)
      else problems.push(`${written} does not say what the comments say: \`npm run check -- columns --write\``)
    }
    return { problems }
  }
}
