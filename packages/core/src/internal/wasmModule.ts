/** A module of WebAssembly that is compiled once, when it is first needed or beforehand. */
export class WasmModule {
  private readonly hex: string
  /** Undefined until it was tried; null where WebAssembly is missing, forbidden, or without SIMD. */
  private module: WebAssembly.Module | null | undefined

  /** Takes the module in hexadecimal, of which less is left after compression than of base64. */
  constructor(hex: string) {
    this.hex = hex
  }

  /** Returns the compiled module; `undefined` where it does not work. */
  get(): WebAssembly.Module | undefined {
    if (this.module === undefined) {
      try {
        this.module = new WebAssembly.Module(this.bytes())
      } catch {
        this.module = null
      }
    }
    return this.module ?? undefined
  }

  /** Compiles the module without holding up anybody. */
  async prepare(): Promise<void> {
    if (this.module !== undefined) return
    try {
      this.module = await WebAssembly.compile(this.bytes())
    } catch {
      this.module = null
    }
  }

  /** A loop, because this runs once, uncompiled, and before the first reply: a function for each byte would take three times as long. */
  private bytes(): Uint8Array<ArrayBuffer> {
    const { hex } = this
    const bytes = new Uint8Array(hex.length / 2)
    for (let at = 0; at < hex.length; at++) {
      const code = hex.charCodeAt(at)
      bytes[at >> 1] = (bytes[at >> 1]! << 4) | ((code & 15) + (code >> 6) * 9)
    }
    return bytes
  }
}
