import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as bombs from '../../../test/support/image-bombs.ts'
import { bomb, movingGif, paint, premultipliedAvif } from '../../../test/support/images.ts'
import { MEDIA_OPTIONS } from '../../base/config/media.ts'
import { Failure } from '../../base/errors.ts'
import { type Decoder, type DecoderDeps, openDecoder } from './decoder.ts'
import { type Developing, developImage } from './develop.ts'

const MEGABYTE = 1024 ** 2
/** Linux tells what a process does. */
const KNOWS_PROCESSES = existsSync('/proc/self/status')

function open(t: TestContext, deps: Partial<DecoderDeps> = {}): Decoder {
  const decoder = openDecoder({ limit: 16 * MEGABYTE, memory: 384 * MEGABYTE, report: assert.ifError, ...deps })
  t.after(() => decoder.close())
  return decoder
}

/** What an image is made into, but for the name, which is another one each time. */
function unnamed(made: Developing): unknown {
  if (!made.ok) return made
  const [{ name } = { name: '' }] = made.picture.files
  const id = name.split('.')[0] ?? ''
  const nameless = JSON.parse(JSON.stringify(made).replaceAll(id, ''))
  return { ...nameless, bytes: made.picture.files.map(({ bytes }) => bytes) }
}

test('images are made in another process as they would be in this one, one process after the other', async (t) => {
  const decoder = open(t)
  assert.equal(decoder.pid(), undefined, 'nothing runs before the first image')
  const first = await paint(400, 320).jpeg().toBuffer()
  for (const bytes of [first, await movingGif(3), await paint(9, 9).avif().toBuffer()])
    assert.deepEqual(unnamed(await decoder.develop(bytes)), unnamed(await developImage(bytes)))
  const pid = decoder.pid()
  assert.ok(pid !== undefined && pid !== process.pid)
  assert.deepEqual(await decoder.develop(first.subarray(0, 300)), { ok: false, reason: 'not_picture' })
  assert.equal(decoder.pid(), pid, 'an image that is damaged harms no process')
})

test('what no format begins with starts no process', async (t) => {
  const decoder = open(t)
  assert.deepEqual(await decoder.develop(Buffer.from('<svg/>')), { ok: false, reason: 'not_picture' })
  assert.equal(decoder.pid(), undefined)
})

test('a WebP or AVIF that surely takes more memory than there is has too many pixels', async (t) => {
  const still = await paint(8, 8).webp().toBuffer()
  const avif = await paint(8, 8).avif().toBuffer()
  const refused: readonly (readonly [Buffer, number])[] = [
    [bombs.movingWebp(still, [4000, 3500], 1), 272],
    [bombs.withNumbers(avif, 'ispe', [0, 3000, 2400]), 272],
    [bombs.movingWebp(still, [2000, 2000], 1), 128],
  ]
  for (const [bytes, megabytes] of refused) {
    const decoder = open(t, { memory: megabytes * MEGABYTE })
    assert.deepEqual(await decoder.develop(bytes), { ok: false, reason: 'too_many_pixels' })
  }
})

test('a large WebP is decoded in the usual memory', async (t) => {
  const decoder = open(t, { memory: MEDIA_OPTIONS.mediaMemory.default })
  const made = await decoder.develop(await paint(4000, 3000).webp({ effort: 0 }).toBuffer())
  assert.ok(made.ok, JSON.stringify(made))
})

test('an image that takes more memory or processor time than it may is refused, and the next one is decoded', async (t) => {
  const costly = await paint(4000, 4000).jpeg({ progressive: true }).toBuffer()
  for (const limits of [{ memory: 128 * MEGABYTE }, { cpu: 100 }]) {
    const decoder = open(t, limits)
    assert.deepEqual(await decoder.develop(costly), { ok: false, reason: 'too_complex' }, JSON.stringify(limits))
    assert.ok((await decoder.develop(bombs.flatPng(9, 9))).ok)
  }
})

test('an image is not refused for what others have left in the process', async (t) => {
  const decoder = open(t)
  const bytes = await paint(2000, 2000).webp({ effort: 0 }).toBuffer()
  assert.ok((await decoder.develop(bombs.flatPng(9, 9))).ok)
  const [making, used] = [decoder.develop(bytes), decoder.pid()]
  assert.ok(used !== undefined)
  process.kill(used, 'SIGKILL')
  assert.ok((await making).ok)
  assert.notEqual(decoder.pid(), used)
})

test('what a file announces counts, in every place where it can say it', async (t) => {
  const decoder = open(t)
  const still = await paint(1, 1).webp().toBuffer()
  const avif = await paint(60, 40).avif().toBuffer()
  const refused: Readonly<Record<string, readonly [Buffer, string]>> = {
    'PNG header': [await bomb(60_000, 60_000), 'too_many_pixels'],
    'a side alone': [await bomb(20_000, 10), 'too_many_pixels'],
    'data that cannot fill the dimensions': [await bomb(5000, 5000), 'not_picture'],
    'place of a frame of a GIF': [bombs.gif([1, 1], 1, [60_000, 60_000]), 'too_many_pixels'],
    'canvas of a GIF times its frames': [bombs.gif([1000, 1000], 51), 'too_many_pixels'],
    'frames of a GIF': [bombs.gif([1, 1], 2001), 'too_complex'],
    'canvas of a WebP': [bombs.movingWebp(still, [6000, 6000], 1), 'too_many_pixels'],
    'canvas of a WebP times its frames': [bombs.movingWebp(still, [1000, 1000], 51), 'too_many_pixels'],
    'frames of a WebP': [bombs.movingWebp(still, [1, 1], 2001), 'too_complex'],
    'dimensions of an AVIF': [bombs.withNumbers(avif, 'ispe', [0, 60_000, 60_000]), 'too_many_pixels'],
    'tiles of an AVIF': [bombs.avifGrid([8000, 6000], 100), 'not_picture'],
    'many tiles of an AVIF': [bombs.avifGrid([1, 1], 1001), 'not_picture'],
  }
  for (const [name, [bytes, reason]] of Object.entries(refused))
    assert.deepEqual(await decoder.develop(bytes), { ok: false, reason }, name)
})

