import { digestOf, listSessions } from '../accounts/sessions/index.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { actionForm } from './layout.ts'
import { momentText } from './moments.ts'
import type { PageRequest } from './page-request.ts'
import { namedCell, rowsTable } from './table.ts'

/**
 * The sessions of a user, without their secrets, each with a button that ends it. The form of the page does so: its
 * action is `end`, with the `session`, or `end-all`.
 */
export async function sessionsBox(request: PageRequest, userId: number, path: string): Promise<Markup> {
  const { t, deps, http } = request
  const sessions = await listSessions(deps, userId)
  if (sessions.length === 0)
    return html`<div class="box"><h2>${t('admin.profile.sessions')}</h2><p class="quiet-text">${t('admin.profile.noSessions')}</p></div>`
  const own = http.session === undefined ? '' : digestOf(http.session)
  const [signedIn, lastUsed] = [t('admin.profile.signedIn'), t('admin.profile.lastUsed')]
  const rows = sessions.map(({ id, created_at: at, used_at: used, agent, address }) => {
    const browser = browserOf(agent) || t('admin.profile.unknownBrowser')
    const button = html`<input type="hidden" name="session" value="${id}"><button class="quiet" aria-label="${t('admin.profile.endSessionBrowser', { browser })}">${t('admin.profile.endSession')}</button>`
    return html`<tr><td>${browser}${id === own ? html` <span class="badge">${t('admin.profile.thisBrowser')}</span>` : NOTHING}</td><td>${address}</td>${namedCell(signedIn, momentOf(request, at))}${namedCell(lastUsed, momentOf(request, used ?? at))}<td>${actionForm(request, [path, 'end'], button)}</td></tr>\n`
  })
  const all = html`<p><button class="bad">${t('admin.profile.signOutEverywhere')}</button></p>`
  return html`<div class="box"><h2>${t('admin.profile.sessions')}</h2>
${rowsTable([t('admin.profile.browser'), t('admin.ipAddress'), signedIn, lastUsed, ''], rows)}
${actionForm(request, [path, 'end-all'], all)}</div>`
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
