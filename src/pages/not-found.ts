import { type PageFailure, type PageResponse, PRIVATE_PAGE } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import type { SiteDeps } from './deps.ts'
import { html, when } from './html.ts'
import { layOut } from './layout.ts'
import { contextOf } from './page-context.ts'

/** The page of an address that names nothing, or nothing that this caller may read: both look the same. */
export function notFoundPage(deps: SiteDeps, incoming: Incoming): PageResponse {
  const context = contextOf(incoming)
  const { say } = context
  const body = html`<div class="lost">
<h1>${say('pages.pageNotFound')}</h1>
<p>${say('pages.notFoundText')}</p>
<p><a class="button" href="${context.link('/events/')}">${say('common.seeUpcoming')}</a></p>
</div>`
  return layOut({ status: 404, title: say('pages.pageNotFound'), deps, body, context, headers: PRIVATE_PAGE })
}

/** The page of a request that failed. */
export function failedPage(deps: SiteDeps, failure: PageFailure): PageResponse {
  const { status, message, urls, language, mount } = failure
  const context = contextOf({ language, urls, now: 0, mount })
  const { say } = context
  const title = say(status >= 500 ? 'pages.somethingWentWrong' : 'pages.thatDidntWork')
  const body = html`<div class="lost">
<h1>${title}</h1>${when(
    status === 413,
    () => html`
<p>${say('pages.tooLarge')}</p>
<p>${say('pages.tooLargeHint')}</p>`,
  )}
<p>${message}</p>
<p><a class="button" href="${context.link('/')}">${say('pages.toHomePage')}</a></p>
</div>`
  return layOut({ status, title, deps, body, context, headers: PRIVATE_PAGE })
}
