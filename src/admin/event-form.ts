import { mayPublish } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { EVENT_FIELDS } from '../model/event.ts'
import { daysAfter, todayIn } from '../pages/dates.ts'
import { conflictPage, fieldParts, mergedValues } from './conflict.ts'
import { askedEventFields, declaredProblems, type EventFields, withCustomFields, withDeclared } from './declared.ts'
import { draftParameter } from './draft.ts'
import { eventFormPage, eventTitle } from './event-form-page.ts'
import { describeHeld, knownNames, uploaded } from './event-parts.ts'
import { markFor, repeatForms, type StoredItem, startSent } from './form-start.ts'
import { bodyOf, type FormValues, isSame, sentValues, shownValues, typedNames } from './form-values.ts'
import { lostDates } from './lost-dates.ts'
import { withMovedEnd } from './moved-end.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { withTyped } from './picker/offers.ts'
import { isGone, isOutdated, refusalsOf } from './refusals.ts'
import { isMoved, parsedLines } from './repeat/parsed-lines.ts'
import { REPEAT_INPUTS } from './repeat/values.ts'
import { scopeSent, seriesOf, withCancellation } from './series.ts'
import { noticePage } from './submissions/notice.ts'
import { acceptSubmission } from './submissions/queue.ts'
import { takenVenue } from './taken-venue.ts'
import { moveToTrash } from './trash/move.ts'
import { trashedParameter } from './trash/moved.ts'

const LIST = '/admin/events'

/** The form of a new or existing event. */
export function eventFormPages(bodyLimit: number): AdminPage[] {
  return [
    { path: `${LIST}/new`, role: 'contributor', bodyLimit, show: (request) => newForm(request), submit: save },
    { path: `${LIST}/:id`, role: 'contributor', bodyLimit, show: (request) => editForm(request), submit: save },
  ]
}

async function stored(request: PageRequest, fields: EventFields): Promise<StoredItem | undefined> {
  const id = request.incoming.path['id']
  if (id === undefined) return undefined
  const reply = await request.deps.api(request.incoming, { path: `/events/${id}` })
  return { item: withDeclared(reply.body as RawInput, fields), mark: reply.version?.mark ?? '' }
}

/** A new event starts tomorrow at seven in the evening, in the zone of the site. */
function blank({ deps, incoming }: PageRequest): FormValues {
  const { zone } = deps.site
  const day = daysAfter(todayIn(zone, incoming.now), 1)
  const times = { start_date: day, start_date_time: '19:00', end_date: day, end_date_time: '21:00' }
  return { ...shownValues(EVENT_FIELDS, {}), ...times, timezone: zone }
}

/** Values that a copy of an event does not take from it. */
const NOT_COPIED: FormValues = { slug: '', date: '', date_time: '', event_status: '', event_status_reason: '' }

async function newForm(request: PageRequest): Promise<PageResponse> {
  const { t, query } = request
  const fields = await askedEventFields(request)
  const copied =
    query('copy') === ''
      ? undefined
      : await request.deps.api(request.incoming, { path: `/events/${Number(query('copy'))}` })
  const values =
    copied === undefined
      ? blank(request)
      : { ...shownValues(fields.all, withDeclared(copied.body as RawInput, fields)), ...NOT_COPIED }
  const done = query('done') === 'setup' ? t('admin.events.firstEvent') : undefined
  return eventFormPage(request, { fields, values, done })
}

async function editForm(request: PageRequest): Promise<PageResponse> {
  const { t, query } = request
  const fields = await askedEventFields(request)
  const event = await stored(request, fields)
  if (event === undefined) return newForm(request)
  const said = {
    published: t('admin.events.published'),
    saved: t('admin.saved'),
    review: t('admin.events.savedSubmitted'),
    scheduled: t('admin.events.savedScheduled'),
  }
  const done = Object.entries(said).find(([name]) => name === query('done'))?.[1]
  return eventFormPage(request, { fields, event, values: shownValues(fields.all, event.item), done })
}

async function save(request: PageRequest): Promise<PageResponse> {
  const { sent, incoming } = request
  const fields = await askedEventFields(request)
  const action = sent('action')
  if (action === 'trash' && incoming.path['id'] !== undefined) return remove(request, fields)
  const event = await stored(request, fields)
  const isShown = ['publish', 'future', 'private'].includes(String(event?.item['status']))
  const isUnsaved = action === 'dates' || (action === 'preview' && isShown)
  const submitted = mergedValues(fields.all, incoming.body, sentValues(fields.all, incoming.body))
  const values = withCancellation(withMovedEnd(submitted, request), request)
  try {
    const image = await uploaded(request)
    const complete = { ...values, ...image }
    if (isUnsaved)
      return await eventFormPage(request, {
        fields,
        event,
        values: complete,
        isUnsaved,
        isPreview: action === 'preview',
      })
    return await write(request, { fields, event, values: complete, action }).catch((error: unknown) =>
      refuse(request, { fields, event, values: complete }, error),
    )
  } catch (error) {
    return refuse(request, { fields, event, values }, error)
  }
}

