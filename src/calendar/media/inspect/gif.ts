import { CHUNK_LIMIT, type Outline, type OutlineRefusal, Parts } from './outline.ts'

const HEADER = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b

/** Labels of extensions: how the next frame is shown, and what a program adds. */
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

/** Programs whose extension says how often the frames are repeated. */
const LOOPS: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** Most blocks of up to 255 bytes that the data is cut into. */
const BLOCK_LIMIT = 1_000_000

interface Canvas {
  width: number
  height: number
  frames: number
}

/**
 * Walks the blocks of a GIF. The canvas is what the logical screen and all frames need. Comments and what programs
 * added are left out. What follows unknown bytes is left out as well: no frame is decoded that was not counted.
 */
export function outlineGif(bytes: Buffer): Outline | OutlineRefusal {
  if (bytes.length < HEADER) return 'not_picture'
  const canvas: Canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames: 0 }
  const parts = new Parts(bytes)
  const walk = { blocks: 0 }
  let at = HEADER + tableSize(bytes[10] ?? 0)
  parts.keep(0, at)
  for (let count = 0; at < bytes.length; count += 1) {
    if (count === CHUNK_LIMIT || walk.blocks > BLOCK_LIMIT) return 'too_complex'
    const kind = bytes[at]
    if (kind !== EXTENSION && kind !== IMAGE) break
    const body = kind === IMAGE ? startOfFrame(bytes, at, canvas) : at + 2
    const next = endOfBlocks(bytes, body, walk)
    if (next === undefined) return 'not_picture'
    if (kind === IMAGE || isNeeded(bytes, at)) parts.keep(at, next)
    at = next
  }
  if (at > bytes.length || canvas.frames === 0) return 'not_picture'
  return { ...canvas, parts: [...parts.all(), Buffer.from([TRAILER])] }
}

/** Bytes of a colour table that these flags announce. */
function tableSize(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Enters a frame into the canvas; where its data begins. */
function startOfFrame(bytes: Buffer, at: number, canvas: Canvas): number {
  const body = at + 10
  if (body > bytes.length) return bytes.length
  canvas.width = Math.max(canvas.width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
  canvas.height = Math.max(canvas.height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
  canvas.frames += 1
  return body + tableSize(bytes[at + 9] ?? 0) + 1
}

/** Where blocks of data end that begin here; undefined when the file ends first. */
function endOfBlocks(bytes: Buffer, start: number, walk: { blocks: number }): number | undefined {
  let at = start
  while (at < bytes.length) {
    const length = bytes[at] ?? 0
    at += length + 1
    walk.blocks += 1
    if (length === 0) return at
    if (walk.blocks > BLOCK_LIMIT) return at
  }
  return undefined
}

function isNeeded(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1]
  if (label === GRAPHIC_CONTROL) return true
  return label === APPLICATION && LOOPS.has(bytes.toString('latin1', at + 3, at + 14))
}
