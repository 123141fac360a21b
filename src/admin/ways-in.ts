import { addPasskey, PASSKEYS, passkeysOf, removePasskey, renamePasskey } from '../accounts/passkeys/index.ts'
import { changePassword, countRecoveryCodes, removePassword } from '../accounts/sessions/index.ts'
import { findUserById, type User } from '../accounts/users/index.ts'
import { waysInOf } from '../accounts/ways-in/index.ts'
import { Failure, fail } from '../base/errors.ts'
import { PERSON_PASSWORD } from '../http/auth/person-password.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { PasskeyTable } from '../storage/schema.ts'
import { auditRights } from './audit.ts'
import { confirmPage } from './confirm.ts'
import { lineControl } from './controls.ts'
import { actionForm, adminPage } from './layout.ts'
import { type AdminPage, type PageRequest, redirect, WAYS_IN_PATH } from './page-request.ts'
import { noPasskeysReason, PASSKEY_SCRIPT, passkeyAnswer, passkeyForm, passkeyName } from './passkey-form.ts'
import { codesPage } from './recovery-codes.ts'
import { enter } from './sign-in-pages.ts'
import { momentCell, rowsTable } from './table.ts'

/** The page on which people change how they sign in: passkeys, and with one of them no password. */
export const WAYS_IN_PAGE: AdminPage = {
  path: WAYS_IN_PATH,
  role: 'subscriber',
  isSensitive: true,
  show: (request) => page(request),
  submit,
}

const PROFILE = '/admin/profile'

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const user = await findUserById(deps.storage, incoming.caller.id)
  const step = STEPS.get(sent('action'))
  const isAllowed = !PASSWORD_STEPS.includes(sent('action')) || deps.openWays.mayUsePassword(incoming.caller.name)
  if (user === undefined || step === undefined || !isAllowed)
    return page(request, { form: request.t('admin.form.unusable') })
  try {
    return await step(request, user)
  } catch (error) {
    const wrong = error instanceof Failure ? wrongOf(request, error) : undefined
    if (wrong === undefined) throw error
    if (error instanceof Failure && error.code === 'last_administrator')
      auditRights(request, 'change refused', { user: user.name, why: error.code })
    return page(request, wrong)
  }
}

type Step = (request: PageRequest, user: User) => Promise<PageResponse>

/** What the forms of the page do, by the names of their actions. */
const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['add', add],
  ['rename', rename],
  ['remove', remove],
  ['no-password', withoutPassword],
  ['password', choosePassword],
])

/** Those that are there for people who may type a password, or a recovery code in its place. */
const PASSWORD_STEPS = ['no-password', 'password']

async function add(request: PageRequest, user: User): Promise<PageResponse> {
  const { deps, sent } = request
  const answer = passkeyAnswer(request)
  if (answer === undefined) throw fail('bad_passkey')
  const name = sent('name').trim() || passkeyName(request)
  await addPasskey(deps, user, { ...answer, name })
  auditRights(request, 'passkey added', { user: user.name, passkey: name })
  return saved()
}

async function rename(request: PageRequest, user: User): Promise<PageResponse> {
  const { deps, sent } = request
  await renamePasskey(deps, user.id, { id: sent('id'), name: sent('name') })
  auditRights(request, 'passkey renamed', { user: user.name, passkey: sent('name').trim() })
  return saved()
}

async function remove(request: PageRequest, user: User): Promise<PageResponse> {
  const { deps, sent, t } = request
  const id = sent('id')
  if (sent('confirmed') === 'true') {
    const passkey = await removePasskey(deps, user, { id })
    auditRights(request, 'passkey removed', { user: user.name, passkey })
    return saved()
  }
  const name = (await passkeysOf(deps.storage, user.id)).find((one) => one.id === id)?.name ?? ''
  return confirmPage(request, {
    question: t('admin.passkeys.removeQuestion', { name }),
    note: t('admin.passkeys.removeNote'),
    under: PROFILE,
    back: WAYS_IN_PATH,
    fields: [['id', id]],
    action: ['remove', t('admin.passkeys.remove')],
  })
}

/** Somebody without a password has recovery codes; new ones replace those of before. */
async function withoutPassword(request: PageRequest, user: User): Promise<PageResponse> {
  const { deps, sent, t } = request
  const isNew = (await waysInOf(deps.storage, user, deps.openWays)).password === 0
  if (sent('confirmed') !== 'true')
    return confirmPage(request, {
      question: isNew ? t('admin.recovery.newQuestion') : t('admin.passkeys.removePasswordQuestion'),
      note: isNew ? t('admin.recovery.newNote') : t('admin.passkeys.removePasswordNote'),
      under: PROFILE,
      back: WAYS_IN_PATH,
      fields: [],
      action: ['no-password', isNew ? t('admin.recovery.new') : t('admin.passkeys.removePassword')],
    })
  const codes = await removePassword(deps, user)
  auditRights(request, isNew ? 'recovery codes created' : 'own password removed', { user: user.name })
  return codesPage(request, { codes, next: WAYS_IN_PATH })
}

/** As with any new password all other sessions end. */
async function choosePassword(request: PageRequest, user: User): Promise<PageResponse> {
  await changePassword(request.deps, user.id, request.sent('password'))
  auditRights(request, 'own password chosen', { user: user.name })
  return enter(request, { userId: user.id }, `${WAYS_IN_PATH}?done=saved`)
}

