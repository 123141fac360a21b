import type { FormPage, FormRequest, PageResponse } from '../../http/html-page.ts'
import { assetPath } from '../assets.ts'
import type { PagesDeps } from '../deps.ts'
import { html, NOTHING } from '../html.ts'
import { layOut } from '../layout.ts'
import { contextOf } from '../page-context.ts'
import { guideLinks } from './guides.ts'

/**
 * The reference of the API: its OpenAPI document in Swagger UI, from which requests are sent as the person who is signed
 * in, and the guides. The page has the token of the session and is made for one reader.
 */
export function referencePage(deps: PagesDeps): FormPage {
  return { path: '/reference', respond: async (asked) => show(deps, asked) }
}

function show(deps: PagesDeps, { incoming, csrf }: FormRequest): PageResponse {
  const context = contextOf(incoming)
  const { say, urls } = context
  const own = context.local(`${urls.index}kalends/v1/doc`)
  const isOwn = incoming.query['api'] === 'kalends/v1'
  const document = isOwn ? own : context.local(urls.api('/doc'))
  const tab = (href: string, name: string, isShown: boolean) =>
    html`<li><a href="${href}"${isShown ? html` aria-current="page"` : NOTHING}>${name}</a></li>`
  const body = html`<h1>${say('pages.apiReference')}</h1>
<p>${say('pages.requestsSentAs')}</p>
<h2>${say('pages.guides')}</h2>
${guideLinks(context)}
<h2>${say('pages.endpoints')}</h2>
<nav class="views" aria-label="OpenAPI"><ul>
${tab(context.link('/reference/'), 'cal/events/v1', !isOwn)}
${tab(context.link('/reference/?api=kalends/v1'), 'kalends/v1', isOwn)}
</ul></nav>
<noscript><p class="note">${say('pages.needsScript')} <a href="${document}">OpenAPI</a></p></noscript>
<div id="reference" lang="en" dir="ltr" data-document="${document}" data-csrf="${csrf}"></div>
<script defer src="${context.local(urls.page(assetPath('swagger-ui.js')))}"></script>
<script type="module" src="${context.local(urls.page(assetPath('reference.ts')))}"></script>`
  const styles = ['swagger-ui.css', 'reference.css']
  return layOut({
    title: say('pages.apiReference'),
    deps,
    context,
    body,
    path: '/reference/',
    styles,
    data: context.absolute(document),
  })
}
