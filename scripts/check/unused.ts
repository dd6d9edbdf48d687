import * as Command from "./command.ts"
import type { Rule } from "./rule.ts"

/** Knip's report: for each file, under each kind of finding, what was found. */
interface Issue extends Readonly<Record<string, unknown>> {
  readonly file: string
}

interface Finding {
  readonly name: string
  readonly line?: number
}

/** Knip's names for the kinds, in words. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["binaries", "a program that no dependency brings"],
  ["dependencies", "an unused dependency"],
  ["devDependencies", "an unused dependency"],
  ["duplicates", "exported twice"],
  ["enumMembers", "an unused member"],
  ["exports", "an unused export"],
  ["files", "an unused file"],
  ["namespaceMembers", "an unused member"],
  ["optionalPeerDependencies", "a dependency that is optional and needed"],
  ["types", "an unused type"],
  ["unlisted", "a dependency that package.json does not list"],
  ["unresolved", "an import that leads nowhere"]
])

export const unused: Rule = {
  name: "unused",
  why: "Nobody dares to delete what might be used: dead exports, files and dependencies go at once.",
  run: async (root) => {
    const { ok, output, stdout } = await Command.runInstalled(root, "knip", [
      "--reporter",
      "json",
      "--no-progress",
      "--no-config-hints"
    ])
    if (ok) return { problems: [] }
    try {
      const { issues }: { readonly issues: ReadonlyArray<Issue> } = JSON.parse(stdout)
      return { problems: issues.flatMap(problemsOf) }
    } catch {
      return { problems: [`knip failed: ${output}`] }
    }
  }
}

const problemsOf = ({ file, ...found }: Issue): ReadonlyArray<string> =>
  Object.entries(found).flatMap(([kind, findings]) =>
    isFindings(findings) ? findings.map((finding) => sentence(file, finding, kinds.get(kind) ?? kind)) : []
  )

const sentence = (file: string, { line, name }: Finding, what: string): string => {
  const place = line === undefined ? file : `${file}:${line}`
  return name === file ? `${place} ${what}` : `${place} ${name}: ${what}`
}

const isFindings = (value: unknown): value is ReadonlyArray<Finding> =>
  Array.isArray(value) && value.every((finding) => typeof finding?.name === "string")
