import type { Incoming } from '../http/dispatch.ts'
import type { PageAnswer } from '../http/page.ts'
import { html, layOut } from './layout.ts'
import type { WebParts } from './parts.ts'

/** The page of an address that names nothing. */
export function missingPage({ site }: WebParts, { urls }: Incoming): PageAnswer {
  const body = html`<h1>Nothing here</h1>\n<p>There is no page at this address. <a href="${urls.page('/')}">See what is on.</a></p>`
  return layOut({
    status: 404,
    title: 'Nothing here',
    siteName: site.name,
    body,
    apiRoot: urls.api('/'),
    origin: urls.page(''),
  })
}
