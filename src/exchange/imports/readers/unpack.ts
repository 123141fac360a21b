import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'

/** What came out of compressed bytes. */
export type Unpacked =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: 'too_large' | 'unreadable' }

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

/** Content codings (RFC 9110 section 8.4.1). */
const DECODE: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  // Some servers leave out the frame (RFC 9110 section 8.4.1.2).
  deflate: (bytes, options) =>
    promisify(inflate)(bytes, options).catch((error: unknown) => {
      if (isTooLarge(error)) throw error
      return promisify(inflateRaw)(bytes, options)
    }),
}

/** Most codings one upon the other. */
const DEEPEST = 3

/** Whether bytes are those of a gzip file (RFC 1952). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Unpacks what a server has compressed although nobody asked for it, and gzip files, up to `limit` bytes; `encoding` is the
 * Content-Encoding. What is a calendar already stays as it is, whatever the header says.
 */
export async function unpack(packed: Buffer, encoding: string, limit: number): Promise<Unpacked> {
  const codings = encoding.toLowerCase().split(',')
  const named = codings.map((one) => one.trim().replace(/^x-/, '')).filter((one) => one !== '' && one !== 'identity')
  if (named.length > DEEPEST) return { ok: false, reason: 'unreadable' }
  let bytes = packed
  try {
    for (const coding of named.toReversed()) {
      const decode = Object.hasOwn(DECODE, coding) ? DECODE[coding] : undefined
      if (isCalendarText(bytes)) break
      if (decode === undefined) return { ok: false, reason: 'unreadable' }
      if (coding !== 'gzip' || isGzip(bytes)) bytes = await decode(bytes, { maxOutputLength: limit })
    }
    if (isGzip(bytes)) bytes = (await DECODE['gzip']?.(bytes, { maxOutputLength: limit })) ?? bytes
    return { ok: true, bytes }
  } catch (error) {
    return { ok: false, reason: isTooLarge(error) ? 'too_large' : 'unreadable' }
  }
}

function isCalendarText(bytes: Buffer): boolean {
  return /^(?:\xEF\xBB\xBF)?\s*BEGIN:/i.test(bytes.toString('latin1', 0, 100))
}

/** Whether unpacking ended because of its bound. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
