/** Bundles a program with our sources, for every Node, also one that cannot run TypeScript. */
import { build, type BuildOptions } from "esbuild"
import { join } from "node:path"
import { root } from "./script.ts"

const ofSources: BuildOptions = { bundle: true, conditions: ["@effect-marketdata/source"], format: "esm" }

/** Bundles a module that is given as its text, as if it lay in a folder. */
export const bundleText = async (folder: string, contents: string, options: BuildOptions): Promise<string> => {
  const stdin = { contents, loader: "ts", resolveDir: folder } as const
  const read: BuildOptions = { ...ofSources, absWorkingDir: folder, stdin, logLevel: "silent" }
  const { outputFiles } = await build({ ...read, ...options, write: false })
  return outputFiles[0]!.text
}

/**
 * Bundles a program into a folder, and returns its path. Modules that are imported by `import()` get files of their own, so that a process does not parse
 * libraries which it does not use.
 */
export const bundle = async (program: string, folder: string, external: Array<string> = []): Promise<string> => {
  const read: BuildOptions = { ...ofSources, absWorkingDir: root, entryPoints: { program }, external }
  const written = { outdir: folder, outExtension: { ".js": ".mjs" }, splitting: true }
  await build({ ...read, ...written, logLevel: "error", platform: "node", target: "node20" })
  return join(folder, "program.mjs")
}
