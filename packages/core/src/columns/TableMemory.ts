/**
 * Where the memory of tables comes from. The defaults suit every platform. A process that decodes large replies all day can be faster
 * with other settings: call these functions once, before the first reply.
 *
 * @example
 * ```ts
 * import * as TableMemory from "@effect-marketdata/core/TableMemory"
 *
 * // Node, Bun and Deno can hand out memory without filling it with zeros first. The client does this by itself.
 * TableMemory.use((size) => Buffer.allocUnsafeSlow(size).buffer)
 * TableMemory.keepFreed()
 * ```
 *
 * @since 0.1.0
 */
import * as Allocator from "./internal/allocator.ts"

/**
 * Takes the buffers of large tables in this process from `allocate` instead of `new ArrayBuffer`. They may hold old bytes: each byte is
 * written before a table is returned, so nothing of them shows. A buffer of another size than requested is not used, nor is anything that
 * is not an `ArrayBuffer`. `undefined` restores `new ArrayBuffer`.
 *
 * @category configuration
 * @since 0.1.0
 */
export const use: (allocate: ((size: number) => ArrayBufferLike) | undefined) => void = Allocator.use

/**
 * Sets the allocator like `use`, but has no effect after `use` was called. The client suggests `Buffer.allocUnsafeSlow` where it exists.
 *
 * @category configuration
 * @since 0.1.0
 */
export const suggest: (allocate: ((size: number) => ArrayBufferLike) | undefined) => void = Allocator.suggest

/**
 * Makes the C library of this process (glibc) keep the memory of collected tables for the next ones, instead of returning it to the
 * system page by page. A chain of 2,000 contracts then decodes in about 80 percent of the time. In exchange the process may hold up to 62
 * MiB of free memory. It works by freeing one block of 31 MiB that was never touched; with other C libraries it has no effect. Calling it
 * again changes nothing.
 *
 * @category configuration
 * @since 0.1.0
 */
export const keepFreed: () => void = Allocator.keepFreed
