#!/usr/bin/env node
/**
 * Where `marketdata` starts: Node keeps what it compiles for the next start, and a request for the version alone loads nothing else.
 *
 * @since 0.1.0
 */
import * as Module from "node:module"
import { version } from "./text/version.ts"

// What this program writes, the ledger and its journals among it, is for its user alone.
process.umask(0o077)

// Node has it since 22.8; Bun and Deno have ways of their own.
Module.enableCompileCache?.()

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`marketdata v${version}\n`)
else await import("./program.ts")
