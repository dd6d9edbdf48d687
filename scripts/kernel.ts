/** `npm run kernel`: compiles what core has in WebAssembly. The rule `kernel` of `npm run check` holds source and result together. */
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { compile, install } from "./kernel/compile.ts"
import { moduleFor, sources } from "./kernel/source.ts"

install()
for (const source of sources) {
  const wasm = compile(source)
  writeFileSync(join(dirname(import.meta.dirname), source.modulePath), moduleFor(source, wasm))
  console.log(`${source.modulePath}: ${wasm.length} bytes of WebAssembly`)
}
