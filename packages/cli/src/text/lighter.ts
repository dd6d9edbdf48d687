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

/** Stands for Effect's readers of INI, TOML and YAML, and for its completions. Neither is called: no flag reads a file, and commands/completions.ts makes the scripts. */
export const parse = undefined
export { parse as fromCommand, parse as generate, parse as setStackTraceLimit }

/** Tells Effect that there are no stack traces: it would make one only to read a line of it, for which V8 counts the lines of the whole program. */
export const getStackTraceLimit = (): number => 0
