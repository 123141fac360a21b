import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import { languageOf, methodSent, mounts, originOf } from './arrival.ts'
import { NOTHING, readBody, type Sent } from './body.ts'
import type { Incoming } from './dispatch.ts'
import { type Mount, NAMESPACE } from './mount.ts'
import type { ServerParts } from './server-parts.ts'
import { readUpload } from './upload.ts'
import { type Urls, urlsOf } from './urls.ts'

/** A request as the framework hands it over. */
export interface Arrived {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly host: string
  readonly protocol: string
  /** Path parameters, percent-decoded. */
  readonly params: unknown
  /** Query parameters as `readForm` reads them. */
  readonly query: unknown
  /** A Buffer; anything else is no body. */
  readonly body: unknown
}

/** Mount that answers fall back to where the address was not an API address. */
const BARE: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/** What a request says but for its body, which `readContent` reads. */
export function incomingOf(parts: ServerParts, request: Arrived, caller: Caller): Incoming {
  const { siteZone, iframeHosts, language } = parts.options
  const now = parts.now()
  return {
    caller,
    now,
    context: { now, siteZone, iframeHosts },
    language: languageOf(request, language),
    mount: mountOf(request),
    urls: urlsFor(parts, request),
    path: request.params as Record<string, string>,
    query: (request.query ?? NOTHING) as Sent,
    body: NOTHING,
  }
}

/** The addresses that answers to a request give out. */
export function urlsFor(parts: ServerParts, request: Arrived): Urls {
  return urlsOf(originOf(request, parts.options.baseUrl), mountOf(request))
}

function mountOf(request: Arrived): Mount {
  return mounts.get(request.raw) ?? BARE
}

/** The body of a request, as a file for routes that take one. @throws rest_invalid_json, rest_bad_request */
export async function readContent(request: Arrived, isUpload: boolean): Promise<Pick<Incoming, 'body' | 'upload'>> {
  const body = request.body instanceof Buffer ? request.body : undefined
  const type = request.headers['content-type'] ?? ''
  if (!isUpload) return { body: await readBody(body, type, methodSent(request.raw)) }
  const { sent, upload } = await readUpload(body, { type, disposition: request.headers['content-disposition'] })
  return { body: sent, ...(upload && { upload }) }
}
