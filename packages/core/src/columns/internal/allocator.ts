/** As large as a block may be that glibc still learns from, its own few bytes included. */
export const largestKept = 31 * 1024 * 1024

type Allocate = (size: number) => ArrayBufferLike

/** Where buffers come from: the platform's own, or nothing but `new ArrayBuffer`. */
let platform: Allocate | undefined
let isChosen = false

/** Takes buffers from the platform, which need not fill them with zeros first. */
export const use = (allocate: Allocate | undefined): void => {
  platform = allocate
  isChosen = true
}

/** The same, where nobody has chosen. */
export const suggest = (allocate: Allocate | undefined): void => {
  if (!isChosen) platform = allocate
}

/** Makes a buffer that may hold anything: it is to be written as a whole. */
export const allocate = (size: number): ArrayBuffer => {
  const made = platform?.(size)
  return made instanceof ArrayBuffer && made.byteLength === size ? made : new ArrayBuffer(size)
}

let isKept = false

/**
 * Lets the process keep the memory of tables that were collected for those that come: the system gives fresh memory page by page, each filled
 * with zeros first. Once it has freed a large block, glibc's allocator returns to the system only what it has free beyond twice that size. The
 * block itself is never touched, so that it takes no memory and no time; other allocators learn nothing from it.
 */
export const keepFreed = (): void => {
  if (isKept) return
  isKept = true
  try {
    const block: ArrayBuffer & { readonly transfer?: (size: number) => ArrayBuffer } = new ArrayBuffer(largestKept)
    // Where a buffer cannot be freed by hand, the collector does it.
    block.transfer?.(0)
  } catch {
    // Where so much cannot be had, there is nothing to keep.
  }
}
