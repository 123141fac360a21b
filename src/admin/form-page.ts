import { directionOf, isolated, translate, translateKnown } from '../base/i18n/translate.ts'
import type { Urls } from '../http/address.ts'
import { isAtLeast } from '../http/auth/rights.ts'
import type { FormPage, FormRequest, PageResponse } from '../http/html-page.ts'
import { confirmation, isConfirmed } from './confirm-identity.ts'
import type { AdminDeps } from './deps.ts'
import { forbiddenPage } from './layout.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'

/** The page as the server takes it: nobody sees it who may not. */
export function formPage(deps: AdminDeps, page: AdminPage): FormPage {
  const { role: _role, isSensitive: _sensitive, isThere, show: _show, submit: _submit, ...served } = page
  return {
    ...served,
    ...(isThere && { isThere: () => isThere(deps) }),
    respond: async (asked) => belowPublicPath(asked.incoming.urls, await respond(deps, page, asked)),
  }
}

async function respond(deps: AdminDeps, page: AdminPage, asked: FormRequest): Promise<PageResponse> {
  const request = pageRequestOf(deps, asked)
  const { caller } = asked.incoming
  if (page.role !== undefined) {
    if (caller.id === 0) return redirect(`/admin/login?next=${encodeURIComponent(returnAddress(asked))}`)
    if (!isAtLeast(caller.role, page.role)) return forbiddenPage(request)
    if (page.isSensitive === true && !isConfirmed(request)) return confirmation(asked.http.target)
  }
  return asked.method === 'POST' && page.submit !== undefined ? page.submit(request) : page.show(request)
}

/** Attributes that name a target, up to its first slash. */
const TARGETS = /(?<= (?:href|src|data-src|action|formaction)=")\/(?!\/)[^"]*/g

/** Pages of the administration name paths of the server, which lie below the path of the public address where it has one. */
function belowPublicPath(urls: Urls, response: PageResponse): PageResponse {
  const root = new URL(urls.page('')).pathname
  if (root === '/') return response
  const place = (path: string): string => (`${path}/`.startsWith(`${root}/`) ? path : root + path)
  const { body, headers } = response
  const location = headers?.['location']
  return {
    ...response,
    ...(typeof body === 'string' && { body: body.replaceAll(TARGETS, place) }),
    ...(location?.startsWith('/') && { headers: { ...headers, location: place(location) } }),
  }
}

/** Browsers return only to pages that were read: a form that was sent is not sent again. */
function returnAddress({ method, http }: FormRequest): string {
  return method === 'GET' ? http.target : '/admin'
}

function pageRequestOf(deps: AdminDeps, asked: FormRequest): PageRequest {
  const { language, body, query } = asked.incoming
  const isRightToLeft = directionOf(language) === 'rtl'
  return {
    ...asked,
    deps,
    t: (id, values) => translate(language, id, isRightToLeft && values !== undefined ? isolated(values) : values),
    say: (text) => translateKnown(language, text),
    sent: (name) => textOf(body[name]),
    query: (name) => textOf(query[name]),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
