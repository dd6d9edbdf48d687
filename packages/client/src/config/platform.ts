/** What Node, Bun and Deno do faster than the language can; browsers have none of it. */
const { Buffer: platform } = globalThis as {
  readonly Buffer?: {
    readonly compare: (a: Uint8Array, b: Uint8Array) => number
    readonly allocUnsafeSlow: (size: number) => { readonly buffer: ArrayBufferLike }
  }
}

/** Compares at the speed of memory. */
export const isEqual = platform && ((a: Uint8Array, b: Uint8Array): boolean => platform.compare(a, b) === 0)

/** Makes a buffer without filling it with zeros first. */
export const allocate = platform && ((size: number): ArrayBufferLike => platform.allocUnsafeSlow(size).buffer)
