import * as Dependencies from "./dependencies.ts"
import type { Rule } from "./rule.ts"

const isExact = (range: string): boolean => /^\d/.test(range)

/** Says what of an entry would let something else be installed than what was tested. Where it came from is not repeated. */
const looseEnds = ({ integrity, resolved }: Dependencies.Entry): ReadonlyArray<string> => [
  ...(integrity === undefined
    ? ["has no integrity: what is downloaded is compared with nothing"]
    : integrity.startsWith("sha512-")
    ? []
    : ["has an integrity that is not SHA-512"]),
  ...(resolved === undefined ? [] : ["names an address: it is fetched from there, whatever registry the user has set"])
]

/** Says what npm would add to a package that the lockfile leaves out. `npm ci` then refuses wherever the registry has it. */
const gaps = (lockfile: Dependencies.Lockfile, folder: string): ReadonlyArray<string> => {
  const entry = lockfile.packages[folder]!
  const needed = { ...Dependencies.neededBy(entry), ...(folder === "" ? entry.devDependencies : {}) }
  return Object.entries(needed).flatMap(([name, range]) => {
    const found = Dependencies.find(lockfile, folder, name)
    const version = found === undefined ? undefined : lockfile.packages[found]?.version
    return found === undefined || (version !== undefined && isExact(range) && version !== range)
      ? [`needs ${name} ${range}, which is left out: \`npm ci\` refuses wherever the registry has it`]
      : []
  })
}

/** Says that a package wants to run a program of its own when it is installed, and that nobody has forbidden it to. */
const programs = ({ allowScripts, packages }: Dependencies.Lockfile, folder: string): ReadonlyArray<string> =>
  packages[folder]?.hasInstallScript === true && allowScripts[Dependencies.nameOf(folder)] !== false
    ? ["runs a program when it is installed: if it works without, forbid it under allowScripts in package.json"]
    : []

/** Says what is wrong with a lockfile. */
export const inspect = (lockfile: Dependencies.Lockfile): ReadonlyArray<string> =>
  Object.entries(lockfile.packages).flatMap(([folder, entry]) =>
    [
      ...(Dependencies.isForeign(folder, entry) ? looseEnds(entry) : []),
      ...programs(lockfile, folder),
      ...gaps(lockfile, folder)
    ].map((problem) => `${lockfile.path}: ${folder === "" ? "the repository" : folder} ${problem}`)
  )

export const lockfile: Rule = {
  name: "lockfile",
  why:
    "Only a package whose hash is known is the one that was tested, on every system; and only its user says where it comes from.",
  run: async (root) => {
    const lockfiles = await Dependencies.lockfiles(root)
    const count = lockfiles.flatMap(Dependencies.foreign).length
    return { problems: lockfiles.flatMap(inspect), notes: [`${count} packages in ${lockfiles.length} lockfiles`] }
  }
}
