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
 * costs at most some milliseconds a megabyte and no memory. What decoders do not need is left out of `parts`.
 */
export function inspectImage(bytes: Buffer): Inspection {
  const format = formatOf(bytes)
  if (format === undefined) return { ok: false, reason: 'not_picture' }
  const outline = OUTLINERS[format.codec](bytes)
  if (typeof outline === 'string') return { ok: false, reason: outline }
  const { width, height, frames, pixels = width * height * frames, isHollow = false, parts } = outline
  const isTooLarge = Math.max(width, height) > SIDE_LIMIT || Math.max(pixels, width * height) > PIXEL_LIMIT
  if (isTooLarge) return { ok: false, reason: 'too_many_pixels' }
  if (isHollow) return { ok: false, reason: 'not_picture' }
  return frames > FRAME_LIMIT ? { ok: false, reason: 'too_complex' } : { ok: true, parts }
}
