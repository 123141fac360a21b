import type { Sendable } from '../answer.ts'
import type { KeptAnswer } from './answer-store.ts'
import type { Encoding } from './encodings.ts'
import { ownBytes } from './own-bytes.ts'

/** A compressed answer is another one, byte for byte, so it has a tag of its own (RFC 9110 section 8.8.3.3). */
export function packedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

/** An answer as it is sent again and again, put together from the parts of its body. */
export function readyAnswer(sent: Sendable['headers'], pieces: readonly Buffer[]): KeptAnswer {
  const { etag = '', 'content-type': type = '', ...headers } = lowerCased(sent)
  const [first, ...others] = pieces
  const body = first !== undefined && others.length === 0 ? first : ownBytes(Buffer.concat(pieces))
  return { fields: Object.entries(headers).flat(), type, etag, body }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
