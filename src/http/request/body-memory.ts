/** Smaller buffers are left to the garbage collector: it reclaims them as quickly, and they may share their memory. */
const WORTHWHILE = 8 * 1024

/**
 * Frees the memory of a buffer at once and leaves it empty: V8 counts such memory outside of its heap, so an idle
 * server may hold hundreds of megabytes until something else triggers the garbage collector. Does nothing to a view of
 * memory that others may share.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < WORTHWHILE || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
