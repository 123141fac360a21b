import { digestOf } from '../../accounts/sessions/index.ts'
import type { Config } from '../../base/config.ts'
import { fail, mayWorkLater } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import type { Status } from '../../model/status.ts'
import { html, type Markup, NOTHING, when } from '../../pages/html.ts'
import { contextOf } from '../../pages/page-context.ts'
import type { Reader } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import type { SubmissionState, SubmissionTable } from '../../storage/schema.ts'
import { textControl } from '../controls.ts'
import { type FormValues, objectsIn } from '../form-values.ts'
import { csrfField } from '../layout.ts'
import { withMovedEnd } from '../moved-end.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { isOutdated, passOver, type Refusals, refusalsOf } from '../refusals.ts'
import { changeForm, page, submitterPath } from './form.ts'
import type { Offers } from './offers.ts'
import {
  boundsOf,
  dropImage,
  isCounted,
  KEEPER,
  knownNames,
  MOST_TEXT,
  withImage,
  withImageNote,
  wrongInputs,
} from './page.ts'
import { publicEvent } from './public-event.ts'
import { FORGOTTEN, submissionOfLink, updateSubmission } from './store.ts'
import { eventBody, LONGEST_NOTE, submittedValues, valuesOfEvent, withOwnOrganizers } from './values.ts'

/** The page behind the link of whoever submitted an event: what became of it, and until then changes. */
export function submitterPage(config: Pick<Config, 'mediaLimit'>, offers: Offers): AdminPage {
  return {
    ...boundsOf(config),
    path: '/submit/link/:token',
    show: (request) => shown(request, offers),
    submit: (request) => {
      if (request.sent('action') === 'withdraw') return withdraw(request)
      return request.sent('action') === 'answer' ? answer(request) : save(request, offers)
    },
  }
}

function tokenIn({ incoming }: PageRequest): string {
  return incoming.path['token'] ?? ''
}

/** A submission with its event. */
interface Submitted {
  readonly row: SubmissionTable
  readonly state: SubmissionState
  /** As the public and whoever may change it see it; '' for an event that is neither. */
  readonly title: string
  /** Of its page; absent while it has none. */
  readonly path?: string
  /** Whether it may be changed. */
  readonly isOpen: boolean
}

/** What a link is for; undefined for none. What was published or moved to the trash elsewhere, or waits again, is so at once. */
async function submittedOf(request: PageRequest, reader: Reader): Promise<Submitted | undefined> {
  const row = await submissionOfLink(reader, digestOf(tokenIn(request)))
  if (row === undefined) return undefined
  const query = reader.db.selectFrom('event').select(['title', 'status']).where('id', '=', row.event_id)
  const event = await reader.first(query)
  const state = stateOf(row, event?.status)
  const isOpen = row.state === 'waiting' && event?.status === 'pending'
  if (isOpen) return { row, state, title: event.title, isOpen }
  // Nothing else of an event is shown than what is public.
  const target = event?.status === 'publish' ? row.event_id : row.into_id
  const shown = target === null ? undefined : await publicEvent(request, target)
  return { row, state, title: shown?.title ?? '', ...(shown !== undefined && { path: shown.path }), isOpen }
}

function stateOf(row: SubmissionTable, status: Status | undefined): SubmissionState {
  if (status === 'publish') return 'published'
  if (status === 'pending') return 'waiting'
  if (row.state !== 'waiting') return row.state
  return status === 'trash' || status === undefined ? 'declined' : 'waiting'
}

/** The event as the form shows it. */
async function stored({ deps, incoming }: PageRequest, id: number): Promise<{ event: RawInput; mark: string }> {
  const reply = await deps.api({ ...incoming, caller: KEEPER }, { path: `/events/${id}` })
  return { event: reply.body as RawInput, mark: reply.version?.mark ?? '' }
}

