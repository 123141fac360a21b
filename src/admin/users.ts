import { invitedUsers } from '../accounts/single-sign-on/index.ts'
import { addUser, listUsers, type User } from '../accounts/users/index.ts'
import { Failure } from '../base/errors.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { insideTransaction } from '../storage/reads.ts'
import { auditRights } from './audit.ts'
import { confirmation, confirmationLink } from './confirm-identity.ts'
import { lineControl, selectControl } from './controls.ts'
import { adminPage, csrfField } from './layout.ts'
import type { AdminPage, PageRequest } from './page-request.ts'
import { changeUser, mailedLink, mayGiveRights } from './user-change.ts'
import { pathOf, roleOffers, USERS_PATH, userPage } from './user-page.ts'

/** The people and programs that may sign in, and the actions for each of them. */
export const USER_PAGES: readonly AdminPage[] = [
  { path: USERS_PATH, role: 'administrator', show: (request) => list(request), submit: invite },
  { path: `${USERS_PATH}/:name`, role: 'administrator', show: (request) => userPage(request, {}), submit: changeUser },
]

async function list(request: PageRequest, refused?: string): Promise<PageResponse> {
  const { t, deps } = request
  const users = await listUsers(deps)
  const names = new Map(roleOffers(request))
  const invited = await invitedUsers(deps.storage, utcFromMillis(deps.now()))
  const badge = ({ id, disabledAt }: User): Markup => {
    if (disabledAt !== null) return html` <span class="badge trash">${t('common.disabled')}</span>`
    return invited.has(id) ? html` <span class="badge pending">${t('admin.users.invited')}</span>` : NOTHING
  }
  const rows = users.map(
    (user) =>
      html`<tr><th scope="row"><a class="title" href="${pathOf(user)}">${user.displayName}</a></th><td>${user.name}</td><td>${user.email}</td><td>${names.get(user.role) ?? user.role}${badge(user)}</td></tr>\n`,
  )
  const body = html`<div class="box wide"><table class="rows"><thead><tr><th scope="col">${t('fields.name')}</th><th scope="col">${t('common.username')}</th><th scope="col">${t('fields.email')}</th><th scope="col">${t('common.role')}</th></tr></thead><tbody>${rows}</tbody></table></div>
${await invitation(request)}`
  return adminPage(request, {
    title: t('common.users'),
    under: USERS_PATH,
    body,
    refused,
  })
}

/** The form that invites somebody, which asks for a fresh proof of identity. */
async function invitation(request: PageRequest): Promise<Markup> {
  const { t, sent } = request
  if (!mayGiveRights(request)) return confirmationLink(USERS_PATH, t('admin.users.inviteSomeone'), 'button')
  return html`<form class="box" method="post" action="${USERS_PATH}">${csrfField(request)}<h2>${t('admin.users.inviteSomeone')}</h2><div class="pair">${lineControl({ name: 'name', label: t('common.username'), value: sent('name'), hint: t('admin.users.nameHint') }, { required: true })}${lineControl({ name: 'email', label: t('fields.email'), value: sent('email') }, { type: 'email', required: true })}${selectControl({ name: 'role', label: t('common.role'), value: sent('role') || 'author' }, roleOffers(request))}</div><button>${t('admin.users.createInvitation')}</button></form>`
}

async function invite(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, t } = request
  if (!mayGiveRights(request)) return confirmation(USERS_PATH)
  try {
    const made = await deps.storage.write((tx) =>
      insideTransaction(tx, async () => {
        const names = { name: sent('name').trim(), email: sent('email').trim() }
        const user = await addUser(deps, { ...names, role: sent('role') })
        return { user, ...(await mailedLink(request, tx, user)) }
      }),
    )
    const { user } = made
    auditRights(request, 'user added', { user: user.name, role: user.role })
    auditRights(request, 'link made', { user: user.name })
    return await userPage(request, made)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return list(request, t('admin.users.taken'))
  }
}
