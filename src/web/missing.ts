import type { Incoming } from '../http/dispatch.ts'
import { type PageAnswer, type PageFailure, PRIVATE_PAGE } from '../http/page.ts'
import { html, layOut } from './layout.ts'
import type { SiteParts } from './parts.ts'

/** The page of an address that names nothing, or nothing that this caller may read: both look the same. */
export function missingPage(parts: SiteParts, { urls }: Pick<Incoming, 'urls'>): PageAnswer {
  const body = html`<h1>Nothing here</h1>
<p>There is no page at this address. It may have been moved or taken away.</p>
<p><a href="${urls.page('/')}">See the next events</a></p>`
  return layOut({ status: 404, title: 'Nothing here', parts, body, urls, headers: PRIVATE_PAGE })
}

/** The page of a request that failed. */
export function failedPage(parts: SiteParts, failure: PageFailure): PageAnswer {
  const { status, code, message, urls } = failure
  const title = status >= 500 ? 'Something went wrong' : 'This did not work'
  const body = html`<h1>${title}</h1>
<p>${message}</p>
<p>Code: <code>${code}</code></p>
<p><a href="${urls.page('/')}">Go to the start page</a></p>`
  return layOut({ status, title, parts, body, urls, headers: PRIVATE_PAGE })
}
