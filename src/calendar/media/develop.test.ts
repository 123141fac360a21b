import assert from 'node:assert/strict'
import test from 'node:test'
import sharp from 'sharp'
import { bomb, movingGif, paint, tellingJpeg } from '../../../test/support/images.ts'
import { type Developed, developImage } from './develop.ts'

async function developed(bytes: Buffer): Promise<Developed> {
  const made = await developImage(bytes)
  assert.ok(made.ok, JSON.stringify(made))
  return made.picture
}

function fullOf({ files }: Developed): Buffer {
  return files[0]?.bytes ?? Buffer.alloc(0)
}

test('sizes are those of the wire, each only where it is smaller than the picture', async () => {
  const sizes = async (width: number, height: number) => {
    const { sizes: made } = await developed(await paint(width, height).png().toBuffer())
    return Object.entries(made).map(([name, one]) => `${name} ${one.width}x${one.height}`)
  }
  const all = ['medium 300x225', 'large 1024x768', 'thumbnail 150x150', 'medium_large 768x576']
  assert.deepEqual(await sizes(1200, 900), all)
  assert.deepEqual(await sizes(400, 320), ['medium 300x240', 'thumbnail 150x150'])
  assert.deepEqual(await sizes(400, 100), ['medium 300x75', 'thumbnail 150x100'])
  assert.deepEqual(await sizes(768, 1000), ['medium 230x300', 'thumbnail 150x150'])
  assert.deepEqual(await sizes(150, 150), [])
})

test('each format is read from its content and kept', async () => {
  const picture = paint(20, 10)
  for (const [codec, mime, extension] of [
    ['jpeg', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['webp', 'image/webp', 'webp'],
    ['gif', 'image/gif', 'gif'],
    ['avif', 'image/avif', 'avif'],
  ] as const) {
    const made = await developed(await picture.clone().toFormat(codec).toBuffer())
    assert.deepEqual([made.mime, made.width, made.height, made.sizes], [mime, 20, 10, {}])
    assert.match(made.files[0]?.name ?? '', new RegExp(`^[0-9a-f]{40}\\.${extension}$`))
    const { format, compression } = await sharp(fullOf(made)).metadata()
    assert.equal(codec === 'avif' ? compression : format, codec === 'avif' ? 'av1' : codec)
  }
})

test('place, camera and everything else that is no picture is gone; it stands upright', async () => {
  const taken = await tellingJpeg()
  const before = await sharp(taken).metadata()
  assert.ok(before.exif?.includes('Kamera'))
  const { files, width, height, sizes } = await developed(Buffer.concat([taken, Buffer.from('<script>hidden')]))
  assert.deepEqual([width, height], [200, 400])
  assert.equal(sizes['medium']?.height, 300)
  for (const { name, bytes } of files) {
    const after = await sharp(bytes).metadata()
    const { exif, xmp, iptc, orientation } = after
    assert.deepEqual(
      { exif, xmp, iptc, orientation },
      { exif: undefined, xmp: undefined, iptc: undefined, orientation: undefined },
      name,
    )
    for (const secret of ['Kamera', 'GPS', 'Exif', 'script']) assert.ok(!bytes.includes(secret), `${name} ${secret}`)
  }
})

test('a colour profile is kept, and no other colour space needs one', async () => {
  const wide = await paint(200, 20).withIccProfile('p3').jpeg().toBuffer()
  for (const { bytes } of (await developed(wide)).files) assert.ok((await sharp(bytes).metadata()).hasProfile)
  const print = await paint(20, 20).toColourspace('cmyk').jpeg().toBuffer()
  const { space, hasProfile } = await sharp(fullOf(await developed(print))).metadata()
  assert.deepEqual([space, hasProfile], ['srgb', false])
})

test('a moving picture keeps moving in full size and stands still in the smaller ones', async () => {
  const made = await developed(await movingGif(3, 200))
  assert.deepEqual([made.width, made.height], [200, 200])
  assert.equal((await sharp(fullOf(made), { animated: true }).metadata()).pages, 3)
  assert.equal((await sharp(made.files[1]?.bytes, { animated: true }).metadata()).pages ?? 1, 1)
})

test('no two pictures have files of the same name', async () => {
  const bytes = await paint(200, 200).jpeg().toBuffer()
  const [first, again] = [await developed(bytes), await developed(bytes)]
  const names = (one: Developed) => one.files.map((file) => file.name)
  assert.notEqual(names(first)[0], names(again)[0])
  assert.equal(names(first)[1], names(first)[0]?.replace('.jpg', '-150x150.jpg'))
})

test('a picture that ends too early is refused in every format', async () => {
  for (const codec of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const whole = await paint(300, 300).toFormat(codec).toBuffer()
    const made = await developImage(whole.subarray(0, whole.length * 0.7))
    assert.deepEqual(made, { ok: false, reason: 'not_picture' }, codec)
  }
})

test('what is no picture, of another kind or damaged is refused', async () => {
  const jpeg = await paint(300, 300).jpeg().toBuffer()
  const png = await paint(300, 300).png().toBuffer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  const tiff = await paint(9, 9).tiff().toBuffer()
  const cut = [jpeg.subarray(0, jpeg.length / 2), png.subarray(0, png.length - 30)]
  const texts = ['', 'hello', svg, `<?xml version="1.0"?>${svg}`, '%PDF-1.4', '\xff\xd8\xff', 'GIF89a'].map((text) =>
    Buffer.from(text, 'latin1'),
  )
  for (const bytes of [...cut, ...texts, tiff]) {
    assert.deepEqual(await developImage(bytes), { ok: false, reason: 'not_picture' }, bytes.subarray(0, 20).toString())
  }
})

test('a picture that would take too much to decode is refused by its head', async () => {
  for (const [width, height] of [
    [60_000, 60_000],
    [10_000, 10_000],
    [20_000, 10],
  ] as const) {
    const made = await developImage(await bomb(width, height))
    assert.deepEqual(made, { ok: false, reason: 'too_many_pixels' }, `${width} x ${height}`)
  }
  assert.deepEqual(await developImage(await bomb(5000, 5000)), { ok: false, reason: 'not_picture' })
})
