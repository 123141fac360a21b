import { hash } from 'node:crypto'
import { bytesOf, type Sendable } from '../answer.ts'
import { etagOf, lastModified } from '../item-version.ts'
import type { Lasting, Pieces, Reply } from '../route.ts'

/** The request beside an answer, as far as validators look at it. */
interface Condition {
  readonly reply: Pick<Reply, 'secret' | 'lasting' | 'text' | 'version' | 'read'>
  readonly method: string
  /** If-None-Match header. */
  readonly ifNoneMatch: string | undefined
}

/** Everybody may keep it and has to ask whether it is still true, which a tag makes cheap. */
const ASK_AGAIN = 'public, max-age=0, must-revalidate'

/** What no write changes may also be old for a moment. */
const LONG_LIVED = 'public, max-age=60, stale-while-revalidate=86400'

/**
 * The answer with its validators and how long everybody may keep it (RFC 9110 section 8.8, RFC 9111 section 5.2, RFC
 * 5861). The tag is made of the body, or of the tags of its pieces, so it follows everything an answer embeds; that of an
 * item also holds its version. Lists that a password opened have none, and what is nobody's to keep stays so. The answer
 * to a write has the validators with which GET answers the item now.
 */
export function validated(answer: Sendable, { reply, method }: Omit<Condition, 'ifNoneMatch'>): Sendable {
  const { version, read, text } = reply
  if (read !== undefined && version !== undefined) {
    const etag = etagOf(digestOf(JSON.stringify(read)), version)
    return { ...answer, headers: { ...answer.headers, etag, 'last-modified': lastModified(version) } }
  }
  if (answer.status !== 200 || (method !== 'GET' && method !== 'HEAD')) return answer
  if (reply.secret === true && version === undefined) return answer
  const digest = text !== undefined && 'all' in text ? digestOfPieces(text) : digestOf(bytesOf(answer.body))
  const validators = { etag: etagOf(digest, version), ...(version && { 'last-modified': lastModified(version) }) }
  return { ...answer, headers: { ...shared(answer.headers, reply.lasting), ...validators } }
}

function digestOf(bytes: Buffer | string): string {
  return hash('sha256', bytes, 'base64url')
}

/** Of texts that many answers are put together from; what is no longer kept is forgotten here, too. */
const digests = new WeakMap<Buffer, string>()

function digestOfPieces({ texts, rest }: Pieces): string {
  const known = texts.map((text) => {
    const digest = digests.get(text) ?? digestOf(text)
    digests.set(text, digest)
    return digest
  })
  return digestOf(`${known.join()} ${rest}`)
}

function shared(headers: Sendable['headers'], lasting: Lasting | undefined): Sendable['headers'] {
  if (headers['cache-control'] !== undefined) return headers
  return { ...headers, vary: `${headers['vary']}, Accept-Encoding`, 'cache-control': policyOf(lasting) }
}

function policyOf(lasting: Lasting | undefined): string {
  return lasting?.parts.length === 0 ? LONG_LIVED : ASK_AGAIN
}

/** The answer, or 304 when it has a validator and the client has it already (RFC 9110 section 13.1.2). */
export function conditional(answer: Sendable, ifNoneMatch: string | undefined): Sendable {
  if (ifNoneMatch === undefined) return answer
  const { 'content-type': _type, ...kept } = answer.headers as Record<string, string>
  const matching = kept['etag'] === undefined ? undefined : matchingTag(ifNoneMatch, kept['etag'])
  return matching === undefined ? answer : { status: 304, headers: { ...kept, etag: matching }, body: NOTHING }
}

const NOTHING = Buffer.alloc(0)

/**
 * The tag in an If-None-Match header that names an answer, or a compressed form of it; weak comparison, as that header
 * asks for. `*` names every answer.
 */
export function matchingTag(header: string | undefined, tag: string): string | undefined {
  if (header === undefined) return undefined
  const start = tag.slice(0, -1)
  for (const part of header.split(',')) {
    const named = part.trim().replace(/^W\//, '')
    if (named === '*') return tag
    if (named === tag) return tag
    if (named.startsWith(start) && PACKED_END.test(named.slice(start.length))) return named
  }
  return undefined
}

/** What the tags of compressed answers end with. */
const PACKED_END = /^-(br|gzip|zstd)"$/
