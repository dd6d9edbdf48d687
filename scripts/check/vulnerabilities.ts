import { dirname, join } from "node:path"
import * as Command from "./command.ts"
import * as Dependencies from "./dependencies.ts"
import type { Rule } from "./rule.ts"

/** What `npm audit --json` prints, as far as it is read here: a report, or why there is none. */
interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>
  readonly message?: string
  readonly error?: { readonly summary?: string }
}

interface Vulnerability {
  readonly name: string
  readonly severity: string
  readonly range: string
  /** The advisories, and the packages through which it has others. */
  readonly via: ReadonlyArray<string | { readonly title: string; readonly url: string }>
}

/** Reads a report: the known vulnerabilities, a line each, or why nothing is known. */
export const read = (
  output: string
): { readonly known: ReadonlyArray<string> } | { readonly unknown: string } => {
  let audit: Audit
  try {
    audit = JSON.parse(output)
  } catch {
    return { unknown: "`npm audit` gave no report" }
  }
  const { error, message, vulnerabilities } = audit
  if (vulnerabilities === undefined) {
    const why = (message ?? error?.summary ?? "").replaceAll(/\s*-?\s*\b(?:GET|POST)?\s*https?:\S+/g, "").trim()
    return { unknown: `the registry in use gives no advisories${why === "" ? "" : ` (${why})`}` }
  }
  return {
    known: Object.values(vulnerabilities).flatMap(({ name, range, severity, via }) =>
      via.flatMap((advisory) =>
        typeof advisory === "string" ? [] : [`${name} ${range}: ${severity}, ${advisory.title} (${advisory.url})`]
      )
    )
  }
}

/** After so many milliseconds a registry that has not answered does not answer. */
const patience = 60_000

export const vulnerabilities: Rule = {
  name: "vulnerabilities",
  why: "A hole that is known is the one that gets used.",
  run: async (root) => {
    const problems: Array<string> = []
    for (const { path } of await Dependencies.lockfiles(root)) {
      const { stdout } = await Command.run("npm", ["audit", "--json", "--package-lock-only"], {
        cwd: join(root, dirname(path)),
        timeout: patience
      })
      const found = read(stdout)
      if ("unknown" in found) return { problems, notChecked: `${found.unknown}: run it where one does` }
      problems.push(...found.known.map((line) => `${path}: ${line}`))
    }
    return { problems }
  }
}
