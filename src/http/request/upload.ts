import { parse } from 'content-disposition'
import type { RawInput } from './body.ts'
import { NOTHING, readMultipart } from './body.ts'

/** A file that a client sent: as the whole body, or as the first file of a multipart form. */
export interface Upload {
  readonly bytes: Uint8Array
  /** Media type that the client claims, in lower case and without parameters; '' when it claims none. */
  readonly type: string
  /** File name given by the client, unchanged (it may contain slashes); '' when it gave none. */
  readonly name: string
}

/** The headers of an upload. */
interface UploadHeaders {
  /** Content-Type header; '' if there is none. */
  readonly type: string
  /** Content-Disposition header (RFC 6266). */
  readonly disposition: string | undefined
}

/**
 * Reads the body of a route that takes a file. The text parts of a form are further parameters; nothing else in the
 * body is read. `upload` is absent when nothing was sent.
 * @throws rest_bad_request for a form that cannot be read
 */
export async function readUpload(
  body: Buffer | undefined,
  headers: UploadHeaders,
): Promise<{ readonly sent: RawInput; readonly upload?: Upload }> {
  if (body === undefined || body.length === 0) return { sent: NOTHING }
  const type = mediaType(headers.type)
  if (type !== 'multipart/form-data') {
    return { sent: NOTHING, upload: { bytes: body, type, name: fileName(headers.disposition) } }
  }
  const { sent, files } = await readMultipart(body, headers.type)
  const [file] = files
  if (file === undefined) return { sent }
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { sent, upload: { bytes, type: mediaType(file.type), name: file.name } }
}

function mediaType(header: string): string {
  return header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function fileName(disposition: string | undefined): string {
  return disposition === undefined ? '' : (parse(disposition).parameters['filename'] ?? '')
}
