import { directionOf, type MessageId } from '../base/i18n/translate.ts'
import { isAtLeast, type Role } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { CSRF_FIELD } from '../http/request/cross-origin.ts'
import { assetPath } from '../pages/assets.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { imagesElsewhere } from '../pages/policy.ts'
import type { PageRequest } from './page-request.ts'
import { problemSummary } from './problem-summary.ts'

/** A page of the administration to be laid out. */
export interface AdminSheet {
  /** If absent 200, or 400 where something was refused. */
  readonly status?: number
  readonly title: string
  readonly body: Markup
  /** Path of the link in the navigation under which the page stands. */
  readonly under?: string
  /** The last action; announced to assistive technology at once. */
  readonly done?: string | undefined
  /** A form that restores deleted items. */
  readonly restore?: Markup
  /** What was refused. */
  readonly refused?: string | undefined
  /** Names of the scripts that the page runs. */
  readonly scripts?: readonly string[]
  /** Address of any site to which the browser goes at once. */
  readonly onward?: string
  /** Links and buttons beside the heading. */
  readonly actions?: Markup
}

/**
 * Nothing runs or is loaded from elsewhere but images that the content names, and where a text is edited those that someone
 * puts into it; nobody may frame these pages.
 */
function policyOf(body: Markup, start: string): string {
  const pictures = body.markup.includes('<rich-text') ? ' http: https:' : imagesElsewhere(body.markup, start)
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:${pictures}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
}

const HEADERS = {
  'x-frame-options': 'DENY',
  // Forms send their origin, other sites learn nothing.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** The public calendar. */
const CALENDAR = '/events/month/'

/** A link of the navigation, with the least role that sees it. */
type NavigationLink = readonly [text: MessageId, path: string, role: Role]

/** The groups of the navigation. */
const NAVIGATION: readonly (readonly [title: MessageId, links: readonly NavigationLink[]])[] = [
  [
    'common.calendar',
    [
      ['admin.overview', '/admin', 'contributor'],
      ['common.calendar', CALENDAR, 'contributor'],
      ['common.events', '/admin/events', 'contributor'],
      ['admin.reviewQueue', '/admin/queue', 'editor'],
    ],
  ],
  [
    'admin.menu.content',
    [
      ['admin.venues', '/admin/venues', 'contributor'],
      ['fields.organizers', '/admin/organizers', 'contributor'],
      ['fields.categories', '/admin/categories', 'author'],
      ['fields.tags', '/admin/tags', 'author'],
      ['common.media', '/admin/media', 'author'],
      ['admin.trash.title', '/admin/trash', 'contributor'],
    ],
  ],
  [
    'admin.settings.site',
    [
      ['admin.subscriptions.title', '/admin/subscriptions', 'administrator'],
      ['admin.webhooks.title', '/admin/webhooks', 'administrator'],
      ['common.users', '/admin/users', 'administrator'],
      ['admin.settings', '/admin/settings', 'administrator'],
      ['admin.system', '/admin/system', 'administrator'],
      ['admin.profile', '/admin/profile', 'subscriber'],
    ],
  ],
]

/** An arrow beside the links that leave the administration. */
const LEAVES = html`<svg class="icon leaves" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5H5v14h14v-4M13 5h6v6m0-6-9 9"/></svg>`

const BURGER = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16"/></svg>`

/** A page for someone who is signed in. */
export function adminPage(request: PageRequest, sheet: AdminSheet): PageResponse {
  const { t, deps } = request
  const body = html`<a class="skip" href="#main">${t('common.skipToContent')}</a>
<header class="bar">
<button class="quiet burger" type="button" popovertarget="nav" aria-label="${t('admin.menu.open')}">${BURGER}</button>
<a class="brand" href="/admin"><bdi>${deps.site.name}</bdi> <small>${t('admin.menu.administration')}</small></a>
<a class="site" href="/" title="${t('admin.menu.leaves')}">${t('admin.menu.viewSite')}${LEAVES}</a>
</header>
<div class="shell">
${navigation(request, sheet.under)}
<main id="main" tabindex="-1">
<div class="head"><h1>${sheet.title}</h1>${sheet.actions ?? NOTHING}</div>
${notices(request, sheet)}${sheet.body}
</main>
</div>`
  return document(request, sheet, body)
}

function navigation(request: PageRequest, under: string | undefined): Markup {
  const { t, incoming } = request
  const groups = NAVIGATION.map(([title, links], index) => {
    const seen = links.filter(([, , role]) => isAtLeast(incoming.caller.role, role))
    if (seen.length === 0) return NOTHING
    const items = seen.map(([text, path]) => {
      const current = path === under ? html` aria-current="page"` : NOTHING
      return html`<li><a href="${path}"${current}>${t(text)}${path === CALENDAR ? LEAVES : NOTHING}</a></li>\n`
    })
    return html`<h2 id="nav-${index}">${t(title)}</h2><ul aria-labelledby="nav-${index}">${items}</ul>\n`
  })
  return html`<nav id="nav" popover aria-label="${t('admin.menu.administration')}">${groups}<form method="post" action="/admin/logout">${csrfField(request)}<button class="quiet">${t('admin.menu.signOut')}</button></form></nav>`
}

/** A page for someone who is not signed in: one card. */
export function cardPage(request: PageRequest, sheet: AdminSheet): PageResponse {
  const body = html`<main class="card" id="main">
<p class="brand">${request.deps.site.name}</p>
<h1>${sheet.title}</h1>
${notices(request, sheet)}${sheet.body}
</main>`
  return document(request, sheet, body)
}

/** The hidden field without which no form changes anything; nothing where nobody is signed in. */
export function csrfField({ csrf }: Pick<PageRequest, 'csrf'>): Markup {
  return csrf === '' ? NOTHING : html`<input type="hidden" name="${CSRF_FIELD}" value="${csrf}">`
}

/** A form of a page, which does one of several things there. */
export function actionForm(request: PageRequest, [path, action]: readonly [string, string], content: Markup): Markup {
  return html`<form method="post" action="${path}">${csrfField(request)}<input type="hidden" name="action" value="${action}">${content}</form>`
}

/** The page of someone who may not see another one. */
export function forbiddenPage(request: PageRequest): PageResponse {
  const { t } = request
  const body = html`<p>${t('admin.menu.noAccessText')}</p>`
  return adminPage(request, { status: 403, title: t('admin.menu.noAccess'), body })
}

function notices({ t }: PageRequest, { done, restore = NOTHING, refused, body }: AdminSheet): Markup {
  const told = done === undefined ? NOTHING : html`<div class="done" role="status">${done}${restore}</div>\n`
  return html`${told}${problemSummary(t, body, refused)}`
}

function document(
  { incoming, deps }: PageRequest,
  { title, refused, status = refused === undefined ? 200 : 400, scripts = [], onward }: AdminSheet,
  body: Markup,
): PageResponse {
  const { language } = incoming
  const leaving = onward === undefined ? NOTHING : html`<meta http-equiv="refresh" content="0; url=${onward}">\n`
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${leaving}<title>${title} – ${deps.site.name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('admin.css')}">
${scripts.map((name) => html`<script type="module" src="${assetPath(name)}"></script>\n`)}</head>
<body>
${body}
</body>
</html>
`
  const policy = { 'content-security-policy': policyOf(body, incoming.urls.page('/')) }
  return { status, body: page.markup, headers: { ...HEADERS, ...policy, vary: 'Accept-Language, Cookie' } }
}
