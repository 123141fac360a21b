import { MAILS, type NewMail } from '../../accounts/mail/index.ts'
import { type MessageId, translate } from '../../base/i18n/translate.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, NOTHING } from '../../pages/html.ts'
import { copiedOnce, mailtoLink } from '../copied-once.ts'
import { adminPage } from '../layout.ts'
import type { PageRequest } from '../page-request.ts'

/** Shows once what whoever submitted an event is to be told, where no mail does so. */
export function noticePage(request: PageRequest, mail: NewMail): PageResponse {
  const { t, deps } = request
  const { language, name, address } = mail.to
  const values = { ...mail.values, site: deps.site.name, name }
  const say = (id: MessageId): string => translate(language, id, values)
  const { subject, text } = MAILS[mail.kind]
  const blocks = [say('mail.greeting'), say(text), mail.quote, mail.path && request.incoming.urls.page(mail.path)]
  const message = blocks.filter((block) => block !== undefined).join('\n\n')
  const unconfigured = deps.mailer.isConfigured
    ? NOTHING
    : html`<p class="quiet-text">${t('admin.submissions.noMail')}</p>`
  const body = html`<div class="box">${unconfigured}${copiedOnce(request, message)}${mailtoLink(request, address, { subject: say(subject), body: message })}</div></div>
<p><a class="button" href="/admin/queue">${t('admin.reviewQueue')}</a></p>`
  return adminPage(request, {
    title: t('admin.submissions.tell'),
    under: '/admin/queue',
    body,
    scripts: ['admin/copy.ts'],
  })
}
