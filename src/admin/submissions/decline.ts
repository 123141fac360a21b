import { decodeEntities } from '../../base/text/entities.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { textControl } from '../controls.ts'
import { objectsIn } from '../form-values.ts'
import { adminPage, csrfField } from '../layout.ts'
import { lookAlike } from '../look-alikes.ts'
import { startOf } from '../moments.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { eventLink, eventName } from '../series.ts'
import { moveToTrash } from '../trash/move.ts'
import { type Decision, decide } from './decide.ts'
import { noticePage } from './notice.ts'
import { publicEvent } from './public-event.ts'
import { declinePath, eventIdIn, QUEUE, submittedLine } from './queue.ts'
import { declineReasons, deleteReason, insertReason, openSubmission } from './store.ts'
import { LONGEST_NOTE } from './values.ts'

/** Most events of a day that are compared. */
const MOST_OF_DAY = 50

/** Where a submitted event is declined, with a reason for whoever sent it. */
export const DECLINE_PAGE: AdminPage = {
  path: '/admin/queue/:id/decline',
  role: 'editor',
  show: (request) => form(request),
  submit,
}

async function form(request: PageRequest, wrong?: string): Promise<PageResponse> {
  const { t, deps, sent, query } = request
  const id = eventIdIn(request)
  const row = await openSubmission(deps.storage, id)
  // Somebody else has decided meanwhile.
  if (row === undefined) return redirect(`${QUEUE}?done=gone`)
  const reasons = await declineReasons(deps.storage)
  const value = sent('reason') || (reasons.find((one) => String(one.id) === query('reason'))?.reason ?? '')
  const parts = { name: 'reason', label: t('admin.reason'), value, hint: t('admin.decline.hint'), wrong }
  const body = html`<form class="box" method="post" action="${declinePath(id)}">${csrfField(request)}
${submittedLine(request, row)}
${textControl(parts, { maxlength: String(LONGEST_NOTE) })}
<div class="buttons"><button class="bad" name="action" value="decline">${t('admin.decline')}</button><button class="second" name="action" value="save">${t('admin.decline.saveReason')}</button><a class="button second" href="${QUEUE}">${t('admin.confirm.cancel')}</a></div></form>
${reasons.map((one) => savedReason(request, one))}${await alikeEvents(request, id)}`
  const status = wrong === undefined ? 200 : 400
  return adminPage(request, { status, title: t('admin.decline.title'), under: QUEUE, body })
}

function savedReason(request: PageRequest, { id, reason }: { readonly id: number; readonly reason: string }): Markup {
  const { t } = request
  const path = declinePath(eventIdIn(request))
  return html`<form class="box" method="post" action="${path}">${csrfField(request)}<input type="hidden" name="saved" value="${id}">
<p class="lines" dir="auto">${reason}</p><div class="buttons"><a class="button second" href="${path}?reason=${id}">${t('admin.decline.useReason')}</a><button class="second" name="action" value="delete">${t('admin.deletePermanently')}</button></div></form>
`
}

/** The public events of the same day that look alike, each with a button that merges the submitted one into it. */
async function alikeEvents(request: PageRequest, id: number): Promise<Markup> {
  const { t, deps, incoming } = request
  const own = (await deps.api(incoming, { path: `/events/${id}` })).body as RawInput
  const day = String(own['start_date']).slice(0, 10)
  const query = { status: 'publish', start_date: day, end_date: day, per_page: String(MOST_OF_DAY) }
  const { events } = (await deps.api(incoming, { path: '/events', query })).body as RawInput
  const title = eventName(request, own)
  const alike = objectsIn(events).filter((one) => isAlike(title, decodeEntities(String(one['title'] ?? ''))))
  if (alike.length === 0) return NOTHING
  const forms = alike.map(
    (one) =>
      html`<form method="post" action="${declinePath(id)}">${csrfField(request)}<input type="hidden" name="into" value="${String(one['id'])}"><p>${eventLink(request, one)} <span class="quiet-text">${startOf(request, one)}</span></p><div class="buttons"><button class="second" name="action" value="merge">${t('admin.merge.button')}</button></div></form>\n`,
  )
  return html`<div class="box"><h2>${t('admin.merge')}</h2>${forms}</div>`
}

function isAlike(title: string, other: string): boolean {
  return title === other || lookAlike(title, [other]) !== undefined
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, t } = request
  const path = declinePath(eventIdIn(request))
  if (sent('action') === 'delete') {
    await deps.storage.write((tx) => deleteReason(tx, Number(sent('saved')) || 0))
    return redirect(path)
  }
  if (sent('action') === 'merge') return settle(request, { state: 'published', into: Number(sent('into')) || 0 })
  const reason = sent('reason').replaceAll('\r\n', '\n').trim()
  if (reason === '') return form(request, t('common.required'))
  if (reason.length > LONGEST_NOTE) return form(request, t('admin.submissions.tooLong', { count: LONGEST_NOTE }))
  if (sent('action') !== 'save') return settle(request, { state: 'declined', reason })
  const id = await deps.storage.write((tx) => insertReason(tx, reason))
  return redirect(`${path}?reason=${id}`)
}

/** A decision whose event is to be in the calendar already, by its ID. */
type Settled = Pick<Decision, 'state' | 'reason'> & { readonly into?: number }

/** Moves the event to the trash, and tells whoever submitted it. */
async function settle(request: PageRequest, { into: target, ...settled }: Settled): Promise<PageResponse> {
  const { deps, incoming } = request
  const eventId = eventIdIn(request)
  const at = utcFromMillis(incoming.now)
  const done = await deps.storage.write((tx) =>
    insideTransaction(tx, async () => {
      const into = target === undefined ? undefined : await publicEvent(request, target)
      if (target !== undefined && into === undefined) return undefined
      const decision = { eventId, at, ...settled, ...(into !== undefined && { into }) }
      const notice = await decide(tx, deps.mailer, decision)
      if (notice === undefined) return undefined
      await moveToTrash(request, { collection: 'events' }, { id: String(eventId), scope: '' })
      return notice
    }),
  )
  if (done === undefined) return redirect(`${QUEUE}?done=gone`)
  if (!done.isQueued) return noticePage(request, [done.mail])
  // Nothing takes back the mail.
  return redirect(`${QUEUE}?done=trash`)
}
