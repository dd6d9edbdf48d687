import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { folder, type Source } from "./source.ts"

const run = (command: string, args: ReadonlyArray<string>): void => {
  const { error, status, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32"
  })
  if (status !== 0) throw new Error(`\`${command} ${args.join(" ")}\` failed: ${error?.message ?? stderr}`)
}

/** Installs the compiler that scripts/kernel/package-lock.json names. */
export const install = (): void => run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"])

/** Compiles one of the sources, which lie in the folder `assembly`. */
export const compile = ({ name }: Source, assembly = join(folder, "assembly")): Uint8Array => {
  const output = mkdtempSync(join(tmpdir(), "kernel-"))
  try {
    const wasm = join(output, "kernel.wasm")
    run("node", [
      join("node_modules", "assemblyscript", "bin", "asc.js"),
      join(assembly, name, "index.ts"),
      "-O3",
      "--converge",
      "--noAssert",
      "--runtime",
      "stub",
      "--enable",
      "simd",
      "--initialMemory",
      "2",
      "--memoryBase",
      "2624",
      "-o",
      wasm
    ])
    return new Uint8Array(readFileSync(wasm))
  } finally {
    rmSync(output, { recursive: true })
  }
}
