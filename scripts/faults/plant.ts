/** Puts the broken version of a declaration in its place. */
import * as Result from "effect/Result"
import { parseSync } from "oxc-parser"

/** The replacement of a range of a source. */
interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

type Node = ReturnType<typeof parseSync>["program"]["body"][number]

const insert = (at: number, text: string): Change => ({ start: at, end: at, text })

/**
 * If the statement declares `name`: the changes that rename it and declare the broken one after it. A function is hoisted, and so must the broken one be.
 */
const changes = (statement: Node, name: string, broken: string): ReadonlyArray<Change> => {
  const isExported = statement.type === "ExportNamedDeclaration"
  const declaration = isExported ? statement.declaration : statement
  const sound = `${name}$sound`
  const inPlace = (text: string) => insert(statement.end, `; ${isExported ? "export " : ""}${text}`)
  switch (declaration?.type) {
    case "VariableDeclaration": {
      const ids = declaration.declarations.map(({ id }) => id)
      const id = ids.find((id) => id.type === "Identifier" && id.name === name)
      if (id === undefined) return []
      return [
        { start: id.start, end: id.start + name.length, text: sound },
        inPlace(`const ${name} = ${broken}(${sound})`)
      ]
    }
    case "ClassDeclaration": {
      const { id } = declaration
      return id?.name === name ? [{ ...id, text: sound }, inPlace(`const ${name} = ${broken}(${sound})`)] : []
    }
    case "FunctionDeclaration":
    case "TSDeclareFunction": {
      const { id } = declaration
      if (id?.name !== name) return []
      const own = `function ${name}(...input) { return ${broken}(${sound}).apply(this, input) }`
      return [{ ...id, text: sound }, ...(declaration.type === "FunctionDeclaration" ? [inPlace(own)] : [])]
    }
    default:
      return []
  }
}

/**
 * Returns the source with `broken`, an expression of a function, applied to what it declares as `name`; `prelude` comes first, in the
 * source's first line. Fails where the source declares no such name.
 */
export const plant = (
  source: string,
  { broken, name, prelude }: { readonly name: string; readonly broken: string; readonly prelude: string }
): Result.Result<string, string> => {
  const { errors, program } = parseSync("source.ts", source, { sourceType: "module" })
  if (errors[0] !== undefined) return Result.fail(errors[0].message)
  const all = program.body.flatMap((statement) => changes(statement, name, broken))
  if (all.length === 0) return Result.fail(`it declares no ${name}`)
  const planted = all.toSorted((a, b) => b.start - a.start)
    .reduce((text, { end, start, text: own }) => text.slice(0, start) + own + text.slice(end), source)
  return Result.succeed(`${prelude}; ${planted}`)
}
