/** Puts the broken version of a declaration in its place. */
import * as Result from "effect/Result"
import { parseSync } from "oxc-parser"

type Statement = ReturnType<typeof parseSync>["program"]["body"][number]

/** The names that a statement declares and exports, with their places. */
const namesOf = (statement: Statement) => {
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined
  if (declaration?.type === "VariableDeclaration") return declaration.declarations.map(({ id }) => id)
  const isNamed = declaration?.type === "ClassDeclaration" || declaration?.type === "FunctionDeclaration"
  return isNamed ? [declaration.id] : []
}

/**
 * Returns the source with `broken`, an expression of a function, applied to what it exports as `name`: that is renamed, and the broken version declared
 * behind it. `prelude` comes first, in the source's first line. Fails where the source exports no such name.
 */
export const plant = (
  source: string,
  { broken, name, prelude }: { readonly name: string; readonly broken: string; readonly prelude: string }
): Result.Result<string, string> => {
  const { errors, program } = parseSync("source.ts", source, { sourceType: "module" })
  if (errors[0] !== undefined) return Result.fail(errors[0].message)
  for (const statement of program.body) {
    const id = namesOf(statement).find((id) => id?.type === "Identifier" && id.name === name)
    if (id === undefined || id === null) continue
    const renamed = `${source.slice(0, id.start)}${name}$sound${source.slice(id.start + name.length, statement.end)}`
    const own = `export const ${name} = ${broken}(${name}$sound)`
    return Result.succeed(`${prelude}; ${renamed}; ${own}${source.slice(statement.end)}`)
  }
  return Result.fail(`it declares no ${name}`)
}
