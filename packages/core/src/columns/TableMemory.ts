/**
 * Where the memory of tables comes from. The client chooses what is fastest by itself. A process that decodes without a client can call these functions
 * once, before the first reply, and one that wants it otherwise can as well.
 *
 * @example
 * ```ts
 * import * as TableMemory from "@effect-marketdata/core/TableMemory"
 *
 * // As the client does it: Node, Bun and Deno can hand out memory without filling it with zeros first.
 * TableMemory.use((size) => Buffer.allocUnsafeSlow(size).buffer)
 * TableMemory.keepFreed()
 * ```
 *
 * @since 0.1.0
 */
type Allocate = (size: number) => ArrayBufferLike

/** Where buffers come from: the platform's own, or nothing but `new ArrayBuffer`. */
let platform: Allocate | undefined
let isChosen = false

/** Whether freed memory is kept; undefined while nobody has said so. */
let keeps: boolean | undefined

/**
 * Takes the buffers of large tables in this process from `allocate` instead of `new ArrayBuffer`. They may hold old bytes: each byte is
 * written before a table is returned, so nothing of them shows. A buffer of another size than requested is not used, nor is anything that
 * is not an `ArrayBuffer`. `undefined` restores `new ArrayBuffer`.
 *
 * @category configuration
 * @since 0.1.0
 */
export const use = (allocate: ((size: number) => ArrayBufferLike) | undefined): void => {
  platform = allocate
  isChosen = true
}

/**
 * Sets the allocator like `use`, but has no effect after `use` was called; and keeps freed memory like `keepFreed`, but from the first table of 128 KiB on,
 * and unless `keepFreed(false)` was called. The client does so with `Buffer.allocUnsafeSlow` where it exists.
 *
 * @category configuration
 * @since 0.1.0
 */
export const useByDefault = (allocate: ((size: number) => ArrayBufferLike) | undefined): void => {
  if (!isChosen) platform = allocate
  if (allocate !== undefined) keeps ??= true
}

/**
 * Makes a buffer that may hold anything: it is to be written as a whole.
 *
 * @internal
 */
export const allocate = (size: number): ArrayBuffer => {
  expect(size)
  const made = platform?.(size)
  return made instanceof ArrayBuffer && made.byteLength === size ? made : new ArrayBuffer(size)
}

/** The threshold from which on glibc maps a block by itself (`M_MMAP_THRESHOLD`). A smaller one comes from its heap, which keeps it when it is freed. */
const leastMapped = 128 * 1024

/**
 * Is told how much memory a table is about to take, wherever that comes from. If freed memory is to be kept, the first large table makes glibc keep it.
 *
 * @internal
 */
export const expect = (size: number): void => {
  if (keeps === true && size >= leastMapped) learn()
}

/**
 * The largest block that glibc can be made to keep when it is freed. Freeing a mapped block raises `M_MMAP_THRESHOLD` to its size, to at most 32 MiB with
 * the few bytes of its header, and `M_TRIM_THRESHOLD` to twice that: only what is free beyond that goes back to the system.
 *
 * @internal
 */
export const largestKept = 31 * 1024 * 1024

let hasLearnt = false

/** Raises both thresholds, once, by freeing a block of that size. It is never touched, so that it takes no memory. */
const learn = (): void => {
  if (hasLearnt) return
  hasLearnt = true
  try {
    const block: ArrayBuffer & { readonly transfer?: (size: number) => ArrayBuffer } = new ArrayBuffer(largestKept)
    // Where a buffer cannot be freed by hand, the collector does it.
    block.transfer?.(0)
  } catch {
    // Where so much cannot be had, there is nothing to keep.
  }
}

/**
 * Makes the C library of this process (glibc) keep the memory of collected tables for the next ones, instead of returning it to the
 * system page by page. A chain of 22,718 contracts then decodes in about two thirds of the time. In exchange the process may hold up to 62
 * MiB of free memory. It works by freeing one block of 31 MiB that was never touched; with other C libraries it has no effect. Calling it
 * again changes nothing. With `false`, before the first large table, a client does not do it.
 *
 * @category configuration
 * @since 0.1.0
 */
export const keepFreed = (isKept = true): void => {
  keeps = isKept
  if (isKept) learn()
}
