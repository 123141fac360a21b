import type { PageResponse } from '../http/html-page.ts'
import { html } from '../pages/html.ts'
import { cardPage } from './layout.ts'
import type { PageRequest } from './page-request.ts'

/** Recovery codes that are shown once. */
interface NewCodes {
  readonly codes: readonly string[]
  /** Path of the page that follows. */
  readonly next: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The page with recovery codes, to be printed: whoever looks again does not see them. */
export function codesPage(request: PageRequest, { codes, next, headers = {} }: NewCodes): PageResponse {
  const { t, deps } = request
  const body = html`<p>${t('admin.recovery.about')}</p>
<div id="secret" tabindex="-1"><p class="quiet-text">${deps.site.name}</p><ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul></div>
<div class="buttons"><button type="button" data-print hidden>${t('admin.recovery.print')}</button><button type="button" class="second" data-copy="secret" data-copied="${t('admin.users.copied')}" hidden>${t('admin.users.copy')}</button><a class="button second" href="${next}">${t('admin.recovery.continue')}</a></div>`
  const page = cardPage(request, { title: t('admin.recovery.title'), body, scripts: ['admin/copy.ts'] })
  return { ...page, headers: { ...page.headers, 'cache-control': 'no-store', ...headers } }
}
