/** Bundles a program with our sources, so that every Node runs the same code, also one that cannot read TypeScript. */
import { build } from "esbuild"
import { join } from "node:path"
import { root } from "./script.ts"

/**
 * Bundles a program into a folder, and returns where it is then. What is loaded later stays in files of its own: nothing waits for the parsing of
 * libraries that it does not use.
 */
export const bundle = async (program: string, folder: string, external: Array<string> = []): Promise<string> => {
  await build({
    entryPoints: { program },
    absWorkingDir: root,
    bundle: true,
    conditions: ["@effect-marketdata/source"],
    external,
    format: "esm",
    logLevel: "error",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    splitting: true,
    target: "node20"
  })
  return join(folder, "program.mjs")
}