/** What was sent and refused; absent for what is stored. */
interface Sent {
  readonly values: FormValues
  readonly refusals: Refusals
  readonly status: number
  /** Whether the event was changed meanwhile; the next save is about what it is now. */
  readonly isOutdated?: boolean
}

async function shown(request: PageRequest, offers: Offers, sent?: Sent): Promise<PageResponse> {
  const { t, deps, query } = request
  const found = await submittedOf(request, deps.storage)
  if (found === undefined) return unknownLink(request)
  const { state, path, row } = found
  const context = contextOf(request.incoming)
  const saved = when(query('done') === 'saved', () => html`<p class="note" role="status">${t('admin.saved')}</p>\n`)
  const reason = when(
    state === 'declined' && row.reason !== '',
    () => html`<blockquote class="reason" dir="auto">${row.reason}</blockquote>\n`,
  )
  const link = when(
    state === 'published' && path !== undefined,
    () => html`<p><a class="button" href="${context.link(path ?? '')}">${t('common.viewEvent')}</a></p>\n`,
  )
  const body = html`${saved}<p class="lead">${t(`admin.submissions.state.${state}`)}</p>
${reason}${link}${questionForm(request, found)}${found.isOpen ? await openForms(request, { offers, row, sent }) : NOTHING}`
  const isShown = found.isOpen || path !== undefined
  const title = isShown ? found.title || t('common.untitledEvent') : t('admin.submissions.yourEvent')
  return page(request, { status: sent?.status ?? 200, title, body, path: submitterPath(tokenIn(request)) })
}

async function openForms(
  request: PageRequest,
  { offers, row, sent }: { readonly offers: Offers; readonly row: SubmissionTable; readonly sent: Sent | undefined },
): Promise<Markup> {
  const { t } = request
  const { event, mark } = await stored(request, row.event_id)
  const known = await offers.recent(request)
  const shown = sent?.values ?? valuesOfEvent(event)
  const form = {
    ...{ known, values: shown, mark: sent === undefined || sent.isOutdated ? mark : request.sent('mark') },
    ...(sent !== undefined && withImageNote(request, sent.refusals)),
  }
  return html`${changeForm(request, form)}
<details class="withdraw"><summary>${t('admin.submissions.withdraw')}</summary><form method="post">${csrfField(request)}<p><button name="action" value="withdraw">${t('admin.submissions.withdrawNow')}</button></p></form></details>`
}

/** What reviewers ask, with the answer; nothing for no question. */
function questionForm(request: PageRequest, { row, state }: Submitted): Markup {
  const { t } = request
  if (row.question === '' || state !== 'waiting') return NOTHING
  const parts = { name: 'answer', label: t('admin.ask.answer'), value: request.sent('answer') || row.answer }
  return html`<p>${t('admin.ask.isAsked')}</p>
<blockquote class="reason" dir="auto">${row.question}</blockquote>
<form class="submit" method="post">${csrfField(request)}${textControl(parts, { maxlength: String(LONGEST_NOTE) })}<button name="action" value="answer">${t('admin.ask.sendAnswer')}</button></form>
`
}

/** @throws rest_body_too_large for what the box does not take */
async function answer(request: PageRequest): Promise<PageResponse> {
  const { deps, sent } = request
  const text = sent('answer').replaceAll('\r\n', '\n').trim()
  if (text.length > LONGEST_NOTE) throw fail('rest_body_too_large', { limit: LONGEST_NOTE })
  await deps.storage.write(async (tx) => {
    const found = await submittedOf(request, tx)
    if (found?.state === 'waiting' && found.row.question !== '')
      await updateSubmission(tx, found.row.event_id, { answer: text })
  })
  return back(request, '?done=saved')
}

function unknownLink(request: PageRequest): PageResponse {
  const { t } = request
  const body = html`<p>${t('admin.mails.unknownLink')}</p>`
  return page(request, { status: 404, title: t('admin.signIn.linkDoesntWork'), body, path: '/submit/link/' })
}

function back(request: PageRequest, done = ''): PageResponse {
  return redirect(contextOf(request.incoming).link(submitterPath(tokenIn(request))) + done)
}

