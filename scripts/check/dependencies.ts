/** The rules about what comes from outside, as the lockfiles name it: `lockfile`, `licences` and `vulnerabilities`. */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Command from "../shared/command.ts"
import type { Rule } from "./rule.ts"

/** A package of a lockfile, as npm writes it. */
interface Entry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  /** A package of this repository. */
  readonly link?: boolean
  /** A package that only developers of this repository install. */
  readonly dev?: boolean
}

/** A lockfile: its packages by the folder they are installed in, below that of the lockfile. */
interface Lockfile {
  /** From the root of the repository. */
  readonly path: string
  readonly packages: Readonly<Record<string, Entry>>
  /** Whether a package may run its programs when it is installed, by the package.json beside the lockfile. */
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

/** Reads every lockfile of the repository. */
const lockfiles = (root: string): ReadonlyArray<Lockfile> =>
  globSync("**/package-lock.json", { cwd: root, exclude: ["**/node_modules"] }).toSorted().map((path) => ({
    path: path.replaceAll("\\", "/"),
    packages: readJson(join(root, path)).packages,
    allowScripts: readJson(join(root, dirname(path), "package.json")).allowScripts
  }))

const isForeign = ([folder, { link }]: readonly [string, Entry]): boolean =>
  folder.includes("node_modules/") && link !== true

/** The name of the package in a folder: `node_modules/a/node_modules/@b/c` holds `@b/c`. */
const nameOf = (folder: string): string => folder.replace(/^.*node_modules\//, "")

/** Says what of a lockfile would let something else be installed than what was tested. Where a package came from is not repeated. */
const looseEnds = ({ allowScripts, packages, path }: Lockfile): ReadonlyArray<string> =>
  Object.entries(packages).filter(isForeign).flatMap(([folder, { hasInstallScript, integrity, resolved }]) =>
    Object.entries({
      "has no SHA-512: what is downloaded is compared with nothing": integrity?.startsWith("sha512-") !== true,
      "names an address: it is fetched from there, whatever registry the user has set": resolved !== undefined,
      "runs a program when it is installed: if it works without, forbid it under allowScripts in package.json":
        hasInstallScript === true && allowScripts?.[nameOf(folder)] !== false
    }).flatMap(([problem, isThere]) => isThere ? `${path}: ${folder} ${problem}` : [])
  )

export const lockfile: Rule = {
  why: "Only a package whose hash is known is the one that was tested; and only its user says where it comes from.",
  run: (root) => {
    const all = lockfiles(root)
    const count = all.flatMap(({ packages }) => Object.entries(packages).filter(isForeign)).length
    return { problems: all.flatMap(looseEnds), notes: [`${count} packages in ${all.length} lockfiles`] }
  }
}

/** Licences that let anybody use, change and pass on what they cover, for a notice at most. */
const permissive = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT"]

/** Licences that ask for more, but only of those who pass the tool on, which nobody does here. */
const forTools = [...permissive, "CC-BY-4.0", "CC BY-SA 4.0", "CC0-1.0", "MPL-2.0", "Python-2.0", "Unlicense", "WTFPL"]

/**
 * Packages whose licence has no name in the lockfile, as it was read: the inspector of the Model Context Protocol is on its way from MIT
 * to Apache-2.0, and what Polars compiled for each machine is under the licence of nodejs-polars, MIT.
 */
const readByHand = [/^@modelcontextprotocol\/inspector 2\.12\.0$/, /^nodejs-polars-[\w-]+ 0\.25\.2$/]

/** Says which packages have a licence that nobody has agreed to. What npm does not mark as a tool comes along with a published package. */
const refusedLicences = ({ packages, path }: Lockfile): ReadonlyArray<string> =>
  Object.entries(packages).filter(isForeign).flatMap(([folder, { dev, license = "none", version }]) => {
    const isTool = dev === true || path !== "package-lock.json"
    // Of several one may be chosen.
    const isAllowed = license.replaceAll(/[()]/g, "").split(" OR ").some((one) =>
      (isTool ? forTools : permissive).includes(one)
    )
    return isAllowed || (isTool && readByHand.some((read) => read.test(`${nameOf(folder)} ${version}`))) ? [] : [
      `${nameOf(folder)} ${version} has the licence ${license}, which is not allowed of ${
        isTool ? "a tool" : "a package that comes along with ours"
      }: take another package, or add the licence to scripts/check/dependencies.ts`
    ]
  })

export const licences: Rule = {
  why: "Who installs a package takes on the licence of everything that comes along with it.",
  run: (root) => ({ problems: lockfiles(root).flatMap(refusedLicences) })
}

/** What `npm audit` came to: its report where something is known, "unknown" where the registry has no advisories to ask. */
export const audited = ({ ok, stdout }: { readonly ok: boolean; readonly stdout: string }): string | undefined =>
  ok ? undefined : /^\d+ .*\bvulnerabilit/m.test(stdout) ? stdout.trim() : "unknown"

export const vulnerabilities: Rule = {
  why: "A hole that is known is the one that gets used.",
  run: async (root) => {
    const problems: Array<string> = []
    for (const { path } of lockfiles(root)) {
      const options = { cwd: join(root, dirname(path)), timeout: 60_000 }
      const report = audited(await Command.run("npm", ["audit", "--package-lock-only"], options))
      if (report === "unknown") {
        return { problems, notChecked: "the registry in use gives no advisories: run it where one does" }
      }
      if (report !== undefined) problems.push(`${path}: ${report}`)
    }
    return { problems }
  }
}
