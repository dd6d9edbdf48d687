/** How much a memory grows by. */
export const pageBytes = 65_536

/** Sees to it that a memory has at least this many bytes. Where it has to grow, every view of it is empty afterwards. */
export const reserve = (memory: WebAssembly.Memory, size: number): void => {
  const missing = size - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
}

/**
 * A module of WebAssembly that is compiled once, when it is first needed or beforehand. It is given in hexadecimal, of which less is left after compression
 * than of base64.
 */
export const wasmModule = (hex: string) => {
  /** Undefined until it was tried; null where WebAssembly is missing, forbidden, or without SIMD. */
  let module: WebAssembly.Module | null | undefined
  /** Returns the compiled module; `undefined` where it does not work. */
  const get = (): WebAssembly.Module | undefined => {
    if (module === undefined) {
      try {
        module = new WebAssembly.Module(bytesOf(hex))
      } catch {
        module = null
      }
    }
    return module ?? undefined
  }
  return {
    get,
    /**
     * Makes an instance with a memory of its own, and returns what it exports; `undefined` where WebAssembly does not work, or where as many
     * instances are there already as the system has room for.
     */
    instantiate: <Exports>(): Exports | undefined => {
      const module = get()
      if (module === undefined) return undefined
      try {
        // The modules are ours; what they export is written in their sources.
        return new WebAssembly.Instance(module, {}).exports as Exports
      } catch {
        return undefined
      }
    },
    /** Compiles the module without holding up anybody. */
    prepare: async (): Promise<void> => {
      if (module !== undefined) return
      try {
        module = await WebAssembly.compile(bytesOf(hex))
      } catch {
        module = null
      }
    }
  }
}

/** Sixteen digits at a time, because this runs once, uncompiled, and mostly before the first reply. */
const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => {
  const words = new DataView(new ArrayBuffer(Math.ceil(hex.length / 16) * 8))
  const digits = hex.padEnd(words.byteLength * 2, "0")
  for (let at = 0; at < hex.length; at += 16) words.setBigUint64(at / 2, BigInt(`0x${digits.slice(at, at + 16)}`))
  return new Uint8Array(words.buffer, 0, hex.length / 2)
}
