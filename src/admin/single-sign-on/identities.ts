import { digestOf } from '../../accounts/sessions/index.ts'
import { disconnect, identitiesOfUser } from '../../accounts/single-sign-on/index.ts'
import { Failure } from '../../base/errors.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import type { IdentityTable } from '../../storage/schema.ts'
import { auditRights } from '../audit.ts'
import { actionForm, adminPage } from '../layout.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { momentCell, rowsTable } from '../table.ts'
import { startConnecting } from './pages.ts'
import { providersOf } from './providers.ts'

const PROFILE = '/admin/profile'
const PATH = `${PROFILE}/identities`

/** Where people connect their accounts at providers, and disconnect them. */
export const IDENTITIES_PAGE: AdminPage = {
  path: PATH,
  role: 'subscriber',
  isSensitive: true,
  show: (request) => page(request),
  submit: change,
}

async function page(request: PageRequest, refused?: string): Promise<PageResponse> {
  const { t, deps, incoming } = request
  const identities = await identitiesOfUser(deps.storage, incoming.caller.id)
  const buttons = providersOf(request).map(
    ({ provider: { id, label } }) =>
      html`<button class="second" name="provider" value="${id}">${t('admin.identities.connect', { provider: label })}</button>\n`,
  )
  const choose = html`<div class="buttons">${buttons}</div>`
  const connect = buttons.length === 0 ? NOTHING : actionForm(request, [PATH, 'connect'], choose)
  const body = html`<div class="box">${identitiesTable(request, identities, PATH)}${connect}</div>`
  return adminPage(request, { title: t('admin.identities.title'), under: PROFILE, body, refused })
}

async function change(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, incoming, http, t } = request
  const client = providersOf(request).find(({ provider }) => provider.id === sent('provider'))
  if (sent('action') === 'connect' && client !== undefined) return startConnecting(request, client)
  if (sent('action') !== 'disconnect') return redirect(PATH)
  const { id, name } = incoming.caller
  const own = http.session === undefined ? {} : { except: digestOf(http.session) }
  try {
    if (await disconnect(deps, { user: { id, name }, id: sent('identity'), ...own }))
      auditRights(request, 'identity disconnected', { user: name })
    return redirect(`${PROFILE}?done=disconnected`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'last_way_in') throw error
    return page(request, t('admin.identities.lastWayIn'))
  }
}

/** The identities of the reader on the page Profile; nothing where single sign-on is not set up. */
export async function ownIdentities(request: PageRequest): Promise<Markup> {
  const { t, deps, incoming } = request
  const identities = await identitiesOfUser(deps.storage, incoming.caller.id)
  if (identities.length === 0 && providersOf(request).length === 0) return NOTHING
  return html`<div class="box"><h2>${t('admin.identities.title')}</h2><p class="quiet-text">${t('admin.identities.hint')}</p>
${identitiesTable(request, identities)}<p><a class="button second" href="${PATH}">${t('admin.identities.change')}</a></p></div>`
}

/** The identities of a user for administrators, with buttons that disconnect them; nothing for none. */
export async function identitiesBox(request: PageRequest, userId: number, path: string): Promise<Markup> {
  const identities = await identitiesOfUser(request.deps.storage, userId)
  if (identities.length === 0) return NOTHING
  return html`<div class="box"><h2>${request.t('admin.identities.title')}</h2>${identitiesTable(request, identities, path)}</div>\n`
}

/** Identities; with buttons where there is a path that takes their forms. */
function identitiesTable(request: PageRequest, identities: readonly IdentityTable[], path?: string): Markup {
  const { t } = request
  if (identities.length === 0) return html`<p class="quiet-text">${t('admin.identities.none')}</p>`
  const used = t('admin.profile.lastUsed')
  const rows = identities.map(({ id, issuer, subject, name, used_at }) => {
    const shown = name || subject
    const label = t('admin.identities.disconnectName', { name: shown })
    const button = html`<input type="hidden" name="identity" value="${id}"><button class="quiet" aria-label="${label}">${t('admin.identities.disconnect')}</button>`
    const form = path === undefined ? NOTHING : actionForm(request, [path, 'disconnect'], button)
    return html`<tr><th scope="row"><bdi>${providerName(request, issuer)}</bdi></th><td><bdi>${shown}</bdi></td>${momentCell(request, used, used_at)}<td>${form}</td></tr>\n`
  })
  return rowsTable([t('admin.identities.provider'), t('admin.identities.account'), used, ''], rows)
}

/** What people call the provider with an issuer; the issuer itself where it is no longer set up. */
function providerName({ deps }: PageRequest, issuer: string): string {
  return deps.providers.find(({ provider }) => provider.issuer === issuer)?.provider.label ?? issuer
}
