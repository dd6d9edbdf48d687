/** Asks of every export of a public module a docstring: what it is, since when, and under which heading it is listed. */
import * as Docstring from "./docstring.ts"
import type { Context, LintRule, Node } from "./lintRule.ts"
import { isPublicModule, placeOf } from "./room.ts"

type Export = Node<"ExportNamedDeclaration"> | Node<"ExportAllDeclaration">

/** Headings that say nothing of what stands under them. */
const emptyCategories = new Set(["utils", "utilities", "common", "misc", "helpers", "other"])

const nameOf = (node: Export): string => {
  if (node.type === "ExportAllDeclaration") return `what is exported from ${node.source.value}`
  const { declaration } = node
  if (declaration === null) return "what is exported here"
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.map(({ id }) => (id.type === "Identifier" ? id.name : "a pattern")).join(", ")
  }
  return "id" in declaration && declaration.id !== null && "name" in declaration.id
    ? declaration.id.name
    : declaration.type
}

const categoryComplaints = (category: string | undefined): ReadonlyArray<string> => {
  if (category === undefined || category === "") return ["`@category`"]
  return emptyCategories.has(category.toLowerCase()) ? [`a \`@category\` that says more than ${category}`] : []
}

export const exportDocs: LintRule = {
  create: (context: Context) => {
    const place = placeOf(context.cwd, context.filename)
    if (place === undefined || !isPublicModule(place)) return {}
    let overloaded: string | undefined

    const check = (node: Export) => {
      const name = nameOf(node)
      const isFunction = node.type === "ExportNamedDeclaration" &&
        (node.declaration?.type === "FunctionDeclaration" || node.declaration?.type === "TSDeclareFunction")
      // The first of a function's overloads is documented for all.
      if (isFunction && overloaded === name) return
      overloaded = isFunction ? name : undefined

      const comment = context.sourceCode.getCommentsBefore(node).findLast(Docstring.isDocstring)
      if (comment === undefined) {
        context.report({ node, message: `${name} has no docstring` })
        return
      }
      const docs = Docstring.parse(comment)
      if (docs.tags.has("internal")) return
      const isReExport = node.type === "ExportAllDeclaration" || node.declaration === null
      const missing = [
        ...Docstring.complaints(docs),
        ...(isReExport ? [] : categoryComplaints(docs.tags.get("category")))
      ]
      if (missing.length > 0) {
        context.report({ node, message: `the docstring of ${name} lacks ${missing.join(" and ")}` })
      }
    }

    return { ExportNamedDeclaration: check, ExportAllDeclaration: check }
  }
}
