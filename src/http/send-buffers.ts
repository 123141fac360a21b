/** Bytes of a buffer that is used again: more than most lists of ten events have. */
const SIZE = 128 * 1024

/** Buffers that wait for their next use; what is given back beyond that is left to the collector. */
const IDLE = 16

const idle: Buffer[] = []

/** Bytes that are being sent. */
export interface Sending {
  readonly bytes: Buffer
  /** To be called when the bytes are no longer needed, or never; absent where they have memory of their own. */
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
  if (length > SIZE) return { bytes: Buffer.concat(parts, length) }
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SIZE)
  let at = 0
  for (const part of parts) {
    buffer.set(part, at)
    at += part.length
  }
  return {
    bytes: buffer.subarray(0, length),
    release: () => {
      if (idle.length < IDLE) idle.push(buffer)
    },
  }
}
