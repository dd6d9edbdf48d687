import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Apart from "../shared/apart.ts"
import { assembly, type Source } from "./source.ts"

const folder = import.meta.dirname

/** Compiles one of the sources with the compiler that scripts/kernel/package-lock.json names. */
export const compile = ({ name }: Source, sources = assembly): Uint8Array => {
  Apart.install(folder)
  const output = mkdtempSync(join(tmpdir(), "kernel-"))
  try {
    const wasm = join(output, "kernel.wasm")
    const compiler = join("node_modules", "assemblyscript", "bin", "asc.js")
    const flags = ["-O3", "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd"]
    const memory = ["--initialMemory", "2", "--memoryBase", "2624"]
    Apart.run(folder, process.execPath, compiler, join(sources, name, "index.ts"), ...flags, ...memory, "-o", wasm)
    return new Uint8Array(readFileSync(wasm))
  } finally {
    rmSync(output, { recursive: true })
  }
}
