import { createHash } from 'node:crypto'
import type { PageResponse } from '../http/page.ts'
import type { Site } from '../model/site.ts'
import { html, type Markup, NOTHING } from './html.ts'

/** The colours of a site as a style sheet; '' where it has those of everybody. */
function sheetOf({ theme }: Pick<Site, 'theme'>): string {
  const { accent = '', accentDark = '' } = theme ?? {}
  const light = accent === '' ? '' : `:root{--accent:${accent}}`
  const usual = accent === '' ? '' : '@media (prefers-color-scheme:dark){:root{--accent:#a9b6ff}}'
  const dark = accentDark === '' ? usual : `@media (prefers-color-scheme:dark){:root{--accent:${accentDark}}}`
  return `${light}${dark}`
}

/** The link to the colours of a site, whose address changes with them; nothing where it has none of its own. */
export function themeLink(site: Pick<Site, 'theme'>, address: (path: string) => string): Markup {
  const sheet = sheetOf(site)
  if (sheet === '') return NOTHING
  const digest = createHash('sha256').update(sheet).digest('hex').slice(0, 10)
  return html`<link rel="stylesheet" href="${address('/theme.css')}?v=${digest}">`
}

/** The style sheet with the colours of a site. */
export function themeSheet(site: Pick<Site, 'theme'>): PageResponse {
  return {
    status: 200,
    body: sheetOf(site),
    type: 'text/css; charset=utf-8',
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }
}

/** The name of a site with its logo, where it has one. */
export function brand({ name, theme }: Pick<Site, 'name' | 'theme'>): Markup {
  const logo = theme?.logo ?? ''
  return logo === '' ? html`${name}` : html`<img class="logo" src="${logo}" alt=""> ${name}`
}
