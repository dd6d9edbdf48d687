/**
 * Bundles the program `marketdata` into packages/cli/bundle/, with everything that it needs: `bin` leads there, and the tarball holds nothing else.
 * What a command loads when it runs stays in files of its own. Nothing is shortened: a stack names functions and lines, and compiled code is kept.
 */
import { build, type Metafile } from "esbuild"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The file that `bin` leads to, below the repository. */
export const program = "packages/cli/bundle/marketdata.js"

/** Where the licences of what is bundled are, beside it. */
const licences = "third-party-licenses.txt"

/** The packages below node_modules that a bundle holds parts of, by their folders. */
const packagesIn = ({ inputs }: Metafile): ReadonlyArray<string> =>
  [
    ...new Set(Object.keys(inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
  ].toSorted()

/** The name, version and licence of a package, as its licence asks of all who pass its code on. */
const licenceOf = (folder: string): string => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no file with its licence, which the bundle has to hold`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`
}

/** Bundles it, and returns what esbuild knows of the result. */
export const bundle = async (root: string): Promise<Metafile> => {
  const outdir = join(root, program, "..")
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    // The same code without `require`, which each file would first have to make.
    alias: { yaml: "./node_modules/yaml/browser/index.js" },
    bundle: true,
    chunkNames: "[name]-[hash]",
    conditions: ["@effect-marketdata/source"],
    entryPoints: { marketdata: "packages/cli/src/bin.ts" },
    format: "esm",
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    outdir,
    platform: "node",
    splitting: true,
    target: "node20"
  })
  writeFileSync(
    join(outdir, licences),
    packagesIn(metafile).map((folder) => licenceOf(join(root, folder))).join(`\n${"-".repeat(80)}\n\n`)
  )
  return metafile
}

if (import.meta.main) await bundle(join(import.meta.dirname, "../.."))
