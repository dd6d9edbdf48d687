/** Compiles the loops in WebAssembly with a fault in them. */
import * as Result from "effect/Result"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loops, testsOf } from "../../packages/core/test/support/loopFaults.ts"
import { assembly, compile, moduleFor, sources } from "../kernel/source.ts"
import type { Fault } from "./fault.ts"
import { temporaryFolder } from "../shared/temporaryFolder.ts"

/** Each is compiled when its turn comes. */
export const faults: ReadonlyArray<Fault> = Object.entries(loops).map(([file, [name, find, replace]]) => {
  const source = sources.find(({ name }) => file.startsWith(`${name}/`))!
  return {
    name: `${file}: ${name}`,
    file: source.modulePath,
    tests: testsOf(file),
    text: () => {
      using copy = temporaryFolder()
      cpSync(assembly, copy.path, { recursive: true })
      const text = readFileSync(join(copy.path, file), "utf8")
      if (text.split(find).length !== 2) return Result.fail(`"${find}" must occur once in ${file}`)
      writeFileSync(join(copy.path, file), text.replace(find, () => replace))
      return Result.succeed(moduleFor(source, compile(source, copy.path)))
    }
  }
})
