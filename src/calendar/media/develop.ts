import { randomBytes } from 'node:crypto'
import type sharp from 'sharp'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import type { StoredSize } from '../shared/stored-image.ts'
import { type Format, formatOf } from './format.ts'

/** A file that an image consists of. */
export interface ImageFile {
  readonly name: string
  readonly bytes: Buffer
}

/** An image as it is stored: cleaned, turned the right way round, with its smaller sizes. */
export interface Developed {
  /** All files, the full size first. */
  readonly files: readonly ImageFile[]
  readonly mime: string
  readonly width: number
  readonly height: number
  /** Smaller sizes by the wire's names, in the wire's order. */
  readonly sizes: Readonly<Record<string, StoredSize>>
}

/** Why a file is refused: it is damaged or no image, too large, or takes more memory or time than an image may. */
export type RefusedImage = 'not_picture' | 'too_complex' | 'too_many_pixels'

/** What becomes of bytes: an image, or why they are none. */
export type Developing =
  | { readonly ok: true; readonly picture: Developed }
  | { readonly ok: false; readonly reason: RefusedImage }

/** Most pixels of an image, those of all its frames together. */
const PIXEL_LIMIT = 50_000_000

/** Longest side: that of the formats with the smallest limit. */
const SIDE_LIMIT = 16_383

/** Most frames of a moving image: two minutes of a smooth one. */
const FRAME_LIMIT = 2_000

/**
 * Bytes for each pixel that decoding an image and encoding it again takes, where all of it has to be in memory at once, and
 * what the process takes beside that. Measured from 6 to 20 megapixels; transparency takes half as much again.
 */
const PIXEL_MEMORY: Readonly<Partial<Record<Format['codec'], number>>> = { webp: 14, avif: 28 }
const OTHER_MEMORY = 90 * 1024 ** 2

/** Pixels from which on memory and time count more than the last percent of quality or size. */
const LARGE = 4_000_000

/** The smaller sizes: fitted into a box, or cropped to it (wire: events 1.3). A height of 0 asks for the width alone. */
const SIZES = [
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium_large', width: 768, height: 0, crop: false },
] as const

/**
 * Makes an image of what was sent: the format is read from the content, every pixel is decoded and written again, so
 * that nothing but the image is left: no place, no camera, no thumbnail of another image, nothing behind its end.
 * It is turned as its camera says and keeps its color profile. Moving images keep moving in full size.
 *
 * Runs in the process of `decoder-process.ts` alone, which may take so many bytes of `memory`.
 */
export async function developImage(bytes: Buffer, memory = Number.POSITIVE_INFINITY): Promise<Developing> {
  const format = formatOf(bytes)
  if (format === undefined) return { ok: false, reason: 'not_picture' }
  try {
    const studio = await openStudio(bytes, format)
    const reason = refusalOf(studio, memory)
    return reason === undefined ? { ok: true, picture: await printAll(studio) } : { ok: false, reason }
  } catch (error) {
    // The library has no codes: what it cannot read is broken, unless memory was refused.
    const isOutOfMemory = error instanceof Error && /out of memory|alloc/i.test(error.message)
    return { ok: false, reason: isOutOfMemory ? 'too_complex' : 'not_picture' }
  }
}

interface Studio {
  readonly format: Format
  readonly metadata: Metadata
  /** A reading of the bytes; one frame of moving images unless all are asked for. */
  open(frames: 'first' | 'all'): Sharp
}

/** The readers of the formats that are taken in; the library has others, for programs and documents as well. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)

let loading: Promise<typeof sharp> | undefined

/** Loads the library, once: a tenth of a second and forty megabytes, which the server itself never spends. */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    loaded.cache(false)
    loaded.concurrency(1)
    loaded.block({ operation: ['VipsForeignLoad'] })
    loaded.unblock({ operation: READERS })
    return loaded
  })
  return loading
}

