import assert from 'node:assert/strict'
import test from 'node:test'
import { readUpload } from './upload.ts'

const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff])

function formOf(entries: readonly (readonly [name: string, value: string | File])[]): Promise<[Buffer, string]> {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  const response = new Response(form)
  return response.arrayBuffer().then((body) => [Buffer.from(body), response.headers.get('content-type') ?? ''])
}

test('the whole body is the file, byte for byte, with the type and the name that the headers say', async () => {
  for (const [disposition, name] of [
    ['attachment; filename="my picture.png"', 'my picture.png'],
    ['attachment; filename=a.png', 'a.png'],
    ['inline; FILENAME*=UTF-8\'\'caf%C3%A9.png; filename="x.png"', 'café.png'],
    ['attachment', ''],
    ['', ''],
    ['%;;"', ''],
    [undefined, ''],
  ] as const) {
    const { upload, sent } = await readUpload(BYTES, { type: 'Image/PNG; q=1', disposition })
    assert.deepEqual([upload?.type, upload?.name, sent], ['image/png', name, {}], String(disposition))
    assert.deepEqual(Buffer.from(upload?.bytes ?? []), BYTES)
  }
})

test('the first file of a form is the file, and its texts are parameters', async () => {
  const [body, type] = await formOf([
    ['title', 'Stage'],
    ['file', new File([BYTES], 'Bühne.png', { type: 'image/png' })],
    ['other', new File(['x'], 'x.txt')],
  ])
  const { upload, sent } = await readUpload(body, { type, disposition: undefined })
  assert.deepEqual([upload?.type, upload?.name, sent], ['image/png', 'Bühne.png', { title: 'Stage' }])
  assert.deepEqual(Buffer.from(upload?.bytes ?? []), BYTES)
})

test('no body and a form without files are no file', async () => {
  for (const body of [undefined, Buffer.alloc(0)]) {
    assert.deepEqual(await readUpload(body, { type: 'image/png', disposition: undefined }), { sent: {} })
  }
  const [body, type] = await formOf([['title', 'Stage']])
  assert.deepEqual(await readUpload(body, { type, disposition: undefined }), { sent: { title: 'Stage' } })
})

test('a form that cannot be read is refused', async () => {
  const reading = readUpload(BYTES, { type: 'multipart/form-data', disposition: undefined })
  await assert.rejects(reading, { code: 'rest_bad_request' })
})
