/** The rules about dependencies, from the lockfiles: `lockfile`, `licences` and `vulnerabilities`. */
import { dirname, join } from "node:path"
import * as Command from "../shared/command.ts"
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"

/** A package of a lockfile, as npm writes it: `link` is one of this repository, `dev` one that only its developers install. */
interface Entry
  extends
    Readonly<Partial<Record<"version" | "resolved" | "integrity" | "license", string>>>,
    Readonly<Partial<Record<"hasInstallScript" | "link" | "dev", boolean>>>
{}

/** Reads every lockfile of the repository: the packages of others in it, by the folder they are installed in, below that of the lockfile. */
const lockfiles = (root: string) =>
  Files.found(root, "**/package-lock.json").map((path) => {
    const all: Readonly<Record<string, Entry>> = Files.json(root, path).packages
    const packages = Object.entries(all).filter(([folder, { link }]) => folder.includes("node_modules/") && !link)
    return { path, packages }
  })

type Lockfile = ReturnType<typeof lockfiles>[number]

/** The name of the package in a folder: `node_modules/a/node_modules/@b/c` holds `@b/c`. */
const nameOf = (folder: string): string => folder.replace(/^.*node_modules\//, "")

/** Lists the packages of a lockfile by which something else could be installed than what was tested. Addresses are not printed: they may hold a secret. */
const looseEnds = (root: string, { packages, path }: Lockfile): ReadonlyArray<string> => {
  const { allowScripts = {} } = Files.json(root, dirname(path), "package.json")
  return packages.flatMap(([folder, { hasInstallScript, integrity, resolved }]) =>
    Object.entries({
      "has no SHA-512: what is downloaded is compared with nothing": integrity?.startsWith("sha512-") !== true,
      "names an address: it is fetched from there, whatever registry the user has set": resolved !== undefined,
      "runs a program when it is installed: if it works without, forbid it under allowScripts in package.json":
        hasInstallScript === true && allowScripts[nameOf(folder)] !== false
    }).flatMap(([problem, isThere]) => isThere ? `${path}: ${folder} ${problem}` : [])
  )
}

export const lockfile: Rule = {
  why: "Only a package whose hash is known is the one that was tested; and only its user says where it comes from.",
  run: (root) => {
    const all = lockfiles(root)
    const count = all.flatMap(({ packages }) => packages).length
    const problems = all.flatMap((one) => looseEnds(root, one))
    return { problems, notes: [`${count} packages in ${all.length} lockfiles`] }
  }
}

/** Permissive licences, which require a notice at most. */
const permissive = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT"]

/** Licences whose further conditions concern distribution, and are fine for tools, which are not distributed. */
const forTools = [...permissive, "CC-BY-4.0", "CC BY-SA 4.0", "CC0-1.0", "MPL-2.0", "Python-2.0", "Unlicense", "WTFPL"]

/**
 * Packages without a licence in the lockfile, whose licences were read by hand: the inspector of the Model Context Protocol is moving from MIT to Apache-2.0,
 * and the binaries of Polars are under the licence of nodejs-polars, MIT.
 */
const readByHand = [/^@modelcontextprotocol\/inspector 2\.12\.0$/, /^nodejs-polars-[\w-]+ 0\.25\.2$/]

/** Lists the packages whose licence is not allowed. A package that npm does not mark as `dev` is installed with a published package. */
const refusedLicences = ({ packages, path }: Lockfile): ReadonlyArray<string> =>
  packages.flatMap(([folder, { dev, license = "none", version }]) => {
    const isTool = dev === true || path !== "package-lock.json"
    // One of the alternatives is enough.
    const alternatives = license.replaceAll(/[()]/g, "").split(" OR ")
    const isAllowed = alternatives.some((one) => (isTool ? forTools : permissive).includes(one))
    const named = `${nameOf(folder)} ${version}`
    const what = isTool ? "a tool" : "a package that comes along with ours"
    return isAllowed || (isTool && readByHand.some((read) => read.test(named))) ? [] : [
      `${named} has the licence ${license}, which is not allowed of ${what}: take another package, or add the licence to scripts/check/dependencies.ts`
    ]
  })

export const licences: Rule = {
  why: "Who installs a package takes on the licence of everything that comes along with it.",
  run: (root) => ({ problems: lockfiles(root).flatMap(refusedLicences) })
}

/** The result of `npm audit`: its report if there are findings, "unknown" if the registry has no advisories. */
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
