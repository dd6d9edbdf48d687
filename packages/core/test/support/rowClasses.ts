/** The classes of rows, as the comments at the columns describe them: `npm run check -- columns --write` writes them into the sources. */
import * as Query from "@effect-marketdata/core/Query"
import { posix } from "node:path"

/** Reads a file of core's sources by its path below src/. */
export type Read = (path: string) => string

/** Where the classes are. */
export const path = "schema/rows.ts"

/** An import of a file that columns may come from: one beside it, or one of the chain's. */
const imported = /from "(\.\/\w+\.ts|\.\.\/chain\/\w+\.ts)"/g

/** The text of a file, and those of the files that it may have columns from. */
const textsFrom = (read: Read, path: string): ReadonlyArray<string> => {
  const text = read(path)
  const others = [...text.matchAll(imported)].map(([, file = ""]) => posix.join(posix.dirname(path), file))
  return [text, ...others.flatMap((file) => textsFrom(read, file))]
}

/** A comment of one line, and the property behind it. */
const commented = /\/\*\* (.+) \*\/\n\s+"?(\w+)"?(?::|,)/g

const commentsIn = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(commented)].map(([, comment = "", name = ""]) => [name, comment]))

/** A table as its endpoint's file describes it: the module, what its row is, since when, and what its columns mean. */
const tableOf = (read: Read, { columns, name }: Query.AnyEndpoint) => {
  const module = name.slice(0, 1).toUpperCase() + name.slice(1)
  const texts = textsFrom(read, `endpoints/${module}.ts`)
  const [own = ""] = texts
  const sources = texts.map(commentsIn)
  return {
    name,
    module,
    row: / \* (One .+), as a view: /.exec(own)?.[1],
    since: /@since (\S+)/.exec(own)?.[1],
    meanings: columns.map((column) => [column, sources.find((comments) => comments.has(column))?.get(column)] as const)
  }
}

type Table = ReturnType<typeof tableOf>

const missing = ({ meanings, name, row }: Table): ReadonlyArray<string> => [
  ...(row === undefined
    ? [`the row of ${name} has no comment that says what one is: "One article, as a view: …"`]
    : []),
  ...meanings.filter(([, meaning]) => meaning === undefined).map(([column]) =>
    `the column ${column} of ${name} has no comment of one line that says what it means`
  )
]

const property = (name: string): string => /^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name)

const rowClass = ({ meanings, module, row, since }: Table): string => `
/**
 * ${row}, as a value of its own.
 *
 * @category schemas
 * @since ${since}
 */
export class ${module}Row
  extends /* @__PURE__ */ Schema.Class<${module}Row>("@effect-marketdata/core/${module}Row")(
    /* @__PURE__ */ fields(${module}.spec, {
${meanings.map(([column, meaning]) => `      ${property(column)}: ${JSON.stringify(meaning)}`).join(",\n")}
    })
  )
{}
`

const textOf = (tables: ReadonlyArray<Table>): string =>
  `\
/** A class for the rows of each table: written from the comments at the columns by \`npm run check -- columns --write\`. */
import * as Schema from "effect/Schema"
${tables.map(({ module }) => `import * as ${module} from "../endpoints/${module}.ts"`).join("\n")}
import { fields } from "./row.ts"
${tables.map(rowClass).join("")}`

/** The same meanings as plain data, for those who have no use for schemas. */
const meaningsOf = (tables: ReadonlyArray<Table>): string =>
  `\
/** What the columns of each table mean: written from the comments at the columns by \`npm run check -- columns --write\`. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
${tables.map(({ module }) => `import * as ${module} from "@effect-marketdata/core/${module}"`).join("\n")}

/** The columns of each table with what they mean, by name. */
export const meanings: ReadonlyArray<readonly [ColumnSpec, Readonly<Record<string, string>>]> = [
${
    tables.map(({ meanings, module }) =>
      `  [${module}.spec, {
${meanings.map(([column, meaning]) => `    ${property(column)}: ${JSON.stringify(meaning)}`).join(",\n")}
  }]`
    ).join(",\n")
  }
]
`

/** The text of the classes, that of the meanings, and what is missing to write them. */
export const rowClasses = (read: Read): Readonly<Record<"text" | "meanings", string>> & {
  readonly problems: ReadonlyArray<string>
} => {
  const tables = Object.values(Query.endpoints).filter(({ columns }) => columns.length > 0)
    .map((endpoint) => tableOf(read, endpoint))
  return { text: textOf(tables), meanings: meaningsOf(tables), problems: tables.flatMap(missing) }
}
