/**
 * The same bytes in memory of their own. Node makes small Buffers as pieces of a larger one (`Buffer.poolSize`), and
 * compression ends in a piece of one: all of that stays in memory as long as any of its pieces is kept.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
