import { listPasswords, type User } from '../accounts/users/index.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { lineControl } from './controls.ts'
import { actionForm } from './layout.ts'
import type { PageRequest } from './page-request.ts'
import { momentCell, rowsTable } from './table.ts'

/** The valid application passwords of a user, each with a button that revokes it, and a form for another one. */
export async function passwordsBox(request: PageRequest, user: Pick<User, 'name'>, path: string): Promise<Markup> {
  const { t, deps } = request
  const passwords = (await listPasswords(deps, user)).filter(({ revokedAt }) => revokedAt === null)
  const [purpose, created, used] = [t('admin.profile.purpose'), t('admin.created'), t('admin.profile.lastUsed')]
  const rows = passwords.map(({ id, label, createdAt, usedAt }) => {
    const name = t('admin.profile.revokeName', { name: label || String(id) })
    const button = html`<input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="${name}">${t('admin.revoke')}</button>`
    return html`<tr><th scope="row"><bdi>${label || '–'}</bdi></th>${momentCell(request, created, createdAt)}${momentCell(request, used, usedAt)}<td>${actionForm(request, [path, 'revoke'], button)}</td></tr>\n`
  })
  const another = html`${lineControl({ name: 'label', label: purpose })}<button class="second">${t('admin.profile.createApplicationPassword')}</button>`
  return html`<div class="box"><h2>${t('admin.profile.applicationPasswords')}</h2><p class="quiet-text">${t('admin.profile.passwordsHint')}</p>${rows.length === 0 ? NOTHING : rowsTable([purpose, created, used, ''], rows)}${actionForm(request, [path, 'password'], another)}</div>`
}
