import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Dependencies from "./dependencies.ts"
import type { Rule } from "./rule.ts"

/** Licences that let anybody use, change and pass on what they cover, for a notice at most. */
const permissive: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT"
])

/** Licences that ask for more, but only of those who pass the tool on, which nobody does here. */
const forTools: ReadonlySet<string> = new Set([...permissive, "CC-BY-4.0", "MPL-2.0"])

/** A package from outside, as its own manifest describes it. */
export interface Licensed {
  readonly name: string
  readonly version: string
  readonly licence: string | undefined
  /** Whether it comes along with a package that is published, or is only a tool of this repository. */
  readonly use: "published" | "tool"
}

/** Lists every package of the lockfiles once, by name and version; one that is published and a tool counts as published. */
export const list = (lockfiles: ReadonlyArray<Dependencies.Lockfile>): ReadonlyArray<Licensed> => {
  const all = lockfiles.flatMap((lockfile) => {
    const ours = Object.keys(lockfile.packages).filter((folder) => /^packages\/[^/]+$/.test(folder))
    const published = Dependencies.closure(lockfile, ours)
    return Dependencies.foreign(lockfile).map(([folder, { license, version = "" }]): Licensed => ({
      name: Dependencies.nameOf(folder),
      version,
      licence: license,
      use: published.has(folder) ? "published" : "tool"
    }))
  })
  const sorted = all.toSorted((a, b) =>
    a.use.localeCompare(b.use) || a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en")
  )
  const seen = new Set<string>()
  return sorted.filter(({ name, version }) => {
    const isNew = !seen.has(`${name} ${version}`)
    seen.add(`${name} ${version}`)
    return isNew
  })
}

/** Says which packages have a licence that nobody has agreed to. */
export const refused = (packages: ReadonlyArray<Licensed>): ReadonlyArray<string> =>
  packages
    .filter(({ licence, use }) => licence === undefined || !(use === "published" ? permissive : forTools).has(licence))
    .map(({ licence, name, use, version }) => {
      const what = licence === undefined ? "no licence" : `the licence ${licence}`
      const whose = use === "published" ? "a package that comes along with ours" : "a tool"
      return `${name} ${version} has ${what}, which is not allowed of ${whose}: take another package, or add the licence to ` +
        "scripts/check/licences.ts"
    })

const section = (packages: ReadonlyArray<Licensed>): string =>
  [...new Set(packages.map(({ licence = "none" }) => licence))]
    .toSorted((a, b) => a.localeCompare(b, "en"))
    .map((name) => {
      const covered = packages.filter(({ licence = "none" }) => licence === name)
      return `- **${name}** (${covered.length}): ${
        covered.map(({ name, version }) => `\`${name}\` ${version}`).join(", ")
      }`
    })
    .join("\n")

/** The page that lists them. */
export const page = (packages: ReadonlyArray<Licensed>): string =>
  `# Licences

Every package that this repository uses, by the licence that its own manifest names. Written from the lockfiles by \`npm run licences\`; \`npm run
check -- licences\` compares it with them, and refuses every licence that is not on its list. The packages of this repository are MIT.

## What comes along with a published package

Permissive licences only: ${[...permissive].map((name) => `\`${name}\``).join(", ")}.

${section(packages.filter(({ use }) => use === "published"))}

## Tools of this repository

Nothing of them is published. Also allowed: ${
    [...forTools].filter((name) => !permissive.has(name)).map((name) => `\`${name}\``).join(", ")
  }.

${section(packages.filter(({ use }) => use === "tool"))}
`

/** Where the page stands, from the root of the repository. */
export const path = "docs/licences.md"

export const licences: Rule = {
  name: "licences",
  why: "Who installs a package takes on the licence of everything that comes along with it.",
  run: async (root) => {
    const packages = list(await Dependencies.lockfiles(root))
    const file = join(root, path)
    const isCurrent = existsSync(file) && readFileSync(file, "utf8") === page(packages)
    return {
      problems: [
        ...refused(packages),
        ...(isCurrent ? [] : [`${path} is out of date: \`npm run licences\` writes it`])
      ],
      notes: [
        `${packages.length} packages, ${
          packages.filter(({ use }) => use === "published").length
        } of them published with ours`
      ]
    }
  }
}
