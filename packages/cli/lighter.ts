/** Small replacements of modules that every start would load and hardly use: bundle.ts puts each in the place of the original. */
import { createRequire } from "node:module"

/** Random bytes, for which `node:crypto` is loaded when they are first asked for: only Effect's file system does, to name a temporary file. Saves a start 8 ms. */
export const randomBytes = (size: number): Buffer =>
  (createRequire(import.meta.url)("node:crypto") as typeof import("node:crypto")).randomBytes(size)

/** `Intl.Segmenter`, made when it is first used: to make one takes 11 ms. */
export class Segmenter {
  readonly #options: ConstructorParameters<typeof Intl.Segmenter>
  #made: Intl.Segmenter | undefined

  constructor(...options: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#options = options
  }

  segment(text: string): Intl.Segments {
    this.#made ??= new globalThis.Intl.Segmenter(...this.#options)
    return this.#made.segment(text)
  }
}

/** Node's HTTP, as Effect's client and server import it: bundle.ts has both modules loaded when they are first used. */
export * as http from "node:http"
export * as https from "node:https"

/**
 * Stands for Effect's readers of INI, TOML and YAML, for its completions, and for the server of WebSockets. None is called: no flag reads a file,
 * commands/completions.ts makes the scripts, and this program serves no WebSockets.
 */
export const parse = undefined
export { parse as fromCommand, parse as generate, parse as setStackTraceLimit, parse as WebSocketServer }

/** Tells Effect that there are no stack traces: it would make one only to read a line of it, for which V8 counts the lines of the whole program. */
export const getStackTraceLimit = (): number => 0
