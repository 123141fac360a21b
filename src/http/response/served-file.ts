import type { Readable } from 'node:stream'

/** A file that the site serves. No name is reused: its content never changes. */
export interface ServedFile {
  readonly name: string
  readonly mime: string
  /** Bytes. */
  readonly size: number
  /** Reads the file, or its bytes from `start` to `end`, both inclusive. Otherwise call `close`. */
  read(range?: ByteRange): Readable
  close(): Promise<void>
}

/** A part of a file: first and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Files beside the pages of the site. */
export interface ServedFiles {
  /** Path in front of the name of a file, with slashes at both ends. */
  readonly path: string
  /** Undefined if there is none of that name. */
  open(name: string): Promise<ServedFile | undefined>
}

/** The parts of a request that decide the response. */
export interface FileRequest {
  readonly method: string
  /** Header fields in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The response to a request for a file; without a body when `part` is undefined. */
export interface FileResponse {
  readonly status: 200 | 206 | 304 | 416
  readonly headers: Readonly<Record<string, string>>
  readonly part: ByteRange | undefined
}

/** A year: what RFC 9111 calls for ever; the name would change with the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * The response to a request for a file: whole, a range (RFC 9110 section 14.2), or nothing when the client has it.
 * Several ranges get the whole file, which is allowed. An image may be embedded anywhere, and is served as nothing but
 * an image.
 */
export function fileResponse(file: Pick<ServedFile, 'name' | 'mime' | 'size'>, request: FileRequest): FileResponse {
  const { size } = file
  const etag = `"${file.name}"`
  const headers = {
    'cache-control': FOR_EVER,
    etag,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  }
  if (hasAlready(request, etag)) return { status: 304, headers, part: undefined }
  const described = { ...headers, 'content-type': file.mime }
  const range = rangeOf(request, { size, etag })
  if (range === 'outside') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, part: undefined }
  }
  const isWhole = range === undefined
  const part = range ?? { start: 0, end: size - 1 }
  const lines = {
    ...described,
    'content-length': String(part.end - part.start + 1),
    ...(!isWhole && { 'content-range': `bytes ${part.start}-${part.end}/${size}` }),
  }
  return { status: isWhole ? 200 : 206, headers: lines, part: request.method === 'HEAD' ? undefined : part }
}

function headerOf({ headers }: FileRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

function hasAlready(request: FileRequest, etag: string): boolean {
  const tags = (headerOf(request, 'if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/** The single range requested; undefined for the whole file. HEAD has no ranges. */
function rangeOf(
  request: FileRequest,
  { size, etag }: { readonly size: number; readonly etag: string },
): ByteRange | 'outside' | undefined {
  const condition = headerOf(request, 'if-range')
  if (request.method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined
  const [whole, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headerOf(request, 'range') ?? '') ?? []
  if (whole === undefined || (first === '' && last === '')) return undefined
  if (first === '') return Number(last) === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'outside' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
