import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contentTypeOf, PARAMETER_LIMIT } from '../request/body.ts'
import type { KeyedMessage } from './keyed-request.ts'

/** Bytes that are hashed in one turn of the event loop. */
const CHUNK = 1024 ** 2

/** Parts of a form that are told apart: a form with more is refused whatever its key, and must not take long before. */
const MOST_PARTS = PARAMETER_LIMIT + 2

/**
 * SHA-256 of method, target, media type and body, in base64url. The boundary of a multipart form counts for nothing:
 * clients choose another one each time they send the same form. No body is the same as an empty one: which of them arrives
 * depends on the process that took the request in.
 */
export async function fingerprintOf(request: KeyedMessage): Promise<string> {
  const { target, method, body } = request
  const type = contentTypeOf(request)
  const [media = ''] = type.split(';', 1)
  const digest = createHash('sha256').update(JSON.stringify([method, target, media.trim().toLowerCase()]))
  if (body !== undefined && body.length > 0) await addParts(digest, body, boundaryOf(type))
  return digest.digest('base64url')
}

function boundaryOf(type: string): string | undefined {
  const [, quoted, plain] = /^\s*multipart\/[^;]*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return quoted ?? plain
}

/** Adds a body without its boundaries, each part with its length. */
async function addParts(digest: Hash, body: Buffer, boundary: string | undefined): Promise<void> {
  const delimiter = boundary === undefined ? undefined : Buffer.from(`--${boundary}`, 'latin1')
  let start = 0
  for (let part = 0; start <= body.length; part += 1) {
    const found = delimiter === undefined || part >= MOST_PARTS ? -1 : body.indexOf(delimiter, start)
    const end = found < 0 ? body.length : found
    digest.update(` ${end - start} `)
    await addBytes(digest, body.subarray(start, end))
    if (found < 0) return
    start = end + (delimiter?.length ?? 0)
  }
}

async function addBytes(digest: Hash, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    if (at > 0) await nextTurn()
    digest.update(bytes.subarray(at, at + CHUNK))
  }
}