test('images with more parts than any needs are refused or decoded within memory and time', async (t) => {
  const decoder = open(t, { memory: 192 * MEGABYTE, cpu: 5000 })
  const progressive = await paint(600, 400).jpeg({ progressive: true }).toBuffer()
  const small = await paint(9, 9).webp().toBuffer()
  const costly: Readonly<Record<string, Buffer>> = {
    'logical screen of a GIF': bombs.gif([60_000, 60_000], 1),
    'blocks of a GIF': bombs.gifWithBlocks(1_000_001),
    'frames of a GIF': bombs.gif([1, 1], 700_000),
    'canvas of a WebP': bombs.movingWebp(small, [16_000, 16_000], 1),
    'chunks of a PNG': bombs.pngWithChunks(20_001),
    'texts of a PNG': bombs.pngWithTexts(100, 16),
    'profile of a PNG': bombs.pngWithProfile(256),
    'scans of a JPEG': bombs.jpegWithScans(progressive, 200),
    'sequence of an AVIF': bombs.avifSequence(await paint(60, 40).avif().toBuffer(), [1000, 1000], 51),
    'transparency of an AVIF': await premultipliedAvif(),
  }
  for (const [name, bytes] of Object.entries(costly)) {
    const made = await decoder.develop(bytes)
    if (made.ok) assert.ok(made.picture.width <= 60 && made.picture.files.length === 1, name)
    assert.ok((await decoder.develop(bombs.flatPng(9, 9))).ok, name)
  }
})

test('any bytes behind the first ones are judged, and harm nothing', async (t) => {
  const decoder = open(t)
  let seed = 7
  const random = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  for (const codec of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const whole = await paint(60, 40).toFormat(codec).toBuffer()
    for (let round = 0; round < 20; round += 1) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 4; change += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      const made = await decoder.develop(bytes)
      assert.ok(made.ok || ['not_picture', 'too_complex', 'too_many_pixels'].includes(made.reason), codec)
    }
  }
})

test('one image is decoded at a time, some wait, and the others may come again', async (t) => {
  const decoder = open(t)
  const bytes = await paint(30, 30).png().toBuffer()
  const made = await Promise.allSettled(Array.from({ length: 40 }, () => decoder.develop(bytes)))
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  assert.equal(made.length - refused.length, 17)
  for (const reason of refused) assert.ok(reason instanceof Failure && reason.code === 'rest_unavailable')
  assert.ok((await decoder.develop(bytes)).ok)
})

test('a process that cannot be started is told, and the request may come again', async (t) => {
  const told: unknown[] = []
  const decoder = open(t, { report: (error) => told.push(error) })
  const { execPath } = process
  process.execPath = '/nowhere/node'
  t.after(() => {
    process.execPath = execPath
  })
  await assert.rejects(decoder.develop(bombs.flatPng(9, 9)), { code: 'rest_unavailable' })
  assert.equal(told.length, 1)
  process.execPath = execPath
  assert.ok((await decoder.develop(bombs.flatPng(9, 9))).ok)
})

test('the process knows nothing of the server', { skip: !KNOWS_PROCESSES }, async (t) => {
  const decoder = open(t)
  assert.ok((await decoder.develop(bombs.flatPng(9, 9))).ok)
  const environment = await readFile(`/proc/${decoder.pid()}/environ`, 'utf8')
  const names = environment.split('\0').map((line) => line.split('=')[0])
  assert.deepEqual(
    names.filter((name) => /KALENDS|DATABASE|HOME|USER|NODE/.test(name ?? '')),
    [],
  )
})

test('the process ends with the server, also in the middle of an image', { skip: !KNOWS_PROCESSES }, async (t) => {
  const script = `
    import { openDecoder } from ${JSON.stringify(new URL('./decoder.ts', import.meta.url).href)}
    import { flatPng } from ${JSON.stringify(new URL('../../../test/support/image-bombs.ts', import.meta.url).href)}
    const decoder = openDecoder({ limit: 16e6, memory: 2e9, report: console.error })
    await decoder.develop(flatPng(9, 9))
    decoder.develop(flatPng(7000, 7000))
    setImmediate(() => console.log(decoder.pid()))
    setInterval(() => undefined, 1000)`
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => server.kill('SIGKILL'))
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  assert.ok(existsSync(`/proc/${pid}`))
  server.kill('SIGKILL')
  while (await isRunning(pid)) await sleep(5)
})

/** A process that nobody has waited for yet has ended nevertheless. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !/\) [ZX] /.test(stat)
}
