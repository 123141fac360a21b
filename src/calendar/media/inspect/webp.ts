import { CHUNK_LIMIT, METADATA_LIMIT, type Outline, type OutlineRefusal } from './outline.ts'

const HEADER = 12
/** Bytes before the chunks inside of a frame: place, size, duration and flags. */
const FRAME_HEADER = 16

interface Walk {
  width: number
  height: number
  frames: number
  chunks: number
  isStill: boolean
}

/** Walks the chunks of a WebP, also those inside of frames. The canvas is what its header and all frames need. */
export function outlineWebp(bytes: Buffer): Outline | OutlineRefusal {
  if (bytes.length < HEADER) return 'not_picture'
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return 'not_picture'
  const walk: Walk = { width: 0, height: 0, frames: 0, chunks: 0, isStill: false }
  const refusal = walkChunks(bytes, { start: HEADER, end }, walk)
  if (refusal !== undefined) return refusal
  const { width, height, frames, isStill } = walk
  if (width === 0 || height === 0 || (frames === 0 && !isStill)) return 'not_picture'
  return { width, height, frames: Math.max(frames, 1), parts: [bytes.subarray(0, end)] }
}

interface Range {
  readonly start: number
  readonly end: number
}

function walkChunks(bytes: Buffer, { start, end }: Range, walk: Walk): OutlineRefusal | undefined {
  for (let at = start; at + 8 <= end; ) {
    walk.chunks += 1
    if (walk.chunks > CHUNK_LIMIT) return 'too_complex'
    const length = bytes.readUInt32LE(at + 4)
    const body = { start: at + 8, end: at + 8 + length }
    if (body.end > end) return 'not_picture'
    const refusal = readChunk(bytes, { type: bytes.toString('latin1', at, at + 4), ...body }, walk)
    if (refusal !== undefined) return refusal
    at = body.end + (length & 1)
  }
  return undefined
}

function readChunk(bytes: Buffer, chunk: Range & { type: string }, walk: Walk): OutlineRefusal | undefined {
  const { type, start, end } = chunk
  const length = end - start
  if (type === 'VP8X') return length < 10 ? 'not_picture' : grow(walk, at24(bytes, start + 4), at24(bytes, start + 7))
  if (type === 'VP8 ' || type === 'VP8L') {
    walk.isStill = true
    return readStill(bytes, chunk, walk)
  }
  if (type === 'ANMF') {
    if (length < FRAME_HEADER) return 'not_picture'
    walk.frames += 1
    const [left, top] = [2 * (at24(bytes, start) - 1), 2 * (at24(bytes, start + 3) - 1)]
    grow(walk, left + at24(bytes, start + 6), top + at24(bytes, start + 9))
    return walkChunks(bytes, { start: start + FRAME_HEADER, end }, walk)
  }
  return (type === 'ICCP' || type === 'EXIF') && length > METADATA_LIMIT ? 'too_complex' : undefined
}

/** Dimensions in the data itself, which decide what the decoder allocates. */
function readStill(
  bytes: Buffer,
  { type, start, end }: Range & { type: string },
  walk: Walk,
): undefined | 'not_picture' {
  if (end - start < 10) return type === 'VP8L' && end - start >= 5 ? readLossless(bytes, start, walk) : 'not_picture'
  if (type === 'VP8L') return readLossless(bytes, start, walk)
  return grow(walk, bytes.readUInt16LE(start + 6) & 0x3fff, bytes.readUInt16LE(start + 8) & 0x3fff)
}

function readLossless(bytes: Buffer, start: number, walk: Walk): undefined {
  const bits = bytes.readUInt32LE(start + 1)
  return grow(walk, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

function grow(walk: Walk, width: number, height: number): undefined {
  walk.width = Math.max(walk.width, width)
  walk.height = Math.max(walk.height, height)
}

/** A number of three bytes that stands for one more than it says. */
function at24(bytes: Buffer, at: number): number {
  return bytes.readUIntLE(at, 3) + 1
}
