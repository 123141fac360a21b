import type { ApplicationPassword } from '../accounts/users/index.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { lineControl } from './controls.ts'
import type { PageRequest } from './page-request.ts'
import { momentCell, rowsTable } from './table.ts'

/** The valid application passwords of someone, by ID, and a form of the page that is sent with a named action. */
interface PasswordsShown {
  readonly passwords: readonly ApplicationPassword[]
  action(name: string, content: Markup): Markup
}

/** The application passwords of someone, each with a button that revokes it, and a form for another one. */
export function passwordsBox(request: PageRequest, { passwords, action }: PasswordsShown): Markup {
  const { t } = request
  const [purpose, created, used] = [t('admin.profile.purpose'), t('admin.created'), t('admin.profile.lastUsed')]
  const rows = passwords.map(({ id, label, createdAt, usedAt }) => {
    const name = t('admin.profile.revokeName', { name: label || String(id) })
    const button = html`<input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="${name}">${t('admin.revoke')}</button>`
    return html`<tr><th scope="row"><bdi>${label || '–'}</bdi></th>${momentCell(request, created, createdAt)}${momentCell(request, used, usedAt)}<td>${action('revoke', button)}</td></tr>\n`
  })
  const another = html`${lineControl({ name: 'label', label: purpose })}<button class="second">${t('admin.profile.createApplicationPassword')}</button>`
  return html`<div class="box"><h2>${t('admin.profile.applicationPasswords')}</h2><p class="quiet-text">${t('admin.profile.passwordsHint')}</p>${rows.length === 0 ? NOTHING : rowsTable([purpose, created, used, ''], rows)}${action('password', another)}</div>`
}