function saved(): PageResponse {
  return redirect(`${WAYS_IN_PATH}?done=saved`)
}

/** What was refused, by the name of its field; `form` is about no field. */
type Wrong = Readonly<Record<string, string>>

function wrongOf({ t }: PageRequest, { code }: Failure): Wrong | undefined {
  if (code === 'bad_person_password')
    return { password: t('admin.signIn.passwordTooWeak', { count: PERSON_PASSWORD.shortest }) }
  if (code === 'bad_passkey') return { form: t('admin.passkeys.failed') }
  if (code === 'too_many_passkeys') return { form: t('admin.passkeys.most', { count: PASSKEYS.most }) }
  if (code === 'last_way_in') return { form: t('admin.passkeys.lastWayIn') }
  if (code === 'last_administrator') return { form: t('admin.users.lastAdministrator') }
  return undefined
}

async function page(request: PageRequest, wrong: Wrong = {}): Promise<PageResponse> {
  const { t, deps, query, incoming } = request
  const { id, name } = incoming.caller
  const passkeys = await passkeysOf(deps.storage, id)
  const { password } = await waysInOf(deps.storage, incoming.caller, deps.openWays)
  const count = await countRecoveryCodes(deps, id)
  const done = { saved: t('admin.saved'), code: t('admin.recovery.used', { count }) }
  const told = Object.entries(done).find(([one]) => one === query('done'))?.[1]
  const body = html`<div class="box"><h2>${t('admin.passkeys.title')}</h2><p class="quiet-text">${t('admin.passkeys.about')}</p>
${passkeys.length === 0 ? NOTHING : table(request, passkeys)}${adding(request, passkeys.length)}</div>
${deps.openWays.mayUsePassword(name) ? html`<div class="box"><h2>${t('common.password')}</h2>${password > 0 ? passwordBox(request, passkeys.length) : noPasswordBox(request, { name, count, wrong })}</div>` : NOTHING}`
  return adminPage(request, {
    status: Object.keys(wrong).length === 0 ? 200 : 400,
    title: t('admin.passkeys.manage'),
    under: PROFILE,
    body,
    scripts: [PASSKEY_SCRIPT],
    done: told,
    refused: wrong['form'],
  })
}

function form(request: PageRequest, action: string, content: Markup): Markup {
  return actionForm(request, [WAYS_IN_PATH, action], content)
}

function table(request: PageRequest, passkeys: readonly PasskeyTable[]): Markup {
  const { t } = request
  const [label, created, used] = [t('fields.name'), t('admin.created'), t('admin.profile.lastUsed')]
  const rows = passkeys.map(({ id, name, created_at, used_at }) => {
    const own = html`<input type="hidden" name="id" value="${id}">`
    const field = html`<input type="text" name="name" value="${name}" maxlength="${PASSKEYS.name}" required aria-label="${label}">`
    const renaming = form(
      request,
      'rename',
      html`${own}<div class="inline">${field}<button class="second" aria-label="${t('admin.passkeys.renameName', { name })}">${t('admin.passkeys.rename')}</button></div>`,
    )
    const removing = form(
      request,
      'remove',
      html`${own}<button class="quiet" aria-label="${t('admin.passkeys.removeName', { name })}">${t('admin.passkeys.remove')}</button>`,
    )
    return html`<tr><td>${renaming}</td>${momentCell(request, created, created_at)}${momentCell(request, used, used_at)}<td>${removing}</td></tr>\n`
  })
  return rowsTable([label, created, used, ''], rows)
}

function adding(request: PageRequest, count: number): Markup {
  const { t } = request
  const reason = noPasskeysReason(request)
  if (reason !== undefined) return html`<p>${reason}</p>`
  if (count >= PASSKEYS.most) return html`<p>${t('admin.passkeys.most', { count: PASSKEYS.most })}</p>`
  const name = { name: 'name', label: t('fields.name'), value: passkeyName(request) }
  const fields = html`<input type="hidden" name="action" value="add">${lineControl(name, { required: true })}`
  return passkeyForm(request, { kind: 'create', action: WAYS_IN_PATH, text: t('admin.passkeys.add'), fields })
}

function passwordBox(request: PageRequest, passkeys: number): Markup {
  const { t } = request
  if (passkeys === 0) return html`<p class="quiet-text">${t('admin.passkeys.passwordNeeded')}</p>`
  const button = html`<button class="bad">${t('admin.passkeys.removePassword')}</button>`
  return html`<p class="quiet-text">${t('admin.passkeys.removePasswordNote')}</p>${form(request, 'no-password', button)}`
}

function noPasswordBox(
  request: PageRequest,
  { name, count, wrong }: { readonly name: string; readonly count: number; readonly wrong: Wrong },
): Markup {
  const { t } = request
  const codes = form(request, 'no-password', html`<button class="second">${t('admin.recovery.new')}</button>`)
  const parts = { name: 'password', label: t('admin.profile.newPassword'), wrong: wrong['password'] }
  const attributes = { type: 'password', autocomplete: 'new-password', required: true }
  return html`<p>${t('admin.recovery.left', { count })}</p>${codes}${form(request, 'password', html`<input type="hidden" name="username" autocomplete="username" value="${name}">${lineControl(parts, attributes)}<button class="second">${t('admin.signIn.chooseAPassword')}</button>`)}`
}
