import * as Result from "effect/Result"
import * as ColumnDecoder from "./ColumnDecoder.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import type { Content } from "./ColumnTable.ts"
import type { DecodeError } from "./DecodeError.ts"
import type { Finding } from "./Finding.ts"
import * as TableContent from "./tableContent.ts"

/**
 * Decodes a reply whose columns differ in length: each is read by itself, and those that are shorter end in nulls. Every one of them is a
 * finding with both lengths: which elements it lacks nobody can tell.
 */
export const decode = (
  spec: ColumnSpec,
  body: Uint8Array,
  { columns = Object.keys(spec), maxRows, statusOptional }: ColumnDecoder.DecodeOptions
): Result.Result<Content, DecodeError> =>
  Result.gen(function*() {
    const names = Object.keys(spec).filter((name) => columns === "present" || columns.includes(name))
    const all: Array<{ readonly name: string; readonly content: Content }> = []
    const missing: Array<Finding> = []
    for (const name of names) {
      const column = { [name]: spec[name]! }
      const scalars = Object.keys(spec).filter((other) => other !== name)
      const read = ColumnDecoder.decode(column, body, { scalars, maxRows, statusOptional })
      if (Result.isSuccess(read) || read.failure.code !== "MissingColumn") {
        all.push({ name, content: yield* read })
      } else if (columns === "present") missing.push(missingColumn(name))
      else {
        const { vectors } = yield* ColumnDecoder.decode(column, `{"${name}":[]}`, { statusOptional: true })
        all.push({ name, content: { ...nothing, vectors, findings: [missingColumn(name)] } })
      }
    }
    const longest = all.reduce((a, b) => b.content.length > a.content.length ? b : a)
    const { length } = longest.content
    const filled = all.map(({ content, name }) =>
      TableContent.concat({ [name]: spec[name]! }, [content, { ...nothing, length: length - content.length }])
    )
    const mismatches = all.flatMap(({ content, name }): ReadonlyArray<Finding> =>
      content.length === length || content.findings.some(({ code }) => code === "MissingColumn")
        ? []
        : [{
          code: "LengthMismatch",
          column: name,
          count: length - content.length,
          examples: [{
            index: content.length,
            expected: `${length} elements, as in ${longest.name}`,
            received: String(content.length)
          }]
        }]
    )
    return {
      length,
      vectors: Object.assign({}, ...filled.map(({ vectors }) => vectors)),
      nulls: Object.assign({}, ...filled.map(({ nulls }) => nulls)),
      findings: [...mismatches, ...missing, ...distinct(all.flatMap(({ content }) => content.findings))]
    }
  })

const nothing: Content = { length: 0, vectors: {}, nulls: {}, findings: [] }

const missingColumn = (column: string): Finding => ({ code: "MissingColumn", column, count: 1, examples: [] })

/** What each column's reading found about the whole reply is one finding. */
const distinct = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> => [
  ...new Map(findings.map((finding) => [`${finding.code} ${finding.column}`, finding])).values()
]
