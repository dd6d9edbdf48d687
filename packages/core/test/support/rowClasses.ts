/** The classes of rows, as the comments at the columns describe them: `npm run check -- columns --write` writes them into the sources. */
import * as Query from "@effect-marketdata/core/Query"
import { posix } from "node:path"

/** Reads a file of core's sources by its path below src/. */
export type Read = (path: string) => string

/** Where the classes are, and the meanings. */
export const paths = { rows: "schema/rows.ts", meanings: "schema/ColumnMeanings.ts" } as const

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

const rowClass = ({ module, name, row, since }: Table): string => `
/**
 * ${row}, as a value of its own.
 *
 * @category schemas
 * @since ${since}
 */
export class ${module}Row
  extends /* @__PURE__ */ rowOf<${module}Row>()("${module}Row", ${module}.spec, ColumnMeanings.${name})
{}
`

const textOf = (tables: ReadonlyArray<Table>): string =>
  `\
/** A class for the rows of each table: written by \`npm run check -- columns --write\`. */
${tables.map(({ module }) => `import * as ${module} from "../endpoints/${module}.ts"`).toSorted().join("\n")}
import { rowOf } from "./answer.ts"
import * as ColumnMeanings from "./ColumnMeanings.ts"
${tables.map(rowClass).join("")}`

/** Columns that mean the same, as those of a chain and of a quote do, are written once. */
const meaningsOf = (tables: ReadonlyArray<Table>) => (table: Table): string => {
  const textOf = ({ meanings }: Table): string =>
    `{\n${meanings.map(([column, meaning]) => `  ${property(column)}: ${JSON.stringify(meaning)}`).join(",\n")}\n}`
  const same = tables.find((other) => textOf(other) === textOf(table))!
  return `
/**
 * The columns of \`${table.module}\`.
 *
 * @category constants
 * @since ${table.since}
 */
export ${same === table ? `const ${table.name} = ${textOf(table)} as const` : `{ ${same.name} as ${table.name} }`}
`
}

const allMeanings = (tables: ReadonlyArray<Table>): string =>
  `\
/**
 * What each column of each table means, in a sentence, by the names of endpoint and column. This module is written from the comments at the
 * columns by \`npm run check -- columns --write\`.
 *
 * @example
 * \`\`\`ts
 * import * as ColumnMeanings from "@effect-marketdata/core/ColumnMeanings"
 *
 * ColumnMeanings.optionChain.bid // => "The highest bid, in dollars a share."
 * \`\`\`
 *
 * @see {@link Schemas} for the classes of rows, which say the same
 * @since 0.1.0
 */
${tables.map(meaningsOf(tables)).join("")}`

/** The text of the classes, that of the meanings, and what is missing to write them. */
export const rowClasses = (read: Read) => {
  const tables = Object.values(Query.endpoints).filter(({ columns }) => columns.length > 0)
    .map((endpoint) => tableOf(read, endpoint))
  return { text: textOf(tables), meanings: allMeanings(tables), problems: tables.flatMap(missing) }
}
