/** The sources of what core has in WebAssembly, and the modules of core that carry what they compile to. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const folder = import.meta.dirname

/** What is compiled from one folder of sources into one module of core. */
export interface Source {
  /** The folder below `assembly`. */
  readonly name: string
  readonly modulePath: string
  readonly what: string
}

export const sources: ReadonlyArray<Source> = [{
  name: "columns",
  modulePath: "packages/core/src/columns/internal/kernelModule.ts",
  what: "The WebAssembly kernel"
}, {
  name: "chain",
  modulePath: "packages/core/src/chain/chainScanModule.ts",
  what: "The scan of a chain's rows in WebAssembly"
}]

/** A hash over the sources of one module, and over the version of the compiler. */
export const sourceHash = ({ name }: Source): string => {
  const assembly = join(folder, "assembly", name)
  const hash = createHash("sha256").update(readFileSync(join(folder, "package.json")))
  for (const name of readdirSync(assembly).toSorted()) hash.update(name).update(readFileSync(join(assembly, name)))
  return hash.digest("hex")
}

/** The module of core for what was compiled. */
export const moduleFor = (source: Source, wasm: Uint8Array): string =>
  `/**
 * ${source.what}, ${wasm.length} bytes, as \`npm run kernel\` has made it of the sources in scripts/kernel. Not to be edited.
 * Source: sha256 ${sourceHash(source)}
 */
export const hex =
  "${Buffer.from(wasm).toString("hex")}"
`
