import type { Session } from '../accounts/sessions/index.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { csrfField } from './layout.ts'
import { momentText } from './moments.ts'
import type { PageRequest } from './page-request.ts'

/** Sessions of one person, newest first, and the page whose form ends them: its action is `end`, with the `session`, or `end-all`. */
interface SessionsShown {
  readonly sessions: readonly Session[]
  /** The session of the reader, as `listSessions` names it; '' for none of these. */
  readonly own: string
  readonly path: string
}

/** The sessions of someone, each with a button that ends it; no secret of theirs is in it. */
export function sessionsBox(request: PageRequest, { sessions, own, path }: SessionsShown): Markup {
  const { t } = request
  if (sessions.length === 0)
    return html`<div class="box"><h2>${t('admin.profile.sessions')}</h2><p class="quiet-text">${t('admin.profile.noSessions')}</p></div>`
  const rows = sessions.map(
    ({
      id,
      createdAt,
      usedAt,
      agent,
      address,
    }) => html`<tr><td>${browserOf(agent) || t('admin.profile.unknownBrowser')}${id === own ? html` <span class="badge">${t('admin.profile.thisBrowser')}</span>` : NOTHING}</td><td>${address}</td><td><span class="narrow-only">${t('admin.profile.signedIn')}: </span>${momentOf(request, createdAt)}</td><td><span class="narrow-only">${t('admin.profile.lastUsed')}: </span>${momentOf(request, usedAt)}</td>
<td><form method="post" action="${path}">${csrfField(request)}<input type="hidden" name="action" value="end"><input type="hidden" name="session" value="${id}"><button class="quiet" aria-label="${t('admin.profile.endSessionBrowser', { browser: browserOf(agent) || t('admin.profile.unknownBrowser') })}">${t('admin.profile.endSession')}</button></form></td></tr>\n`,
  )
  return html`<div class="box"><h2>${t('admin.profile.sessions')}</h2>
<div class="wide"><table class="rows"><thead><tr><th scope="col">${t('admin.profile.browser')}</th><th scope="col">${t('admin.ipAddress')}</th><th scope="col">${t('admin.profile.signedIn')}</th><th scope="col">${t('admin.profile.lastUsed')}</th><td></td></tr></thead>
<tbody>${rows}</tbody></table></div>
<form method="post" action="${path}">${csrfField(request)}<input type="hidden" name="action" value="end-all"><p><button class="bad">${t('admin.profile.signOutEverywhere')}</button></p></form></div>`
}

function momentOf(request: PageRequest, at: string): Markup {
  return html`<time datetime="${at.replace(' ', 'T')}Z">${momentText(request, at)}</time>`
}

/** The browser in short: `Firefox, Linux`; '' if unknown. */
export function browserOf(agent: string): string {
  const name = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((one) => agent.includes(`${one}/`)) ?? ''
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'].find((one) => agent.includes(one)) ?? ''
  return [name.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter((one) => one !== '').join(', ')
}