/** Looks at the head of the file only. @throws when it is no image */
async function openStudio(bytes: Buffer, format: Format): Promise<Studio> {
  const library = await loadSharp()
  const options: SharpOptions = { limitInputPixels: PIXEL_LIMIT, failOn: 'error' }
  const metadata = await library(bytes, { ...options, limitInputPixels: false }).metadata()
  const open: Studio['open'] = (frames) => library(bytes, { ...options, animated: frames === 'all' })
  return { format, metadata, open }
}

/** Why an image is not decoded, by what its head announces. */
function refusalOf({ format, metadata }: Studio, memory: number): RefusedImage | undefined {
  const { width, height, pages = 1 } = metadata
  const needed = OTHER_MEMORY + width * height * (PIXEL_MEMORY[format.codec] ?? 0)
  const isTooLarge = width * height * pages > PIXEL_LIMIT || Math.max(width, height) > SIDE_LIMIT
  if (isTooLarge || needed > memory) return 'too_many_pixels'
  return pages > FRAME_LIMIT ? 'too_complex' : undefined
}

interface Print {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

async function printAll(studio: Studio): Promise<Developed> {
  const { format, metadata } = studio
  const full = await print(studio, studio.open((metadata.pages ?? 1) > 1 ? 'all' : 'first').autoOrient())
  const smaller: [string, Print][] = []
  for (const size of SIZES) {
    if (!isSmaller(size, full)) continue
    const [width, height] = [Math.min(size.width, full.width), Math.min(size.height || full.height, full.height)]
    const fit = size.crop ? 'cover' : 'inside'
    const made = await print(studio, studio.open('first').autoOrient().resize({ width, height, fit }))
    // Tall images may come out the same for two sizes: one name is one file.
    const same = smaller.find(([, one]) => one.width === made.width && one.height === made.height)
    smaller.push([size.name, same?.[1] ?? made])
  }
  // No two images have files of the same name, so what lies under one never changes.
  const id = randomBytes(20).toString('hex')
  const nameOf = (one: Print): string =>
    one === full ? `${id}.${format.extension}` : `${id}-${one.width}x${one.height}.${format.extension}`
  const { mime } = format
  const sizes = smaller.map(([name, one]): [string, StoredSize] => {
    const { width, height, bytes } = one
    return [name, { file: nameOf(one), width, height, mime, filesize: bytes.length }]
  })
  const files = [...new Set([full, ...smaller.map(([, one]) => one)])].map((one) => ({
    name: nameOf(one),
    bytes: one.bytes,
  }))
  const { width, height } = full
  return { files, mime, width, height, sizes: Object.fromEntries(sizes) }
}

function isSmaller({ width, height }: (typeof SIZES)[number], full: Print): boolean {
  return full.width > width || (height > 0 && full.height > height)
}

async function print({ format, metadata }: Studio, pipeline: Sharp): Promise<Print> {
  const isPlain = metadata.space === 'srgb' || metadata.space === 'rgb16'
  // Other color spaces are converted, and their profile would not fit any more.
  const coloured = metadata.hasProfile && isPlain ? pipeline.keepIccProfile() : pipeline
  const isLarge = metadata.width * metadata.height * (metadata.pages ?? 1) > LARGE
  const encoded = encode(coloured, format, isLarge)
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
}

/** Large ones are encoded in a third of the memory: without a second pass, with half the color resolution, less effort. */
function encode(pipeline: Sharp, { codec }: Format, isLarge: boolean): Sharp {
  if (codec === 'jpeg') return pipeline.jpeg({ quality: 88, optimiseCoding: !isLarge })
  if (codec === 'png') return pipeline.png()
  if (codec === 'webp') return pipeline.webp({ quality: 86, effort: isLarge ? 2 : 4 })
  // Low effort: at the usual one, ten megapixels take half a minute of a processor.
  if (codec === 'gif') return pipeline.gif({ effort: isLarge ? 1 : 4 })
  return pipeline.avif({ quality: 60, effort: 1, chromaSubsampling: isLarge ? '4:2:0' : '4:4:4' })
}
