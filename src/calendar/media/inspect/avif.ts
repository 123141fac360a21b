import { type Box, BoxFault, BoxReader } from './boxes.ts'
import type { Outline, OutlineRefusal } from './outline.ts'

/** Most images and tiles in one file; a photograph of 50 megapixels has about fifty tiles. */
const ITEM_LIMIT = 1_000

/** Kinds of items that are images. */
const IMAGES: ReadonlySet<string> = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])

interface Size {
  readonly width: number
  readonly height: number
}

interface Item {
  readonly id: number
  /** Whether it is an image that shows on its own, as far as it itself says. */
  readonly isShown: boolean
}

/** One reference of an item to others. */
interface Link {
  readonly type: string
  readonly from: number
  readonly to: readonly number[]
}

/**
 * Walks the boxes of an AVIF: the images that stand on their own are its frames, and tiles count as often as a grid
 * names them. Of a sequence every sample is a frame.
 */
export function outlineAvif(bytes: Buffer): Outline | OutlineRefusal {
  try {
    return outlineOf(new BoxReader(bytes))
  } catch (error) {
    if (error instanceof BoxFault) return error.refusal
    throw error
  }
}

function outlineOf(reader: BoxReader): Outline | OutlineRefusal {
  const file = { start: 0, end: reader.bytes.length }
  const top = reader.boxesIn(file.start, file.end)
  const meta = top.find(({ type }) => type === 'meta')
  if (meta === undefined) return 'not_picture'
  const inside = reader.boxesIn(meta.start + 4, meta.end)
  const named = (type: string): Box[] => inside.filter((box) => box.type === type)
  const items = named('iinf').flatMap((box) => itemsOf(reader, box))
  const links = named('iref').flatMap((box) => linksOf(reader, box))
  const sizes = new Map(named('iprp').flatMap((box) => sizesOf(reader, box)))
  const parts = new Set(links.flatMap(partsIn))
  const shown = items.filter(({ id, isShown }) => isShown && !parts.has(id))
  const tiles = links.flatMap(({ type, to }) => (type === 'dimg' ? to : []))
  if (Math.max(items.length, tiles.length, sizes.size) > ITEM_LIMIT) return 'too_complex'
  const largest = [...sizes.values()].reduce(larger, { width: 0, height: 0 })
  if (pixelsOf(largest) === 0 || shown.length === 0) return 'not_picture'
  const samples = samplesOf(reader, top)
  const pixels = Math.max(
    samples.pixels,
    sumOf(
      shown.map(({ id }) => id),
      sizes,
    ),
    sumOf(tiles, sizes) / 2,
  )
  return { ...largest, frames: Math.max(samples.count, shown.length), pixels, parts: [reader.bytes] }
}

/** Items that a reference makes part of another one; `prem` goes the other way, from an image to its transparency. */
function partsIn({ type, from, to }: Link): readonly number[] {
  if (type === 'dimg') return to
  return type === 'prem' ? [] : [from]
}

function pixelsOf({ width, height }: Size): number {
  return width * height
}

function larger(one: Size, other: Size): Size {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) }
}

function sumOf(ids: readonly number[], sizes: ReadonlyMap<number, Size>): number {
  return ids.reduce((sum, id) => sum + pixelsOf(sizes.get(id) ?? { width: 0, height: 0 }), 0)
}

function itemsOf(reader: BoxReader, box: Box): Item[] {
  const head = reader.number(box, 0, 1) === 0 ? 6 : 8
  return reader.boxesIn(box.start + head, box.end).map((entry) => {
    const version = reader.number(entry, 0, 1)
    const isHidden = (reader.number(entry, 3, 1) & 1) === 1
    const wide = version >= 3 ? 2 : 0
    const id = reader.number(entry, 4, wide === 2 ? 4 : 2)
    const at = entry.start + 8 + wide
    return { id, isShown: !isHidden && IMAGES.has(reader.bytes.toString('latin1', at, at + 4)) }
  })
}

function linksOf(reader: BoxReader, box: Box): Link[] {
  const size = reader.number(box, 0, 1) === 0 ? 2 : 4
  return reader.boxesIn(box.start + 4, box.end).map((link) => {
    const count = reader.number(link, size, 2)
    if (count > ITEM_LIMIT) throw new BoxFault('too_complex')
    const to = Array.from({ length: count }, (_none, index) => reader.number(link, size + 2 + index * size, size))
    return { type: link.type, from: reader.number(link, 0, size), to }
  })
}

/** The dimensions of each item that has any: those that its properties name. */
function sizesOf(reader: BoxReader, box: Box): [number, Size][] {
  const inside = reader.boxesIn(box.start, box.end)
  const properties = inside
    .filter(({ type }) => type === 'ipco')
    .flatMap(({ start, end }) => reader.boxesIn(start, end))
  return inside
    .filter(({ type }) => type === 'ipma')
    .flatMap((one) => associationsOf(reader, one))
    .flatMap(([item, indexes]) => {
      const property = indexes.map((index) => properties[index - 1]).find((one) => one?.type === 'ispe')
      if (property === undefined) return []
      return [[item, { width: reader.number(property, 4, 4), height: reader.number(property, 8, 4) }]]
    })
}

function associationsOf(reader: BoxReader, box: Box): [number, number[]][] {
  const idSize = reader.number(box, 0, 1) === 0 ? 2 : 4
  const size = (reader.number(box, 3, 1) & 1) === 1 ? 2 : 1
  const count = reader.number(box, 4, 4)
  if (count > ITEM_LIMIT) throw new BoxFault('too_complex')
  let at = 8
  return Array.from({ length: count }, () => {
    const id = reader.number(box, at, idSize)
    const amount = reader.number(box, at + idSize, 1)
    at += idSize + 1
    const mask = size === 2 ? 0x7fff : 0x7f
    const indexes = Array.from({ length: amount }, (_none, index) => reader.number(box, at + index * size, size) & mask)
    at += amount * size
    return [id, indexes]
  })
}

const TRACK = [
  ['trak', 0],
  ['mdia', 0],
  ['minf', 0],
  ['stbl', 0],
] as const

/** Frames of the longest track, and the pixels of all tracks together. */
function samplesOf(reader: BoxReader, top: readonly Box[]): { readonly count: number; readonly pixels: number } {
  let [count, pixels] = [0, 0]
  for (const movie of top.filter(({ type }) => type === 'moov')) {
    for (const table of reader.find(movie, TRACK)) {
      const samples = Math.max(0, ...reader.find(table, [['stsz', 0]]).map((box) => reader.number(box, 8, 4)))
      const entries = reader.find(table, [
        ['stsd', 8],
        ['av01', 0],
      ])
      const size = Math.max(0, ...entries.map((box) => reader.number(box, 24, 2) * reader.number(box, 26, 2)))
      count = Math.max(count, samples)
      pixels += samples * size
    }
  }
  return { count, pixels }
}
