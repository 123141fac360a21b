import { type PageFailure, type PageResponse, PRIVATE_PAGE } from '../http/page.ts'
import type { Incoming } from '../http/route.ts'
import { hereOf } from './here.ts'
import { html, when } from './html.ts'
import { layOut } from './layout.ts'
import type { SiteParts } from './parts.ts'

/** The page of an address that names nothing, or nothing that this caller may read: both look the same. */
export function missingPage(parts: SiteParts, incoming: Incoming): PageResponse {
  const here = hereOf(incoming)
  const { say } = here
  const body = html`<div class="lost">
<h1>${say('Nothing here')}</h1>
<p>${say('There is no page at this address. It may have been moved or taken away.')}</p>
<p><a class="button" href="${here.link('/events/')}">${say('See the next events')}</a></p>
</div>`
  return layOut({ status: 404, title: say('Nothing here'), parts, body, here, headers: PRIVATE_PAGE })
}

/** The page of a request that failed. */
export function failedPage(parts: SiteParts, failure: PageFailure): PageResponse {
  const { status, code, message, urls, language, mount } = failure
  const here = hereOf({ language, urls, now: 0, mount })
  const { say } = here
  const title = say(status >= 500 ? 'Something went wrong' : 'This did not work')
  const body = html`<div class="lost">
<h1>${title}</h1>${when(
    status === 413,
    () => html`
<p>${say('What you sent is too large.')}</p>
<p>${say('Go back: what you typed is still there. Then choose a smaller file, or shorten the text.')}</p>`,
  )}
<p>${message}</p>
<p><code>${code}</code></p>
<p><a class="button" href="${here.link('/')}">${say('Go to the start page')}</a></p>
</div>`
  return layOut({ status, title, parts, body, here, headers: PRIVATE_PAGE })
}
