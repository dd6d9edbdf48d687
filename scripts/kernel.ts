/** `npm run kernel`: compiles the WebAssembly kernel into core. The rule `kernel` of `npm run check` holds the two together. */
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { compile } from "./kernel/compile.ts"
import { moduleFor, modulePath } from "./kernel/source.ts"

const wasm = compile()
writeFileSync(join(dirname(import.meta.dirname), modulePath), moduleFor(wasm))
console.log(`${modulePath}: ${wasm.length} bytes of WebAssembly`)
