import type { NewMail } from '../../accounts/mail/index.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { RawInput } from '../../http/request/body.ts'
import { contact } from '../../pages/content.ts'
import { html, type Markup, NOTHING, when } from '../../pages/html.ts'
import { objectsIn } from '../form-values.ts'
import type { PageRequest } from '../page-request.ts'
import { decide } from './decide.ts'
import { submittersOf } from './store.ts'

/** Where events wait for review. */
export const QUEUE = '/admin/queue'

/** Where an event is declined. */
export function declinePath(eventId: number | string): string {
  return `${QUEUE}/${eventId}/decline`
}

/** Where whoever submitted an event is asked something. */
export function askPath(eventId: number | string): string {
  return `${QUEUE}/${eventId}/ask`
}

/** The ID of the event in the path of a page of the queue; 0 for none. */
export function eventIdIn({ incoming }: Pick<PageRequest, 'incoming'>): number {
  return Number(incoming.path['id']) || 0
}

/** Which event a form is about, and who submitted it. */
export function submittedLine({ t }: PageRequest, { title, name }: Readonly<Record<'title' | 'name', string>>): Markup {
  return html`<p><bdi>${title}</bdi> <span class="quiet-text">${t('admin.submissions.submittedBy')} <bdi>${name}</bdi></span></p>`
}

/** Who sent the events of a list, for those who review them: a line for each event, by its ID. */
export async function submitterLines(
  request: PageRequest,
  events: readonly RawInput[],
): Promise<ReadonlyMap<number, Markup>> {
  const rows = await submittersOf(
    request.deps.storage,
    events.map(({ id }) => Number(id)),
  )
  const lines = [...rows.values()].map(({ event_id, name, email, ...row }) => {
    const line = html`<p class="quiet-text">${request.t('admin.submissions.submittedBy')} <bdi>${name}</bdi> · ${contact('mailto', email)} · <a href="${askPath(event_id)}">${request.t('admin.ask')}</a> · <a href="${declinePath(event_id)}">${request.t('admin.decline')}</a></p>${noteLine(request, 'admin.ask.question', row.question)}${noteLine(request, 'admin.ask.answer', row.answer)}`
    return [event_id, line] as const
  })
  return new Map(lines)
}

function noteLine({ t }: PageRequest, label: 'admin.ask.question' | 'admin.ask.answer', text: string): Markup {
  return when(text !== '', () => html`<p class="quiet-text lines"><b>${t(label)}:</b> <bdi>${text}</bdi></p>`)
}

/**
 * What waits with a submitted event that was published is published as well, and whoever sent it is told and forgotten; with one that
 * is private or scheduled that waits. What nobody mails is returned for the page that follows; where none does (`needsMail`), it waits.
 */
export async function acceptSubmission(
  request: PageRequest,
  id: number,
  needsMail = false,
): Promise<NewMail | undefined> {
  const { deps, incoming } = request
  if (!(await submittersOf(deps.storage, [id])).has(id)) return undefined
  const event = (await deps.api(incoming, { path: `/events/${id}` })).body as RawInput
  if (event['status'] !== 'publish') return undefined
  for (const key of ['venue', 'organizer']) {
    for (const linked of objectsIn(event[key])) {
      if (linked['status'] !== 'pending') continue
      const call = { method: 'POST', path: `/${key}s/${String(linked['id'])}`, body: { status: 'publish' } } as const
      await deps.api(incoming, call)
    }
  }
  const at = utcFromMillis(incoming.now)
  const decision = { eventId: id, at, state: 'published', needsMail } as const
  const notice = await deps.storage.write((tx) => decide(tx, deps.mailer, decision))
  return notice?.isQueued === false ? notice.mail : undefined
}

/** The line about one event; nothing where nobody submitted it. */
export function submitterLine(lines: ReadonlyMap<number, Markup>, id: unknown): Markup {
  return lines.get(Number(id)) ?? NOTHING
}
