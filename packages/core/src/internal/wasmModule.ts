/** A module of WebAssembly that is compiled once, when it is first needed or beforehand. */
export class WasmModule {
  private readonly base64: string
  /** Undefined until it was tried; null where WebAssembly is missing, forbidden, or without SIMD. */
  private module: WebAssembly.Module | null | undefined

  constructor(base64: string) {
    this.base64 = base64
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
    const text = atob(this.base64)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    return bytes
  }
}
