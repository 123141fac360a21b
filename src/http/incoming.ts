import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import { languageOf, methodSent, originOf } from './arrival.ts'
import { NOTHING, readBody, type Sent } from './body.ts'
import type { Claim } from './cache/answer-cache.ts'
import type { Incoming } from './dispatch.ts'
import { type Mount, NAMESPACE } from './mount.ts'
import type { ServerParts } from './server-parts.ts'
import { readUpload } from './upload.ts'
import { type Urls, urlsOf } from './urls.ts'

/** A request with its head read. */
export interface Arrived {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** The one that is meant, which may have come as POST. */
  readonly method: string
  /** Undefined where the address was not an API address. */
  readonly mount: Mount | undefined
  /** Undefined where the answer may not be kept. */
  readonly claim: Claim | undefined
  readonly host: string
  readonly protocol: string
  /** Address of the client, by proxies that are believed; undefined where there is none, as on a Unix socket. */
  readonly address: string | undefined
  /** Path parameters, percent-decoded. */
  readonly params: unknown
  /** Query parameters as `readForm` reads them. */
  readonly query: unknown
  /** A Buffer; undefined when there is none. */
  readonly body: Buffer | undefined
}

/** Mount that answers fall back to where the address was not an API address. */
const BARE: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/** What a request says but for its body, which `readContent` reads. */
export function incomingOf(parts: ServerParts, request: Arrived, caller: Caller): Incoming {
  const { siteZone, iframeHosts, language } = parts.options
  const now = parts.now()
  const tries = mayTry(request) ? parts.limits?.triesOf(request.raw) : undefined
  return {
    caller,
    now,
    context: { now, siteZone, iframeHosts },
    language: languageOf(request, language),
    mount: request.mount ?? BARE,
    urls: urlsFor(parts, request),
    path: request.params as Record<string, string>,
    query: (request.query ?? NOTHING) as Sent,
    body: NOTHING,
    ...(tries && { tries }),
  }
}

/** Whether a request may hold the password of an event. */
function mayTry({ query, body }: Arrived): boolean {
  return body !== undefined || Object.hasOwn((query ?? NOTHING) as Sent, 'password')
}

/** The addresses that answers to a request give out. */
export function urlsFor(parts: ServerParts, request: Arrived): Urls {
  return urlsOf(originOf(request, parts.options.baseUrl), request.mount ?? BARE)
}

/** The body of a request, as a file for routes that take one. @throws rest_invalid_json, rest_bad_request */
export async function readContent(request: Arrived, isUpload: boolean): Promise<Pick<Incoming, 'body' | 'upload'>> {
  const { body } = request
  const type = request.headers['content-type'] ?? ''
  if (!isUpload) return { body: await readBody(body, type, methodSent(request.raw)) }
  const { sent, upload } = await readUpload(body, { type, disposition: request.headers['content-disposition'] })
  return { body: sent, ...(upload && { upload }) }
}
