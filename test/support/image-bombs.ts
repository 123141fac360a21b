/** Images that cost far more than their size, made by code: for tests and for the attacks of the benchmark. */
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function u16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * index)
  return bytes
}

function u32be(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index)
  return bytes
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([u32be(data.length), body, u32be(crc32(body))])
}

/** Chunks between the header of a PNG and its image data, which is grey and as large as it says. */
function png(width: number, height: number, between: readonly Buffer[] = []): Buffer {
  const header = Buffer.concat([u32be(width, height), Buffer.from([8, 0, 0, 0, 0])])
  const data = chunk('IDAT', deflateSync(Buffer.alloc(height * (width + 1)), { level: 9 }))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...between, data, chunk('IEND', Buffer.alloc(0))])
}

/** A PNG with texts, each of which inflates to so many megabytes. */
export function pngWithTexts(count: number, megabytes: number): Buffer {
  const text = deflateSync(Buffer.alloc(megabytes * 1024 ** 2, 'A'), { level: 9 })
  const plain = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), text]))
  const international = chunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0', 'latin1'), text]))
  return png(
    8,
    8,
    Array.from({ length: count }, (_none, index) => (index % 2 === 0 ? plain : international)),
  )
}

/** A PNG whose color profile inflates to so many megabytes. */
export function pngWithProfile(megabytes: number): Buffer {
  const size = megabytes * 1024 ** 2
  const profile = Buffer.alloc(size)
  profile.writeUInt32BE(size, 0)
  const data = Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile, { level: 9 })])
  return png(8, 8, [chunk('iCCP', data)])
}

/** A PNG with so many empty private chunks. */
export function pngWithChunks(count: number): Buffer {
  const empty = chunk('prIv', Buffer.alloc(0))
  return png(
    8,
    8,
    Array.from({ length: count }, () => empty),
  )
}

/** A PNG that is really as large as it says, in a thousandth of the bytes. */
export function flatPng(width: number, height: number): Buffer {
  return png(width, height)
}

/** A GIF: its logical screen, and frames of one pixel each at a place. */
export function gif(
  screen: readonly [width: number, height: number],
  frames: number,
  place: readonly [left: number, top: number] = [0, 0],
): Buffer {
  const header = Buffer.concat([
    Buffer.from('GIF89a'),
    u16(...screen),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ])
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c]),
    u16(...place, 1, 1),
    Buffer.from([0, 2, 2, 0x44, 1, 0]),
  ])
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

/** A GIF whose one frame is cut into so many blocks of one byte. */
export function gifWithBlocks(count: number): Buffer {
  const whole = gif([1, 1], 1)
  const blocks = Buffer.alloc(2 * count, Buffer.from([1, 0]))
  return Buffer.concat([whole.subarray(0, -5), blocks, Buffer.from([0, 0x3b])])
}

/** A WebP with the canvas and the frames that it announces; each frame has the data of a still one. */
export function movingWebp(still: Buffer, canvas: readonly [width: number, height: number], frames: number): Buffer {
  const u24 = (number: number): Buffer => Buffer.from([number & 255, (number >> 8) & 255, number >> 16])
  const riff = (type: string, data: Uint8Array): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length & 1)])
  }
  const size = [u24(canvas[0] - 1), u24(canvas[1] - 1)]
  const place = Buffer.concat([u24(0), u24(0), u24(0), u24(0), u24(100), Buffer.from([0])])
  const frame = riff('ANMF', Buffer.concat([place, still.subarray(12)]))
  const chunks = [
    riff('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), ...size])),
    riff('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ]
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

/** A JPEG with its last scan again and again: each one goes over all pixels. */
export function jpegWithScans(progressive: Buffer, count: number): Buffer {
  const start = progressive.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = progressive.subarray(start, -2)
  return Buffer.concat([
    progressive.subarray(0, -2),
    ...Array.from({ length: count }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** The same bytes with numbers of four bytes, big-endian, written behind the last place of a name: false dimensions. */
export function withNumbers(bytes: Buffer, name: string, numbers: readonly number[]): Buffer {
  const made = Buffer.from(bytes)
  const at = made.lastIndexOf(name, 'latin1') + name.length
  u32be(...numbers).copy(made, at)
  return made
}

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([u32be(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** An AVIF that says only what it consists of: a grid of one tile, named so many times. */
export function avifGrid(tile: readonly [width: number, height: number], tiles: number): Buffer {
  const be16 = (...numbers: readonly number[]): Buffer => u16(...numbers).swap16()
  const version = (number: number): Buffer => u32be(number * 0x1000000)
  const item = (id: number, type: string): Buffer =>
    box('infe', version(2), be16(id, 0), Buffer.from(`${type}\0`, 'latin1'))
  const links = box('dimg', be16(1, tiles), be16(...Array.from({ length: tiles }, () => 2)))
  const sizes = [box('ispe', u32be(0, 64, 64)), box('ispe', u32be(0, ...tile))]
  const which = Buffer.concat([be16(1), Buffer.from([1, 1]), be16(2), Buffer.from([1, 2])])
  return Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
    box(
      'meta',
      u32be(0),
      box('pitm', u32be(0), be16(1)),
      box('iinf', u32be(0), be16(2), item(1, 'grid'), item(2, 'av01')),
      box('iref', u32be(0), links),
      box('iprp', box('ipco', ...sizes), box('ipma', u32be(0, 2), which)),
    ),
  ])
}

/** An AVIF that shows one image and moves: a sequence of so many frames. */
export function avifSequence(still: Buffer, size: readonly [width: number, height: number], frames: number): Buffer {
  const entry = box('av01', Buffer.alloc(24), u16(...size).swap16(), Buffer.alloc(50))
  const table = box('stbl', box('stsd', u32be(0, 1), entry), box('stsz', u32be(0, 10, frames)))
  return Buffer.concat([still, box('moov', box('trak', box('mdia', box('minf', table))))])
}
