/** The sources of core's WebAssembly, and the modules of core that embed the compiled code. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Apart from "../shared/apart.ts"
import { temporaryFolder } from "../shared/files.ts"
import { root } from "../shared/script.ts"

const folder = import.meta.dirname

/** Where the sources of core's loops lie, in AssemblyScript. */
export const assembly = join(root, "packages/core/assembly")

/** What is compiled from one folder of sources, by its name below `assembly`, into one module of core. */
type Source = typeof sources[number]

export const sources = [{
  name: "columns",
  modulePath: "packages/core/src/columns/internal/kernelModule.ts",
  what: "The WebAssembly kernel"
}, {
  name: "chain",
  modulePath: "packages/core/src/chain/chainScanModule.ts",
  what: "The scan of a chain's rows in WebAssembly"
}]

/** A hash over the sources of one module, and over the version of the compiler. */
const sourceHash = ({ name }: Source): string => {
  const sources = join(assembly, name)
  const hash = createHash("sha256").update(readFileSync(join(folder, "package.json")))
  for (const name of readdirSync(sources).toSorted()) hash.update(name).update(readFileSync(join(sources, name)))
  return hash.digest("hex")
}

/** The module of core for what was compiled. */
export const moduleFor = (source: Source, wasm: Uint8Array): string =>
  `/**
 * ${source.what}, ${wasm.length} bytes, as \`npm run check -- kernel --write\` has made it of the sources in packages/core/assembly. Not to be edited.
 * Source: sha256 ${sourceHash(source)}
 */
export const hex =
  "${Buffer.from(wasm).toString("hex")}"
`

/** Compiles one of the sources with the compiler that scripts/kernel/package-lock.json names. */
export const compile = ({ name }: Source, sources = assembly): Uint8Array => {
  Apart.install(folder)
  using output = temporaryFolder()
  const wasm = join(output.path, "kernel.wasm")
  const compiler = join("node_modules", "assemblyscript", "bin", "asc.js")
  const flags = ["-O3", "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd"]
  const memory = ["--initialMemory", "2", "--memoryBase", "2624"]
  Apart.run(folder, process.execPath, compiler, join(sources, name, "index.ts"), ...flags, ...memory, "-o", wasm)
  return new Uint8Array(readFileSync(wasm))
}