async function withdraw(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming } = request
  const decided_at = utcFromMillis(incoming.now)
  await deps.storage.write((tx) =>
    insideTransaction(tx, async () => {
      const found = await submittedOf(request, tx)
      if (found?.isOpen !== true) return
      const { event_id: id } = found.row
      await deps.api({ ...incoming, caller: KEEPER }, { method: 'DELETE', path: `/events/${id}` })
      await updateSubmission(tx, id, { state: 'withdrawn', decided_at, ...FORGOTTEN })
    }),
  )
  return back(request)
}

/** @throws rest_body_too_large for more text than forms have room for: it would be shown again */
async function save(request: PageRequest, offers: Offers): Promise<PageResponse> {
  const { deps, incoming, t } = request
  if (JSON.stringify(incoming.body).length > MOST_TEXT) throw fail('rest_body_too_large', { limit: MOST_TEXT })
  const found = await submittedOf(request, deps.storage)
  if (found?.isOpen !== true) return back(request)
  const { name, email } = found.row
  const values = withMovedEnd(submittedValues(incoming.body), request)
  const again = (refusals: Refusals, status: number): Promise<PageResponse> =>
    shown(request, offers, { values, refusals, status })
  const known = await knownNames(request, offers)
  if (known === undefined) return again({ fields: {}, summary: t('admin.submissions.failed') }, 503)
  const wrong = wrongInputs(request, { ...values, submitter_name: name, submitter_email: email })
  if (Object.keys(wrong).length > 0) return again({ fields: wrong, summary: t('admin.form.incomplete') }, 400)
  // Its image is stored like that of a new event.
  if (incoming.upload !== undefined && !(await isCounted(request)))
    return again({ fields: { file: t('admin.submissions.tooManyImages') }, summary: t('admin.form.incomplete') }, 429)
  const { event } = await stored(request, found.row.event_id)
  const body = eventBody(values, withOwnOrganizers(known, event), valuesOfEvent(event))
  try {
    if ((await write(request, { body, values })) && incoming.upload !== undefined) await dropReplaced(request, event)
  } catch (error) {
    if (mayWorkLater(error)) return again({ fields: {}, summary: t('admin.submissions.failed') }, 503)
    if (!isOutdated(error)) return again(refusalsOf(request, error), 400)
    const refusals = { fields: {}, summary: t('admin.submissions.changedMeanwhile') }
    return shown(request, offers, { values, refusals, status: 400, isOutdated: true })
  }
  return back(request, '?done=saved')
}

/** Removes the image that an event had before, if it came with a submission and nothing else uses it. */
async function dropReplaced(request: PageRequest, event: RawInput): Promise<void> {
  const { deps, incoming } = request
  const id = Number(objectsIn(event['image'])[0]?.['id'])
  if (Number.isNaN(id)) return
  const call = { path: `/kalends/v1/media/${id}` }
  const reply = await deps.api({ ...incoming, caller: KEEPER, upload: undefined }, call).catch(passOver)
  const { author } = (reply?.body ?? {}) as RawInput
  if (author === '0') await dropImage(request, id).catch(passOver)
}

/** Changes the event; false where somebody has decided meanwhile. @throws what the API refuses, precondition_failed */
async function write(
  request: PageRequest,
  { body, values }: { readonly body: RawInput; readonly values: FormValues },
): Promise<boolean> {
  const { deps, incoming, sent } = request
  return withImage(request, values, (image) =>
    deps.storage.write((tx) =>
      insideTransaction(tx, async () => {
        const found = await submittedOf(request, tx)
        if (found?.isOpen !== true) return false
        const path = `/events/${found.row.event_id}`
        const call = { method: 'POST', path, body: { ...body, ...image }, mark: sent('mark') } as const
        await deps.api({ ...incoming, caller: KEEPER, upload: undefined }, call)
        return true
      }),
    ),
  )
}
