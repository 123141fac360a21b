import type { NewMail } from '../../accounts/mail/index.ts'
import { type MessageId, translate } from '../../base/i18n/translate.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup } from '../../pages/html.ts'
import { copiedOnce, mailtoLink } from '../copied-once.ts'
import { adminPage } from '../layout.ts'
import type { PageRequest } from '../page-request.ts'
import { QUEUE } from './queue.ts'

/** Shows once what those who submitted events are to be told, where no mail does so, and why; `refused` says what was not done. */
export function noticePage(request: PageRequest, mails: readonly NewMail[], refused?: string): PageResponse {
  const { t, deps } = request
  const why = deps.mailer.isConfigured ? 'admin.submissions.notMailed' : 'admin.submissions.noMail'
  const body = html`<p class="quiet-text">${t(why)}</p>\n${mails.map((mail, index) => noticeBox(request, mail, `secret-${index}`))}<p><a class="button" href="${QUEUE}">${t('admin.reviewQueue')}</a></p>`
  return adminPage(request, {
    title: t('admin.submissions.tell'),
    status: 200,
    under: QUEUE,
    body,
    refused,
    scripts: ['admin/copy.ts'],
  })
}

function noticeBox(request: PageRequest, mail: NewMail, boxId: string): Markup {
  const { deps, incoming } = request
  const { language, name, address } = mail.to
  const values = { ...mail.values, site: deps.site.name, name }
  const say = (id: MessageId): string => translate(language, id, values)
  const subject = say(`mail.${mail.kind}.subject`)
  const blocks = [
    say('mail.greeting'),
    say(`mail.${mail.kind}.text`),
    mail.quote,
    mail.path && incoming.urls.page(mail.path),
  ]
  const message = blocks.filter((block) => block !== undefined).join('\n\n')
  return html`<div class="box">${copiedOnce(request, message, boxId)}${mailtoLink(request, address, { subject, body: message })}</div></div>
`
}
