import type { Caller } from '../../auth/caller.ts'
import type { Incoming } from '../dispatch.ts'
import { type Mount, NAMESPACE } from '../mount.ts'
import type { ServerParts } from '../server-parts.ts'
import { type Urls, urlsOf } from '../urls.ts'
import { NOTHING, readBody } from './body.ts'
import { contentTypeOf, languageOf, originOf } from './head.ts'
import type { ServerRequest } from './server-request.ts'
import { readUpload } from './upload.ts'

/** Mount that responses fall back to where the address was no API address. */
const BARE: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/** What a request says but for its body, which `readContent` reads. */
export function incomingOf(parts: ServerParts, request: ServerRequest, caller: Caller): Incoming {
  const { siteZone, iframeHosts, language } = parts.options
  const now = parts.now()
  const tries = mayTry(request) ? parts.limits?.triesOf(request) : undefined
  return {
    caller,
    now,
    context: { now, siteZone, iframeHosts },
    language: languageOf(request, language),
    mount: request.mount ?? BARE,
    urls: urlsFor(parts, request),
    path: request.path,
    query: request.query,
    body: NOTHING,
    ...(tries && { tries }),
  }
}

/** Whether a request may hold the password of an event. */
function mayTry({ query, body }: ServerRequest): boolean {
  return body !== undefined || Object.hasOwn(query, 'password')
}

/** The addresses that responses to a request give out. */
export function urlsFor(parts: ServerParts, request: ServerRequest): Urls {
  return urlsOf(originOf(request, parts.options.baseUrl), request.mount ?? BARE)
}

/** The body of a request, as a file for routes that take one. @throws rest_invalid_json, rest_bad_request */
export async function readContent(
  request: ServerRequest,
  isUpload: boolean,
): Promise<Pick<Incoming, 'body' | 'upload'>> {
  const { body, headers, sentMethod } = request
  const type = contentTypeOf(request)
  if (!isUpload) return { body: await readBody(body, type, sentMethod) }
  const { sent, upload } = await readUpload(body, { type, disposition: headers['content-disposition'] })
  return { body: sent, ...(upload && { upload }) }
}
