import type { Caller } from '../auth/rights.ts'
import { chooseEncoding, compress, PLAIN_LIMIT } from '../cache/encodings.ts'
import { compressedTag } from '../cache/response-store.ts'
import { type PageResponse, pageHeaders } from '../page.ts'
import type { ServerRequest } from '../request/server-request.ts'
import type { ServerParts } from '../server-parts.ts'
import { conditional, validated } from './etag.ts'
import { bytesOf, type HttpResponse } from './http-response.ts'
import { sendPage, write } from './respond.ts'

/**
 * Responds with a page of the site: as responses of the API it has a tag, is compressed, and is cached for as long as it
 * says. What not everybody may see goes out as it is.
 */
export async function respondPage(
  parts: ServerParts,
  request: ServerRequest,
  { page, caller }: { readonly page: PageResponse; readonly caller: Caller },
): Promise<void> {
  const headers = pageHeaders(page, caller)
  const isKept = page.status === 200 && headers['cache-control']?.startsWith('private') !== true
  if (!isKept || page.chunks !== undefined) return sendPage(parts, request, { page, caller })
  const { method, ticket } = request
  const body = Buffer.from(page.body)
  const response = withValidators({ status: 200, headers, body }, { page, method })
  if (ticket !== undefined) parts.cache?.store(ticket, { response, freshness: page.freshness })
  const condition = request.headers['if-none-match']
  const sent = conditional(response, condition)
  write(parts, request, sent.status === 304 ? sent : await packed(response, request.headers['accept-encoding']))
}

function withValidators(
  response: HttpResponse,
  { page, method }: { readonly page: PageResponse; readonly method: string },
) {
  const made = validated(response, { reply: { freshness: page.freshness }, method })
  const vary = made.headers['vary'] ?? ''
  return {
    ...made,
    headers: { ...made.headers, vary: /accept-encoding/i.test(vary) ? vary : `${vary}, Accept-Encoding` },
  }
}

async function packed(response: HttpResponse, accepted: string | undefined): Promise<HttpResponse> {
  const body = bytesOf(response.body)
  const encoding = body.length <= PLAIN_LIMIT ? undefined : chooseEncoding(accepted)
  if (encoding === undefined) return response
  const smaller = await compress(body, encoding)
  if (smaller.length >= body.length) return response
  const { etag = '' } = response.headers
  return {
    ...response,
    headers: { ...response.headers, 'content-encoding': encoding, etag: compressedTag(etag, encoding) },
    body: smaller,
  }
}
