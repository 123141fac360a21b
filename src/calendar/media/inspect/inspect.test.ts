import assert from 'node:assert/strict'
import test from 'node:test'
import * as bombs from '../../../../test/support/image-bombs.ts'
import { bomb, movingGif, paint, premultipliedAvif, tellingJpeg } from '../../../../test/support/images.ts'
import { inspectImage } from './inspect.ts'

const SMALL = paint(60, 40)

function verdict(bytes: Buffer): string {
  const inspection = inspectImage(bytes)
  return inspection.ok ? 'ok' : inspection.reason
}

function kept(bytes: Buffer): Buffer {
  const inspection = inspectImage(bytes)
  assert.ok(inspection.ok, JSON.stringify(inspection))
  return Buffer.concat(inspection.parts)
}

const STILLS = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const

test('honest images of every format pass', async () => {
  for (const codec of STILLS) assert.equal(verdict(await SMALL.clone().toFormat(codec).toBuffer()), 'ok', codec)
  const progressive = await SMALL.clone().jpeg({ progressive: true }).toBuffer()
  const lossless = await SMALL.clone().webp({ lossless: true }).withMetadata({ orientation: 6 }).toBuffer()
  const interlaced = await SMALL.clone().png({ progressive: true }).withIccProfile('p3').toBuffer()
  for (const bytes of [progressive, lossless, interlaced, await tellingJpeg(), await movingGif(5)])
    assert.equal(verdict(bytes), 'ok')
})

test('stray bytes between the segments of a JPEG are left out', async () => {
  const bytes = await SMALL.clone().jpeg().toBuffer()
  const at = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  const stray = Buffer.concat([bytes.subarray(0, at), Buffer.from([0, 0xff, 0, 7]), bytes.subarray(at)])
  assert.deepEqual(kept(stray), kept(bytes))
})

test('an AVIF may say that its colours are multiplied by its transparency', async () => {
  assert.equal(verdict(await premultipliedAvif()), 'ok')
})

test('what a file announces counts, in every place where it can say it', async () => {
  const webp = await SMALL.clone().webp().toBuffer()
  const avif = await SMALL.clone().avif().toBuffer()
  const tooLarge: Record<string, Buffer> = {
    'PNG header': await bomb(60_000, 60_000),
    'a side alone': await bomb(20_000, 10),
    'logical screen of a GIF': bombs.gif([60_000, 60_000], 1),
    'place of a frame of a GIF': bombs.gif([1, 1], 1, [60_000, 60_000]),
    'canvas of a GIF times its frames': bombs.gif([1000, 1000], 51),
    'canvas of a WebP': bombs.movingWebp(webp, [16_000, 16_000], 1),
    'canvas of a WebP times its frames': bombs.movingWebp(webp, [1000, 1000], 51),
    'dimensions of an AVIF': bombs.withNumbers(avif, 'ispe', [0, 60_000, 60_000]),
    'tiles of an AVIF': bombs.avifGrid([8000, 6000], 100),
    'sequence of an AVIF': bombs.avifSequence(avif, [1000, 1000], 51),
  }
  for (const [name, bytes] of Object.entries(tooLarge)) assert.equal(verdict(bytes), 'too_many_pixels', name)
  assert.equal(verdict(bombs.gif([1000, 1000], 50)), 'ok')
})

test('frames, chunks, blocks and scans are counted', async () => {
  const progressive = await SMALL.clone().jpeg({ progressive: true }).toBuffer()
  const webp = await paint(1, 1).webp().toBuffer()
  const many: Record<string, Buffer> = {
    'frames of a GIF': bombs.gif([1, 1], 2001),
    'blocks of a GIF': bombs.gifWithBlocks(1_000_001),
    'frames of a WebP': bombs.movingWebp(webp, [1, 1], 2001),
    'chunks of a PNG': bombs.pngWithChunks(20_001),
    'scans of a JPEG': bombs.jpegWithScans(progressive, 65),
    'tiles of an AVIF': bombs.avifGrid([1, 1], 1001),
  }
  for (const [name, bytes] of Object.entries(many)) assert.equal(verdict(bytes), 'too_complex', name)
})

test('dimensions that the data cannot fill are a lie', async () => {
  assert.equal(verdict(await bomb(5000, 5000)), 'not_picture')
  assert.equal(verdict(bombs.flatPng(5000, 5000)), 'ok')
})

test('a file that ends before its headers say so is damaged', async () => {
  for (const codec of STILLS) {
    const whole = await SMALL.clone().toFormat(codec).toBuffer()
    for (let length = 0; length < Math.min(whole.length, 200); length += 1)
      assert.ok(['not_picture', 'ok'].includes(verdict(whole.subarray(0, length))), `${codec} ${length}`)
    // The scan of a JPEG may end anywhere; that it does is seen when it is decoded.
    if (codec !== 'jpeg') assert.equal(verdict(whole.subarray(0, whole.length * 0.7)), 'not_picture', codec)
  }
})

test('any bytes behind the first ones are judged, and nothing throws', async () => {
  let seed = 7
  const random = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  for (const codec of STILLS) {
    const whole = await SMALL.clone().toFormat(codec).toBuffer()
    for (let round = 0; round < 400; round += 1) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 4; change += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      assert.doesNotThrow(() => inspectImage(bytes), `${codec} ${round}`)
    }
  }
})

test('what no decoder needs is never decoded', async () => {
  const texts = kept(bombs.pngWithTexts(4, 1))
  for (const type of ['zTXt', 'iTXt']) assert.ok(!texts.includes(type), type)
  const telling = kept(Buffer.concat([await tellingJpeg(), Buffer.from('<script>hidden')]))
  assert.ok(telling.includes('Exif') && !telling.includes('<script>'))
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 6]), Buffer.from('secret'), Buffer.from([0])])
  const moving = await movingGif(2)
  const at = moving.indexOf(Buffer.from([0x21, 0xf9]))
  const commented = Buffer.concat([moving.subarray(0, at), comment, moving.subarray(at)])
  assert.ok(!kept(commented).includes('secret'))
  assert.deepEqual(kept(commented), kept(moving))
})