/** Moves the event to the trash; if someone else has removed it meanwhile, the list says so. */
async function remove(request: PageRequest, fields: EventFields): Promise<PageResponse> {
  const id = String(request.incoming.path['id'])
  try {
    const scope = scopeSent(request, (await stored(request, fields))?.item) ?? ''
    const key = await moveToTrash(request, { collection: 'events' }, { id, scope })
    return redirect(`${LIST}?done=trash&trashed=${trashedParameter([key])}`)
  } catch (error) {
    if (!isGone(error)) throw error
    return redirect(`${LIST}?done=gone`)
  }
}

interface Writing {
  readonly fields: EventFields
  readonly event: StoredItem | undefined
  readonly values: FormValues
  readonly action: string
}

async function write(request: PageRequest, { fields, event, values, action }: Writing): Promise<PageResponse> {
  const { deps, incoming } = request
  const scope = scopeSent(request, event?.item)
  const known = await withTyped(request, await knownNames(request, event?.item), typedNames(values))
  const start = startSent(request)
  const base = event === undefined ? {} : start.base
  const status = statusOf(request, action)
  const changed = bodyOf(fields.all, values, { base, known })
  const { recurrence: typed, ...others } = withCustomFields(changed, event?.item)
  // A single date that is moved does not change the rule.
  const isRuled = scope !== 'this' || REPEAT_INPUTS.some((name) => !isSame(values[name], base[name]))
  const { now, begun } = repeatForms(values, start.base)
  const recurrence = typed !== undefined || isMoved(now, begun) ? await parsedLines(now, begun) : undefined
  const body = {
    ...others,
    // As one text: lines equal to those that the API shows would mean that nothing was said, and move with the start.
    ...(isRuled && recurrence !== undefined && { recurrence: recurrence.join('\n') }),
    ...(status !== undefined && { status }),
    ...(scope !== undefined && { scope }),
  }
  const series = seriesOf(event?.item)
  const lost = series === undefined ? 0 : await lostDates(request, series.id, body)
  if (lost > 0) return eventFormPage(request, { fields, event, values, lost, isUnsaved: true })
  const call =
    event === undefined
      ? { path: '/events', body }
      : { path: `/events/${incoming.path['id']}`, body, mark: markFor(fields.all, event, start) }
  const reply = await deps.api(incoming, { method: 'POST', ...call })
  await describeHeld(request)
  const item = reply.body as RawInput
  const untold = action === 'publish' ? await acceptSubmission(request, Number(item['id'])) : undefined
  if (untold !== undefined) return noticePage(request, [untold])
  if (action === 'preview') return redirect(String(item['url']))
  const done = action === 'publish' ? doneOf(item) : 'saved'
  return redirect(`${LIST}/${String(item['id'])}?done=${done}${draftParameter(request)}`)
}

function doneOf({ status }: RawInput): string {
  return status === 'pending' ? 'review' : status === 'future' ? 'scheduled' : 'published'
}

/** The status that a button asks for; the present one where it asks for none. */
function statusOf({ incoming }: PageRequest, action: string): string | undefined {
  if (action === 'publish') return mayPublish(incoming.caller.role) ? 'publish' : 'pending'
  return action === 'draft' || (action === 'preview' && incoming.path['id'] === undefined) ? 'draft' : undefined
}

async function refuse(
  request: PageRequest,
  { fields, event, values }: Omit<Writing, 'action'>,
  error: unknown,
): Promise<PageResponse> {
  if (isOutdated(error) && event !== undefined) {
    const known = await knownNames(request, event.item)
    const theirs = shownValues(fields.all, event.item)
    const parts = fieldParts(request, fields.all, known)
    const title = eventTitle(request, event)
    return conflictPage(request, { parts, mine: values, theirs, stored: event, title, under: LIST })
  }
  const { fields: told, summary } = refusalsOf(request, error)
  const taken = await takenVenue(request, error)
  const wrong = { ...told, ...declaredProblems(request, fields, values), ...(taken !== undefined && { venue: taken }) }
  return eventFormPage(request, { fields, event, values, wrong, refused: taken ?? summary, isUnsaved: true })
}
