import {
  type AccessToken,
  aboutToken,
  addToken,
  type CreatedToken,
  listTokens,
  revokeToken,
} from '../accounts/tokens/index.ts'
import type { MessageId } from '../base/i18n/translate.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { TokenScope } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { auditRights } from './audit.ts'
import { confirmPage } from './confirm.ts'
import { confirmationLink, isConfirmed } from './confirm-identity.ts'
import { choicesControl, lineControl, type Offer, selectControl } from './controls.ts'
import { copiedOnce } from './copied-once.ts'
import { actionForm } from './layout.ts'
import { momentText } from './moments.ts'
import type { PageRequest } from './page-request.ts'
import { passOver } from './refusals.ts'
import { namedCell, rowsTable } from './table.ts'

/** The actions of a form about tokens. */
export const TOKEN_ACTIONS = { create: 'token', revoke: 'revoke-token' } as const

const SCOPE_TEXTS: Readonly<Record<TokenScope, MessageId>> = {
  read: 'admin.tokens.read',
  'events:write': 'admin.tokens.events',
  'terms:write': 'admin.tokens.terms',
  'media:write': 'admin.tokens.media',
  admin: 'admin.tokens.admin',
}

const DAY = 86_400_000
const USUAL_DAYS = '90'

/** Whose tokens a page shows, the address of its forms, and what follows the list. */
interface TokensShown {
  readonly user: string
  readonly path: string
  readonly more?: Markup
}

/** The valid tokens of a user, each with a button that revokes it; '' where there is nothing to show. */
export async function tokensBox(request: PageRequest, { user, path, more }: TokensShown): Promise<Markup> {
  const { t, deps } = request
  const tokens = await listTokens(deps, { user })
  if (tokens.length === 0 && more === undefined) return NOTHING
  const heads = [
    t('admin.profile.purpose'),
    t('admin.tokens.mayDo'),
    t('admin.profile.lastUsed'),
    t('admin.tokens.expires'),
  ]
  const rows = tokens.map((token) => tokenRow(request, token, path))
  const table = rowsTable([...heads, ''], rows)
  return html`<div class="box"><h2>${t('admin.tokens.title')}</h2>${more === undefined ? NOTHING : html`<p class="quiet-text">${t('admin.tokens.hint')}</p>`}${rows.length === 0 ? NOTHING : table}${more ?? NOTHING}</div>\n`
}

function tokenRow(request: PageRequest, { id, name, scopes, usedAt, expiresAt }: AccessToken, path: string): Markup {
  const { t } = request
  const moment = (head: string, at: string | null): Markup =>
    namedCell(head, at === null ? t('admin.tokens.never') : momentText(request, at))
  const may = scopes.map((scope) => html`<div>${t(SCOPE_TEXTS[scope])}</div>`)
  const label = t('admin.profile.revokeName', { name })
  const button = html`<input type="hidden" name="token" value="${id}"><button class="quiet" aria-label="${label}">${t('admin.revoke')}</button>`
  return html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${may}</td>${moment(t('admin.profile.lastUsed'), usedAt)}${moment(t('admin.tokens.expires'), expiresAt)}<td>${actionForm(request, [path, TOKEN_ACTIONS.revoke], button)}</td></tr>\n`
}

/** The tokens of the reader with a form for another one, which asks for a fresh proof of identity. */
export async function ownTokens(request: PageRequest, path: string, wrong?: string): Promise<Markup> {
  const { t, incoming } = request
  const more = isConfirmed(request) ? tokenForm(request, path, wrong) : confirmationLink(path, t('admin.tokens.create'))
  return tokensBox(request, { user: incoming.caller.name, path, more })
}

function tokenForm(request: PageRequest, path: string, wrong: string | undefined): Markup {
  const { t, sent, incoming } = request
  const days = [7, 30, 90, 365].map((count): Offer => [String(count), t('admin.tokens.inDays', { count })])
  const never: Offer[] = incoming.caller.role === 'administrator' ? [['never', t('admin.tokens.never')]] : []
  const isRefused = wrong !== undefined
  const scopes = Object.entries(SCOPE_TEXTS).map(([scope, text]): Offer => [scope, t(text)])
  const chosen = new Set(isRefused ? sentScopes(request) : ['read'])
  const value = isRefused ? sent('tokenName') : ''
  const name = { name: 'tokenName', label: t('admin.profile.purpose'), value, wrong }
  const expires = { name: 'expires', label: t('admin.tokens.expires'), value: sent('expires') || USUAL_DAYS }
  const fields = html`
<div class="pair">${lineControl(name, { required: true, maxlength: '100' })}${selectControl(expires, [...days, ...never])}</div>
<fieldset><legend>${t('admin.tokens.mayDo')}</legend>${choicesControl({ name: 'scopes', label: t('admin.tokens.mayDo') }, scopes, chosen)}</fieldset>
<button class="second">${t('admin.tokens.create')}</button>`
  return actionForm(request, [path, TOKEN_ACTIONS.create], fields)
}

function sentScopes({ incoming }: PageRequest): string[] {
  const sent = incoming.body['scopes']
  return (Array.isArray(sent) ? sent : [sent]).filter((scope) => typeof scope === 'string')
}

/** Creates a token of the reader; undefined for one who has to prove who they are first. @throws bad_token */
export async function createToken(request: PageRequest): Promise<CreatedToken | undefined> {
  const { deps, sent, incoming } = request
  if (!isConfirmed(request)) return undefined
  const days = /^\d{1,3}$/.exec(sent('expires'))?.[0] ?? USUAL_DAYS
  const expiresAt = sent('expires') === 'never' ? null : utcFromMillis(deps.now() + Number(days) * DAY)
  const wanted = { name: sent('tokenName'), scopes: sentScopes(request), expiresAt }
  const created = await addToken(deps, { user: incoming.caller.name, ...wanted })
  auditRights(request, 'token added', aboutToken(created))
  return created
}

/** The text of a new token: whoever looks again does not see it. */
export function createdToken(request: PageRequest, { token }: CreatedToken): Markup {
  const { t } = request
  return html`<div class="box"><h2>${t('admin.tokens.newToken')}</h2><p>${t('admin.tokens.copyNow')}</p>${copiedOnce(request, token)}</div></div>\n`
}

/** Asks before a program loses its way in, and then revokes its token; undefined when that is done. */
export async function endToken(
  request: PageRequest,
  { user, path, under }: Pick<TokensShown, 'user' | 'path'> & { readonly under: string },
): Promise<PageResponse | undefined> {
  const { deps, sent, t } = request
  const id = sent('token')
  if (sent('confirmed') !== 'true') {
    const name = (await listTokens(deps, { user })).find((one) => one.id === id)?.name ?? id
    const question = t('admin.users.revokeQuestion', { name })
    const action = [TOKEN_ACTIONS.revoke, t('admin.revoke')] as const
    return confirmPage(request, { question, under, back: path, fields: [['token', id]], action })
  }
  const revoked = await revokeToken(deps, { id, user }).catch(passOver)
  if (revoked) auditRights(request, 'token revoked', aboutToken(revoked))
  return undefined
}
