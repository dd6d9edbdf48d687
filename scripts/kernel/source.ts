/** The source of the WebAssembly kernel, and the module of core that carries what it compiles to. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const folder = import.meta.dirname

const assembly = join(folder, "assembly")

/** Where core keeps the compiled kernel. */
export const modulePath = "packages/core/src/columns/internal/kernelModule.ts"

/** A hash over the sources, and over the version of the compiler. */
export const sourceHash = (): string => {
  const hash = createHash("sha256").update(readFileSync(join(folder, "package.json")))
  for (const name of readdirSync(assembly).toSorted()) hash.update(name).update(readFileSync(join(assembly, name)))
  return hash.digest("hex")
}

/** The module of core for a compiled kernel. */
export const moduleFor = (wasm: Uint8Array): string =>
  `/**
 * The WebAssembly kernel, ${wasm.length} bytes, as \`npm run kernel\` has made it of the sources in scripts/kernel. Not to be edited.
 * Source: sha256 ${sourceHash()}
 */
export const base64 =
  "${Buffer.from(wasm).toString("base64")}"
`
