import { type Format, formatOf } from '../format.ts'
import { outlineAvif } from './avif.ts'
import { outlineGif } from './gif.ts'
import { outlineJpeg } from './jpeg.ts'
import type { OutlineRefusal, Outliner } from './outline.ts'
import { outlinePng } from './png.ts'
import { outlineWebp } from './webp.ts'

/** Most pixels of an image, those of all its frames together: what a decompression bomb may cost. */
export const PIXEL_LIMIT = 50_000_000

/** Longest side: that of the formats with the smallest limit. */
export const SIDE_LIMIT = 16_383

/**
 * Bytes for each pixel that decoding an image and encoding it again takes, where all of it has to be in memory at once, and
 * what the process takes beside that. Measured from 6 to 20 megapixels; transparency takes half as much again.
 */
const PIXEL_MEMORY: Readonly<Partial<Record<Format['codec'], number>>> = { webp: 14, avif: 28 }
const OTHER_MEMORY = 90 * 1024 ** 2

/** Most frames of a moving image: two minutes of a smooth one. */
const FRAME_LIMIT = 2_000

/** Why a file is not decoded. */
export type RefusedImage = OutlineRefusal | 'too_many_pixels'

/** What came of a file: what is to be decoded, or why nothing is. */
export type Inspection =
  | { readonly ok: true; readonly parts: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: RefusedImage }

const OUTLINERS: Readonly<Record<Format['codec'], Outliner>> = {
  jpeg: outlineJpeg,
  png: outlinePng,
  webp: outlineWebp,
  gif: outlineGif,
  avif: outlineAvif,
}

/**
 * Looks at the headers of a file before anything decodes it: dimensions, frames and parts are counted in one pass that
 * costs at most some milliseconds a megabyte and no memory. What decoders do not need is left out of `parts`. `memory` is
 * what the process that decodes may take, in bytes: what surely needs more has too many pixels.
 */
export function inspectImage(bytes: Buffer, memory = Number.POSITIVE_INFINITY): Inspection {
  const format = formatOf(bytes)
  if (format === undefined) return { ok: false, reason: 'not_picture' }
  const outline = OUTLINERS[format.codec](bytes)
  if (typeof outline === 'string') return { ok: false, reason: outline }
  const { width, height, frames, pixels = width * height * frames, isHollow = false, parts } = outline
  const isTooLarge = Math.max(width, height) > SIDE_LIMIT || Math.max(pixels, width * height) > PIXEL_LIMIT
  const needed = OTHER_MEMORY + width * height * (PIXEL_MEMORY[format.codec] ?? 0)
  if (isTooLarge || needed > memory) return { ok: false, reason: 'too_many_pixels' }
  if (isHollow) return { ok: false, reason: 'not_picture' }
  return frames > FRAME_LIMIT ? { ok: false, reason: 'too_complex' } : { ok: true, parts }
}
