import type { NewMail } from '../../accounts/mail/index.ts'
import { unseal } from '../../base/sealed.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html } from '../../pages/html.ts'
import { textControl } from '../controls.ts'
import { adminPage, csrfField } from '../layout.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { LINK_PURPOSE, submitterPath } from './form.ts'
import { noticePage } from './notice.ts'
import { askPath, eventIdIn, QUEUE, submittedLine } from './queue.ts'
import { openSubmission, updateSubmission } from './store.ts'
import { LONGEST_NOTE } from './values.ts'

/** Where whoever submitted an event is asked something about it. */
export const ASK_PAGE: AdminPage = {
  path: '/admin/queue/:id/ask',
  role: 'editor',
  show: (request) => form(request),
  submit,
}

async function form(request: PageRequest, wrong?: string): Promise<PageResponse> {
  const { t, deps, sent } = request
  const id = eventIdIn(request)
  const row = await openSubmission(deps.storage, id)
  // Somebody else has decided meanwhile.
  if (row === undefined) return redirect(`${QUEUE}?done=gone`)
  const parts = { name: 'question', label: t('admin.ask.question'), value: sent('question') || row.question, wrong }
  const body = html`<form class="box" method="post" action="${askPath(id)}">${csrfField(request)}
${submittedLine(request, row)}
${textControl(parts, { maxlength: String(LONGEST_NOTE) })}
<div class="buttons"><button>${t('admin.ask')}</button><a class="button second" href="${QUEUE}">${t('admin.confirm.cancel')}</a></div></form>`
  return adminPage(request, {
    status: wrong === undefined ? 200 : 400,
    title: t('admin.ask.title'),
    under: QUEUE,
    body,
  })
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { sent, t } = request
  const question = sent('question').replaceAll('\r\n', '\n').trim()
  if (question === '') return form(request, t('common.required'))
  if (question.length > LONGEST_NOTE) return form(request, t('admin.submissions.tooLong', { count: LONGEST_NOTE }))
  const asked = await ask(request, question)
  if (asked === undefined) return redirect(`${QUEUE}?done=gone`)
  return asked.isQueued ? redirect(`${QUEUE}?done=asked`) : noticePage(request, [asked.mail])
}

/** Stores a question and mails it; undefined where somebody has decided meanwhile. A new question replaces the last one. */
function ask({ deps, incoming }: PageRequest, question: string) {
  const id = eventIdIn({ incoming })
  return deps.storage.write(async (tx) => {
    const row = await openSubmission(tx, id)
    if (row === undefined) return undefined
    const token = unseal(row.sealed_link, { secret: deps.secret, purpose: LINK_PURPOSE })
    const mail: NewMail = {
      kind: 'question',
      to: { address: row.email, name: row.name, language: row.language },
      values: { title: row.title },
      quote: question,
      ...(token !== undefined && { path: submitterPath(token) }),
    }
    await updateSubmission(tx, id, { question, answer: '' })
    return { mail, isQueued: await deps.mailer.queueMail(tx, mail) }
  })
}
