/** Requires a docstring of every public module and export: a description, `@since`, and an example or a category. */
import { parseSync } from "oxc-parser"
import * as Files from "../shared/files.ts"
import { type Building, buildings, type Module } from "./buildings.ts"
import type { Rule } from "./rule.ts"

/** The categories of exports: few, and the same in every module. */
const categories = [
  "arbitraries combinators configuration constants constructors conversions decisions decoding encoding errors formatting",
  "getters guards instances laws layers models predicates pricing queries references running schemas services transitions"
].join(" ").split(" ")

/** A docstring taken apart: what it lacks that all must have, and its tags with their texts. */
const parse = (docstring: string) => {
  const text = docstring.slice(1).split("\n").map((line) => line.replace(/^\s*\* ?|^\s+/, "")).join("\n")
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

/** What a docstring lacks of a heading. */
const lacksHeading = (category = ""): ReadonlyArray<string> =>
  categories.includes(category)
    ? []
    : [category === "" ? "`@category`" : `a \`@category\` of the list (${categories.join(", ")}), not ${category}`]

/** What the docstrings of a module lack, with their lines. */
const problemsOf = ({ isLibrary }: Building, { code, path }: Module): ReadonlyArray<string> => {
  const { comments, program: { body } } = parseSync(path, code)
  /** The docstrings between a statement and the one before it. */
  const before = (at: number) =>
    comments.filter(({ end, start, type, value }) =>
      type === "Block" && value.startsWith("*") && start >= (body[at - 1]?.end ?? 0) && end <= (body[at]?.start ?? end)
    )
  const problems: Array<string> = []

  const [header, ...others] = before(0)
  // A docstring right before an export is the export's, not the module's.
  if (header === undefined || (others.length === 0 && body[0]?.type.startsWith("Export") === true)) {
    problems.push("1 the module has no header: open it with a docstring that says what it is for")
  } else {
    const { lacks, tags } = parse(header.value)
    const isShown = !isLibrary || /^```ts\b/m.test(tags.get("example") ?? "")
    const missing = [...lacks, ...isShown ? [] : ["an `@example` with a ts fence"]]
    if (missing.length > 0) problems.push(`1 the header of the module lacks ${missing.join(" and ")}`)
  }

  for (const [at, statement] of body.entries()) {
    const isReExport = statement.type === "ExportAllDeclaration"
    if (!isReExport && statement.type !== "ExportNamedDeclaration") continue
    const declaration = isReExport ? null : statement.declaration
    const text = code.slice(statement.start, statement.end)
    const name = /^export (?:declare |abstract |async )*\w+\*? (\w+)/.exec(text)?.[1] ?? "what is exported here"
    const docstring = before(at).at(-1)
    const { lacks, tags } = parse(docstring?.value ?? "*")
    if (tags.has("internal")) continue
    const missing = [...lacks, ...declaration === null ? [] : lacksHeading(tags.get("category"))].join(" and ")
    const line = Files.lineAt(code, statement.start)
    if (docstring === undefined) problems.push(`${line} ${name} has no docstring`)
    else if (missing !== "") problems.push(`${line} the docstring of ${name} lacks ${missing}`)
  }
  return problems
}

export const docs: Rule = {
  why:
    "An export that nobody can look up does not exist: every one says what it is, since when and where it is listed.",
  run: (root) => ({
    problems: buildings(root).flatMap((building) =>
      // Others import a module whose name begins with a capital; one that does not is for its package alone.
      building.modules.filter(({ path }) => /(?:^|\/)[A-Z][^/]*$/.test(path)).flatMap((module) =>
        problemsOf(building, module).map((problem) => `packages/${building.name}/src/${module.path}:${problem}`)
      )
    )
  })
}
