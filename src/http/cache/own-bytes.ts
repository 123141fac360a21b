/**
 * The same bytes in memory of their own. Node allocates small Buffers as slices of a larger one (`Buffer.poolSize`), and
 * compression returns a slice, too: a slice that is cached would keep the whole Buffer in memory.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
