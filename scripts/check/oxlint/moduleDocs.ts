/** Asks of every public module a header: what it is for, since when, and an example where it exports a value. */
import * as Docstring from "./docstring.ts"
import type { Context, LintRule, Node } from "./lintRule.ts"
import { isPublicModule, placeOf, rooms } from "./room.ts"

type Statement = Node<"Program">["body"][number]

/** True for a statement that puts a value into the module's interface, which an example can show. */
const exportsValue = (statement: Statement): boolean => {
  if (statement.type === "ExportAllDeclaration") return statement.exportKind !== "type"
  if (statement.type !== "ExportNamedDeclaration" || statement.exportKind === "type") return false
  const { declaration, specifiers } = statement
  if (declaration === null) return specifiers.some((specifier) => specifier.exportKind !== "type")
  return declaration.type !== "TSInterfaceDeclaration" && declaration.type !== "TSTypeAliasDeclaration"
}

export const moduleDocs: LintRule = {
  create: (context: Context) => ({
    Program: (program) => {
      const place = placeOf(context.cwd, context.filename)
      if (place === undefined || !isPublicModule(place)) return
      const [first] = program.body
      const before =
        (first === undefined ? context.sourceCode.getAllComments() : context.sourceCode.getCommentsBefore(first))
          .filter(Docstring.isDocstring)
      const [header] = before
      // Right before an export without an import between them, the last docstring is the export's.
      const isOfExport = before.length === 1 && first?.type.startsWith("Export") === true
      if (header === undefined || isOfExport) {
        context.report({
          loc: { line: 1, column: 0 },
          message: "the module has no header: open it with a docstring that says what it is for"
        })
        return
      }
      const docs = Docstring.parse(header)
      const missing = [
        ...Docstring.complaints(docs),
        ...(rooms.get(place.package)?.library === true && program.body.some(exportsValue) &&
            !/^```ts\b/m.test(docs.tags.get("example") ?? "")
          ? ["an `@example` with a ts fence"]
          : [])
      ]
      if (missing.length > 0) {
        context.report({ node: header, message: `the header of the module lacks ${missing.join(" and ")}` })
      }
    }
  })
}
