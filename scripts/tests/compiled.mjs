/** Loaded first by each process that runs tests: keeps the compiled code of modules for the next one. Node has it since 22.8. */
import * as Module from "node:module"

Module.enableCompileCache?.(`${import.meta.dirname}/../../node_modules/.cache/compiled`)
