import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

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
  br: (body) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  zstd: (body) => zstd(body),
  gzip: (body) => zip(body, { level: 6 }),
}

/** Compresses a body, outside of this thread. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return COMPRESSORS[encoding](body)
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
