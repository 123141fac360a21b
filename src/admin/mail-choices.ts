import { findChoice, readUnsubscribeToken, storeChoice } from '../accounts/mail/index.ts'
import { isAtLeast } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { selectControl } from './controls.ts'
import { actionForm, cardPage, csrfField } from './layout.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'

/** Mails that people may choose to get or not, and the least role that gets them; the first choice is the usual one. */
const TOPICS = [
  { topic: 'review', role: 'editor', choices: ['daily', 'hourly', 'once', 'never'] },
  { topic: 'site', role: 'administrator', choices: ['always', 'never'] },
] as const

function topicsOf({ deps, incoming }: PageRequest): readonly (typeof TOPICS)[number][] {
  return deps.mailer.isConfigured ? TOPICS.filter(({ role }) => isAtLeast(incoming.caller.role, role)) : []
}

/** Which mails the reader gets; nothing where there are none to choose. */
export async function mailChoicesBox(request: PageRequest, path: string): Promise<Markup> {
  const { t, deps, incoming } = request
  const controls: Markup[] = []
  for (const { topic, choices } of topicsOf(request)) {
    const value = (await findChoice(deps.storage, incoming.caller.id, topic)) ?? ''
    const offers = choices.map((choice) => [choice, t(`admin.mails.${choice}`)] as const)
    controls.push(selectControl({ name: `mail_${topic}`, label: t(`admin.mails.${topic}`), value }, offers))
  }
  if (controls.length === 0) return NOTHING
  return html`<div class="box"><h2>${t('admin.mails.title')}</h2>
${actionForm(request, [path, 'mails'], html`${controls}<button>${t('admin.save')}</button>`)}</div>
`
}

/** Stores what the reader chose. */
export async function saveMailChoices(request: PageRequest, path: string): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const chosen = topicsOf(request).flatMap(({ topic, choices }) => {
    const choice = sent(`mail_${topic}`)
    return choices.some((one) => one === choice) ? [{ user_id: incoming.caller.id, topic, choice }] : []
  })
  await deps.storage.write(async (tx) => {
    for (const row of chosen) await storeChoice(tx, row)
  })
  return redirect(`${path}?done=saved`)
}

/** Where mails of a topic end: programs for mail send the form on their own (RFC 8058), people press a button. */
export const UNSUBSCRIBE_PAGE: AdminPage = {
  path: '/admin/link/stop/:token',
  show: (request) => unsubscribePage(request, false),
  submit: (request) => unsubscribePage(request, true),
}

async function unsubscribePage(request: PageRequest, isSent: boolean): Promise<PageResponse> {
  const { t, deps, incoming } = request
  const token = incoming.path['token'] ?? ''
  const ended = readUnsubscribeToken(deps.secret, token)
  const title = t('mail.unsubscribe')
  if (ended === undefined)
    return cardPage(request, { status: 404, title, body: html`<p>${t('admin.mails.unknownLink')}</p>` })
  if (!isSent) {
    const body = html`<form method="post" action="/admin/link/stop/${token}">${csrfField(request)}<button>${title}</button></form>`
    return cardPage(request, { title, body })
  }
  const { userId: user_id, topic } = ended
  await deps.storage.write((tx) => storeChoice(tx, { user_id, topic, choice: 'never' }))
  return cardPage(request, { title, body: html`<p>${t('admin.mails.stopped')}</p>` })
}
