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
