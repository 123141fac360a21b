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
import { bytesOf, type HttpResponse } from '../response/http-response.ts'

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

/** The response in the compression that its client likes best (`accepted` is its Accept-Encoding), where that saves something. */
export async function packed(response: HttpResponse, accepted: string | undefined): Promise<HttpResponse> {
  const body = bytesOf(response.body)
  const encoding = body.length <= PLAIN_LIMIT ? undefined : chooseEncoding(accepted)
  if (encoding === undefined) return response
  const smaller = await compressQuickly(body, encoding)
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
