/** What takes the place of parts of Node and of the language that a start would load for little: bundle.ts puts each where it belongs. */
import { createRequire } from "node:module"

/** Random bytes, in place of all of `node:crypto`: Effect's file system asks for six of them when it names a temporary file, and a start takes 8 ms less. */
export const randomBytes = (size: number): Buffer =>
  (createRequire(import.meta.url)("node:crypto") as typeof import("node:crypto")).randomBytes(size)

/** What takes a text apart into the characters that people see, in place of `Intl.Segmenter`: made when it is first used, because it takes a start 11 ms. */
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

/** In place of `Ini`, `Toml` and `Yaml` of flags that read a file, and of Effect's own completions: no command has such a flag, and commands/completions.ts makes the scripts. */
export const parse = undefined
export { parse as fromCommand, parse as generate, parse as setStackTraceLimit }

/** None, for who would make a stack to look at it: that counts the lines of the whole program. */
export const getStackTraceLimit = (): number => 0
