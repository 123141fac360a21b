import { CHUNK_LIMIT, METADATA_LIMIT, type Outline, type OutlineRefusal, Parts } from './outline.ts'

const SIGNATURE = 8
/** Length, type and checksum around the data of a chunk. */
const FRAME = 12

/** Chunks without which the image cannot be decoded; every other one with a capital letter is unknown. */
const CRITICAL: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND'])

/** Chunks that change how the image looks, with the most bytes that each may have. Everything else is left out. */
const KEPT: ReadonlyMap<string, number> = new Map([
  ['tRNS', 256],
  ['gAMA', 4],
  ['cHRM', 32],
  ['sRGB', 1],
  // Deflated: the decoder inflates no more than its own limit of 8 MB.
  ['iCCP', METADATA_LIMIT],
  ['eXIf', 64 * 1024],
])

/** Nothing that is deflated becomes larger than this many times its size. */
const DEFLATE_RATIO = 1032

/** Samples of a pixel by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Walks the chunks of a PNG. Texts, further frames (APNG) and private chunks are left out. Dimensions that the image
 * data cannot fill make it hollow.
 */
export function outlinePng(bytes: Buffer): Outline | OutlineRefusal {
  const header = headerOf(bytes)
  if (header === undefined) return 'not_picture'
  const parts = new Parts(bytes)
  parts.keep(0, SIGNATURE)
  const seen = new Set<string>()
  let data = 0
  let at = SIGNATURE
  for (let count = 0; at + FRAME <= bytes.length; count += 1) {
    if (count === CHUNK_LIMIT) return 'too_complex'
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const next = at + FRAME + length
    if (next > bytes.length) return 'not_picture'
    const isCritical = CRITICAL.has(type)
    if (!isCritical && /^[A-Z]/.test(type)) return 'not_picture'
    if (isCritical || (length <= (KEPT.get(type) ?? -1) && !seen.has(type))) parts.keep(at, next)
    seen.add(type)
    if (type === 'IDAT') data += length
    if (type === 'IEND') {
      const { raw, ...outline } = header
      return { ...outline, isHollow: data * DEFLATE_RATIO < raw, parts: parts.all() }
    }
    at = next
  }
  return 'not_picture'
}

/** Dimensions, and the bytes that they come to when inflated. */
function headerOf(bytes: Buffer): (Pick<Outline, 'width' | 'height' | 'frames'> & { raw: number }) | undefined {
  if (bytes.length < SIGNATURE + FRAME + 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const bits = (bytes[24] ?? 0) * (CHANNELS[bytes[25] ?? 0] ?? 0)
  if (bytes.readUInt32BE(8) !== 13 || width === 0 || height === 0 || bits === 0) return undefined
  return { width, height, frames: 1, raw: height * Math.ceil((width * bits) / 8) }
}
