import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import { type ItemVersion, modifiedMillis } from '../route/preconditions.ts'
import type { Freshness, Pieces, Reply } from '../route.ts'
import { bytesOf, type HttpResponse } from './http-response.ts'

/** The parts of request and reply on which validators depend. */
interface Condition {
  readonly reply: Pick<Reply, 'secret' | 'freshness' | 'text' | 'version' | 'read'>
  readonly method: string
  /** If-None-Match header. */
  readonly ifNoneMatch: string | undefined
}

/** Public, but must be revalidated, which a tag makes cheap. */
const ASK_AGAIN = 'public, max-age=0, must-revalidate'

/** What no write changes may also be stale for a moment. */
const LONG_LIVED = 'public, max-age=60, stale-while-revalidate=86400'

/**
 * The response with its validators and `Cache-Control` (RFC 9110 section 8.8, RFC 9111 section 5.2, RFC 5861). The ETag
 * is a digest of the body, or of the tags of its pieces, so it follows everything that a response embeds; that of an
 * item includes its version. Lists unlocked by a password have none, and private responses stay private. The response
 * to a write has the validators of what GET returns now.
 */
export function validated(response: HttpResponse, { reply, method }: Omit<Condition, 'ifNoneMatch'>): HttpResponse {
  const { version, read, text } = reply
  if (read !== undefined && version !== undefined) {
    const etag = etagOf(digestOf(JSON.stringify(read)), version)
    return { ...response, headers: { ...response.headers, etag, ...lastModified(version) } }
  }
  if (response.status !== 200 || (method !== 'GET' && method !== 'HEAD')) return response
  if (response.chunks !== undefined || (reply.secret === true && version === undefined)) return response
  const digest = text !== undefined && 'all' in text ? digestOfPieces(text) : digestOf(bytesOf(response.body))
  const validators = { etag: etagOf(digest, version), ...(version && lastModified(version)) }
  return { ...response, headers: { ...shared(response.headers, reply.freshness), ...validators } }
}

/** Length of the digest of a representation: 132 bits. */
const DIGEST_LENGTH = 22

/**
 * The strong validator of a representation with this digest (SHA-256 in base64url). That of an item ends with the mark
 * of its version, so that `If-Match` recognizes the item in whatever form it was read.
 */
function etagOf(digest: string, version?: ItemVersion): string {
  const body = digest.slice(0, DIGEST_LENGTH)
  return version === undefined ? `"${body}"` : `"${body}.${version.mark}"`
}

/** The header `Last-Modified` (RFC 9110 section 5.6.7), where the moment is known. */
function lastModified(version: ItemVersion): Record<string, string> {
  const millis = modifiedMillis(version)
  return millis === undefined ? {} : { 'last-modified': new Date(millis).toUTCString() }
}

function digestOf(bytes: Buffer | string): string {
  return hash('sha256', bytes, 'base64url')
}

/** Of texts that many responses are assembled from; they are collected together. */
const digests = new WeakMap<Buffer, string>()

function digestOfPieces({ texts, rest }: Pieces): string {
  const known = texts.map((text) => {
    const digest = digests.get(text) ?? digestOf(text)
    digests.set(text, digest)
    return digest
  })
  return digestOf(`${known.join()} ${rest}`)
}

function shared(headers: HttpResponse['headers'], freshness: Freshness | undefined): HttpResponse['headers'] {
  if (headers['cache-control'] !== undefined) return headers
  return { ...headers, vary: `${headers['vary']}, Accept-Encoding`, 'cache-control': policyOf(freshness) }
}

function policyOf(freshness: Freshness | undefined): string {
  return freshness?.dependencies.length === 0 ? LONG_LIVED : ASK_AGAIN
}

/** The response, or 304 when it has a validator and the client has it already (RFC 9110 section 13.1.2). */
export function conditional(response: HttpResponse, ifNoneMatch: string | undefined): HttpResponse {
  if (ifNoneMatch === undefined) return response
  const { 'content-type': _type, ...kept } = response.headers as Record<string, string>
  const matching = kept['etag'] === undefined ? undefined : matchingTag(ifNoneMatch, kept['etag'])
  return matching === undefined ? response : { status: 304, headers: { ...kept, etag: matching }, body: NOTHING }
}

