/** Loaded first by each process that runs tests: keeps the compiled code of modules for the next one. */
import { enableCompileCache } from "node:module"

enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/compiled`)
