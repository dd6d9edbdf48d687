/** Asks of every public module and of every export of it a docstring: what it is, since when, how it is used or where it is listed. */
import type { Comment, Context, LintRule, Node } from "./lintRule.ts"
import { isPublicModule, placeOf, rooms } from "./room.ts"

/** A docstring taken apart: what it lacks that all must have, and its tags with their texts. */
interface Docstring {
  readonly lacks: ReadonlyArray<string>
  readonly tags: ReadonlyMap<string, string>
}

const isDocstring = (comment: Comment): boolean => comment.type === "Block" && comment.value.startsWith("*")

const parse = (comment: Comment): Docstring => {
  const text = comment.value.slice(1).split("\n").map((line) => line.replace(/^\s*\* ?|^\s+/, "")).join("\n")
  // A tag opens its line; an at-sign elsewhere, as in a code fence, is text.
  const [description = "", ...tagged] = text.split(/^@(?=\w+)/m)
  const tags = new Map(tagged.map((tag) => {
    const name = /^\w+/.exec(tag)?.[0] ?? ""
    return [name, tag.slice(name.length).trim()]
  }))
  const lacks = [
    ...description.trim() === "" ? ["a sentence that says what it is"] : [],
    ...(/^\d+\.\d+\.\d+$/.test(tags.get("since") ?? "") ? [] : ["`@since` with a version"])
  ]
  return { lacks, tags }
}

/** True for a statement that puts a value into the module's interface, which an example can show. */
const exportsValue = (statement: Node<"Program">["body"][number]): boolean => {
  if (statement.type === "ExportAllDeclaration") return statement.exportKind !== "type"
  if (statement.type !== "ExportNamedDeclaration" || statement.exportKind === "type") return false
  const { declaration, specifiers } = statement
  if (declaration === null) return specifiers.some((specifier) => specifier.exportKind !== "type")
  return declaration.type !== "TSInterfaceDeclaration" && declaration.type !== "TSTypeAliasDeclaration"
}

const inPublicModule = (
  visit: (context: Context, library: boolean) => ReturnType<LintRule["create"] & {}>
): LintRule => ({
  create: (context) => {
    const place = placeOf(context.cwd, context.filename)
    return place !== undefined && isPublicModule(place)
      ? visit(context, rooms.get(place.package)?.library === true)
      : {}
  }
})

/** A header for every module, with an example where it exports a value for others to build on. */
export const moduleDocs: LintRule = inPublicModule((context, library) => ({
  Program: (program) => {
    const [first] = program.body
    const { getAllComments, getCommentsBefore } = context.sourceCode
    const before = (first === undefined ? getAllComments() : getCommentsBefore(first)).filter(isDocstring)
    const [header] = before
    // Right before an export without an import between them, the last docstring is the export's.
    if (header === undefined || (before.length === 1 && first?.type.startsWith("Export") === true)) {
      const message = "the module has no header: open it with a docstring that says what it is for"
      return context.report({ loc: { line: 1, column: 0 }, message })
    }
    const { lacks, tags } = parse(header)
    const isShown = !library || !program.body.some(exportsValue) || /^```ts\b/m.test(tags.get("example") ?? "")
    const missing = [...lacks, ...isShown ? [] : ["an `@example` with a ts fence"]].join(" and ")
    if (missing !== "") context.report({ node: header, message: `the header of the module lacks ${missing}` })
  }
}))

type Export = Node<"ExportNamedDeclaration"> | Node<"ExportAllDeclaration">

/** What an export is called, by its text. */
const nameOf = (context: Context, node: Export): string => {
  if (node.type === "ExportAllDeclaration") return `what is exported from ${node.source.value}`
  const text = context.sourceCode.getText(node)
  return /^export (?:declare |abstract |async )*\w+\*? (\w+)/.exec(text)?.[1] ?? "what is exported here"
}

const categoryProblem = (categories: ReadonlyArray<unknown>, category = ""): ReadonlyArray<string> =>
  categories.includes(category)
    ? []
    : [category === "" ? "`@category`" : `a \`@category\` of the list (${categories.join(", ")}), not ${category}`]

/**
 * A docstring for every export, with the heading under which it is listed: one of the rule's options, which are few, and the same in every module, so
 * that a reader knows where to look.
 */
const documented = inPublicModule((context) => {
  let overloaded: string | undefined
  const check = (node: Export): void => {
    const name = nameOf(context, node)
    const isFunction = node.type === "ExportNamedDeclaration" &&
      (node.declaration?.type === "FunctionDeclaration" || node.declaration?.type === "TSDeclareFunction")
    // The first of a function's overloads is documented for all.
    if (isFunction && overloaded === name) return
    overloaded = isFunction ? name : undefined

    const comment = context.sourceCode.getCommentsBefore(node).findLast(isDocstring)
    if (comment === undefined) return context.report({ node, message: `${name} has no docstring` })
    const { lacks, tags } = parse(comment)
    if (tags.has("internal")) return
    const isReExport = node.type === "ExportAllDeclaration" || node.declaration === null
    const heading = isReExport ? [] : categoryProblem(context.options, tags.get("category"))
    const missing = [...lacks, ...heading].join(" and ")
    if (missing !== "") context.report({ node, message: `the docstring of ${name} lacks ${missing}` })
  }
  return { ExportNamedDeclaration: check, ExportAllDeclaration: check }
})

/** Any heading may be an option. */
export const exportDocs: LintRule = { ...documented, meta: { schema: false } }