const NOTHING = Buffer.alloc(0)

/**
 * The tag in an If-None-Match header that matches a response, or a compressed form of it, by weak comparison. `*`
 * matches every response.
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

/** The suffix of the tags of compressed responses. */
const PACKED_END = /^-(br|gzip|zstd)"$/

/** A compression of responses, by its name in HTTP. */
export type Encoding = 'br' | 'zstd' | 'gzip'

/** All of them, the best first: this order decides between those that a client likes equally well. */
const ENCODINGS: readonly Encoding[] = ['br', 'zstd', 'gzip']

/** Bodies up to this size are sent as they are, in bytes. */
export const PLAIN_LIMIT = 1024

/** Longest Accept-Encoding header that is looked at, in characters. */
const HEADER_LIMIT = 200

const brotli = promisify(brotliCompress)
const zstd = promisify(zstdCompress)
const zip = promisify(gzip)

const COMPRESSORS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => brotli(body, brotliOptions(body, 5)),
  zstd: (body) => zstd(body),
  gzip: (body) => zip(body, { level: 6 }),
}

const QUICK_COMPRESSORS: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, brotliOptions(body, 1)),
  zstd: (body) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: (body) => gzipSync(body, { level: 1 }),
}

function brotliOptions(body: Buffer, quality: number): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  }
}

/** Compresses a body, outside of this thread. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return COMPRESSORS[encoding](body)
}

/** Largest body that is compressed in this thread, in bytes: that takes two milliseconds at most. */
const QUICK_LIMIT = 512 * 1024

/**
 * Compresses a body that may never be sent again, with little work. A list of ten events takes 0.1 ms; to hand it to
 * another thread would take as long again.
 */
export async function compressQuickly(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return body.length > QUICK_LIMIT ? compress(body, encoding) : QUICK_COMPRESSORS[encoding](body)
}

/**
 * The response in the compression that its client likes best (`accepted` is its Accept-Encoding), where that saves something:
 * a style sheet or script, which browsers keep, in a good one, all else in a quick one.
 */
export async function packed(response: HttpResponse, accepted: string | undefined): Promise<HttpResponse> {
  const body = bytesOf(response.body)
  const encoding = body.length <= PLAIN_LIMIT ? undefined : chooseEncoding(accepted)
  if (encoding === undefined) return response
  const isKept = response.headers['cache-control']?.endsWith('immutable') === true
  const smaller = await (isKept ? compress : compressQuickly)(body, encoding)
  if (smaller.length >= body.length) return response
  const { etag = '' } = response.headers
  return {
    ...response,
    headers: { ...response.headers, 'content-encoding': encoding, etag: compressedTag(etag, encoding) },
    body: smaller,
  }
}

/**
 * The compression that a client likes best, undefined for none (RFC 9110 section 12.5.3): one that it names, or any for
 * `*`, with a weight that is neither 0 nor below that of the plain text.
 */
export function chooseEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header.length > HEADER_LIMIT) return undefined
  const weights = new Map(header.split(',').map(weightOf))
  const other = weights.get('*') ?? 0
  let [best, most]: [Encoding | undefined, number] = [undefined, weights.get('identity') ?? 0]
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding) ?? other
    if (weight > most || (weight > 0 && weight === most && best === undefined)) [best, most] = [encoding, weight]
  }
  return best
}

function weightOf(range: string): [string, number] {
  const [name = '', ...parameters] = range.split(';')
  const sent = parameters.map((one) => /^\s*q=([\d.]+)\s*$/i.exec(one)?.[1]).find((one) => one !== undefined)
  return [name.trim().toLowerCase(), sent === undefined ? 1 : Number(sent)]
}

/** A compressed body differs byte for byte, so it has an ETag of its own (RFC 9110 section 8.8.3.3). */
export function compressedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}
