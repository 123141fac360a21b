import type { PageResponse } from '../http/html-page.ts'
import { html } from '../pages/html.ts'
import { lineControl } from './controls.ts'
import { cardPage, csrfField } from './layout.ts'
import type { AdminPage, PageRequest } from './page-request.ts'

/** Address of the page. */
export const FORGOT_PATH = '/admin/forgot'

/** Where somebody who has forgotten the password gets a link by mail; it is there while mail is configured. */
export const FORGOT_PAGE: AdminPage = {
  path: FORGOT_PATH,
  formBudget: 'resets',
  isThere: ({ mailer, config }) => mailer.isConfigured && (config.passwordSignIn || config.breakGlass.length > 0),
  show: form,
  submit: async (request) => {
    await request.deps.mailer.askForReset(request.sent('login'))
    const { t } = request
    const body = html`<p>${t('admin.forgot.sent')}</p>
<p><a class="button" href="/admin/login">${t('admin.signIn.signIn')}</a></p>`
    return cardPage(request, { title: t('admin.forgot.title'), body })
  },
}

function form(request: PageRequest): PageResponse {
  const { t } = request
  const login = { name: 'login', label: t('admin.signIn.usernameOrEmail') }
  const body = html`<p>${t('admin.forgot.intro')}</p>
<form method="post" action="${FORGOT_PATH}">${csrfField(request)}
${lineControl(login, { autocomplete: 'username', required: true })}<button>${t('admin.forgot.send')}</button>
</form>
<p class="hint"><a href="/admin/login">${t('admin.signIn.signIn')}</a></p>`
  return cardPage(request, { title: t('admin.forgot.title'), body })
}
