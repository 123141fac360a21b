import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { fail } from '../../base/errors.ts'
import { boundForm, boundIndexes, boundJson, boundMultipart } from './body-bounds.ts'
import { NOTHING, type RawInput, readForm } from './form.ts'

/** What a body is read as. */
export { NOTHING, type RawInput }

/** The media type of a request's body; '' where it is missing or malformed. */
export function contentTypeOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const type = headers['content-type']
  return type !== undefined && /^[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(type) ? type : ''
}

/**
 * Reads a request body by its content type; a body of another type is ignored.
 * @throws rest_invalid_json, rest_bad_request; rest_too_many_params before it is parsed
 */
export async function readBody(body: Buffer | undefined, contentType: string, method: string): Promise<RawInput> {
  if (body === undefined || body.length === 0) return NOTHING
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return readJson(body)
  if (type === 'application/x-www-form-urlencoded') {
    boundForm(body)
    return readForm(body.toString('utf8'))
  }
  if (type === 'multipart/form-data' && method === 'POST') return (await readMultipart(body, contentType)).sent
  return NOTHING
}

function readJson(body: Buffer): RawInput {
  boundJson(body)
  const text = decodeUtf8(body)
  if (text.trim() === '') return NOTHING
  const value = parseJson(text)
  // Arrays and scalars carry no names (wire: events 0.2).
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawInput) : NOTHING
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fail('rest_invalid_json', {}, { json_error_code: 4, json_error_message: 'Syntax error' })
  }
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw fail('rest_invalid_json', {}, { json_error_code: 5, json_error_message: 'Malformed UTF-8 characters' })
  }
}

/** The parts of a multipart form: its texts are parameters, its files are not. @throws rest_bad_request, rest_too_many_params */
export async function readMultipart(
  body: Buffer,
  contentType: string,
): Promise<{ readonly sent: RawInput; readonly files: readonly File[] }> {
  const boundary = boundaryOf(contentType)
  boundMultipart(body, boundary)
  const parts: string[] = []
  const files: File[] = []
  for (const [name, value] of await multipart(body, boundary)) {
    if (typeof value === 'string') parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    else files.push(value)
  }
  const form = parts.join('&')
  boundIndexes(form)
  return { sent: readForm(form), files }
}

/** What separates the parts of a multipart form. @throws rest_bad_request */
function boundaryOf(contentType: string): string {
  try {
    const boundary = new MIMEType(contentType).params.get('boundary') ?? ''
    if (boundary !== '') return boundary
  } catch {
    // Without a media type there is no boundary.
  }
  throw fail('rest_bad_request')
}

/** Uses the boundary by which parts were counted, whatever else the header says. */
async function multipart(body: Buffer, boundary: string): Promise<FormData> {
  const type = new MIMEType('multipart/form-data')
  type.params.set('boundary', boundary)
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': String(type) } }).formData()
  } catch {
    throw fail('rest_bad_request')
  }
}
