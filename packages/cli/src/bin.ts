#!/usr/bin/env node
/**
 * Where `marketdata` starts: Node keeps what it compiles for the next start, and a request for the version alone loads nothing else.
 *
 * @since 0.1.0
 */
import * as Module from "node:module"
import { endWithOutput } from "./output/ending.ts"
import { version } from "./text/version.ts"

endWithOutput()

// All files of this program, such as the ledger and its journals, are for its user alone.
process.umask(0o077)

// Node's default for compiled code is the temporary folder, where another user could put code that it would run. In /proc, where no folder can be made, Node
// would try for ever.
const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env
const caches = [XDG_CACHE_HOME, LOCALAPPDATA, `${HOME}/.cache`].find((folder = "") =>
  /^(?:\/(?!proc\/)|[A-Za-z]:)/.test(folder)
)

// Node has it since 22.8; other runtimes may not.
if (caches !== undefined) Module.enableCompileCache?.(`${caches}/node-compile-cache`)

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`marketdata v${version}\n`)
else await import("./program.ts")
