import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { freeBytes } from './body-memory.ts'
import { Intake } from './intake.ts'

const PIECE = 20_000

const pieces = (count: number): Buffer[] =>
  Array.from({ length: count }, (_none, index) => Buffer.allocUnsafeSlow(PIECE).fill(65 + index))

function take(limit: number): { request: IncomingMessage; body: Promise<Buffer> } {
  const request = new IncomingMessage(new Socket())
  const intake = new Intake(1_000_000)
  const client = { key: 'one', address: 'one', isProxy: false }
  const sending = { raw: request, response: new ServerResponse(request), client }
  return { request, body: intake.take({ request: sending, limit, isKnown: true }) }
}

/** Bytes of memory that buffers still have. */
const heldBy = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)

test('memory that others may share is left alone', () => {
  const whole = Buffer.allocUnsafeSlow(PIECE)
  freeBytes(whole.subarray(1))
  freeBytes(Buffer.from('short'))
  assert.equal(whole.buffer.byteLength, PIECE)
  freeBytes(whole)
  freeBytes(whole)
  assert.equal(whole.buffer.byteLength, 0)
})

test('pieces of a body return their memory as soon as the body is whole', async () => {
  const sent = pieces(3)
  const { request, body } = take(4 * PIECE)
  for (const piece of [...sent, null]) request.push(piece)
  assert.equal((await body).toString(), ['A', 'B', 'C'].map((letter) => letter.repeat(PIECE)).join(''))
  assert.equal(heldBy(sent), 0)
})

test('all pieces of a refused body return their memory, also those that arrive later', async () => {
  const sent = pieces(5)
  const { request, body } = take(2.5 * PIECE)
  const refused = assert.rejects(body, { code: 'rest_body_too_large' })
  const ended = once(request, 'end')
  for (const piece of [...sent, null]) request.push(piece)
  await Promise.all([refused, ended])
  assert.equal(heldBy(sent), 0)
})
