/** Bytes of a buffer that is used again: more than most lists of ten events have. */
const SIZE = 128 * 1024

/** Buffers that there are at most: a body that somebody reads slowly has memory of its own length. */
const MOST = 32

const idle: Buffer[] = []
let lent = 0

/** Bytes that are being sent. */
export interface Sending {
  readonly bytes: Buffer
  /** To be called once, when nobody reads the bytes any more; absent where they have memory of their own. */
  readonly release?: () => void
}

/**
 * The parts of a body, one after the other. They are put together in memory that is used again: new memory for each of
 * some thousand bodies a second is far from the processor, and makes V8 look for garbage as often as objects do.
 */
export function joined(parts: readonly Buffer[]): Sending {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return { bytes: first }
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > SIZE || lent === MOST) return { bytes: Buffer.concat(parts, length) }
  lent += 1
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SIZE)
  let at = 0
  for (const part of parts) {
    buffer.set(part, at)
    at += part.length
  }
  return {
    bytes: buffer.subarray(0, length),
    release: () => {
      lent -= 1
      idle.push(buffer)
    },
  }
}
