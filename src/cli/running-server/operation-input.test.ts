import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inputPieces, readInput } from './operation-input.ts'

const FILES = [
  { name: 'a "b"\n', bytes: Buffer.from('first\nline\0') },
  { name: 'nothing', bytes: Buffer.alloc(0) },
  { name: 'last', bytes: Buffer.from([0x0a, 0xff, 0x7b]) },
]

/** The bytes of an input in pieces of so many. */
async function* inPieces(input: unknown, size: number): AsyncGenerator<Uint8Array> {
  const whole = Buffer.concat(inputPieces(input).map((piece) => Buffer.from(piece)))
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

test('an input comes out as it went in, in pieces of any size', async () => {
  for (let size = 1; size < 200; size += 1) {
    const files = { files: FILES, author: 'ann' }
    assert.deepEqual(await readInput(inPieces(files, size)), files)
    assert.deepEqual(await readInput(inPieces({ files: [] }, size)), { files: [] })
    assert.deepEqual(await readInput(inPieces(null, size)), null)
  }
})

test('any files come out as they went in', async () => {
  const files = fc.array(fc.record({ name: fc.string(), bytes: fc.uint8Array() }))
  const law = fc.asyncProperty(files, fc.integer({ min: 1, max: 50 }), async (some, size) => {
    const given = { files: some.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })) }
    assert.deepEqual(await readInput(inPieces(given, size)), given)
  })
  await fc.assert(law)
})

test('what a file holds is never parsed', () => {
  const [line, ...pieces] = inputPieces({ files: FILES })
  assert.doesNotMatch(String(line), /first|line/)
  assert.ok(pieces.every((piece, index) => piece === FILES[index]?.bytes))
})

test('an input that is cut off or too long is an error', async () => {
  const whole = Buffer.concat(inputPieces({ files: FILES }).map((piece) => Buffer.from(piece)))
  const read = (bytes: Uint8Array) =>
    readInput(
      (async function* () {
        yield bytes
      })(),
    )
  for (let length = 0; length < whole.length; length += 1)
    await assert.rejects(read(whole.subarray(0, length)), { code: 'unexpected' }, String(length))
  await assert.rejects(read(Buffer.concat([whole, Buffer.from('x')])), { code: 'unexpected' })
})
