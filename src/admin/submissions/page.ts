import { digestOf, newSecret } from '../../accounts/sessions/index.ts'
import type { Config } from '../../base/config.ts'
import { Failure, fail, mayWorkLater } from '../../base/errors.ts'
import type { MessageId } from '../../base/i18n/translate.ts'
import { seal } from '../../base/sealed.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Caller } from '../../http/auth/rights.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { daysAfter, todayIn } from '../../pages/dates.ts'
import { contextOf } from '../../pages/page-context.ts'
import type { Reader } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { type FormValues, type KnownNames, textIn } from '../form-values.ts'
import { withMovedEnd } from '../moved-end.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { type Refusals, refusalsOf } from '../refusals.ts'
import { LINK_PURPOSE, type SubmitForm, submitFormPage, submitterPath, TRAP, thanksPage } from './form.ts'
import type { Offers } from './offers.ts'
import { tellAtOnce } from './review-mails.ts'
import { insertSubmission, waitingSubmissions } from './store.ts'
import { eventBody, type InputProblem, LONGEST, MOST_BYTES, problemsOf, submittedValues } from './values.ts'

/** Whoever submits an event: they may propose it, and see nothing of unpublished items. */
const VISITOR: Caller = { id: 0, role: 'contributor', name: '' }

/** An image is accepted as if from someone who may add images; nothing shows it before its event is published. */
const UPLOADER: Caller = { ...VISITOR, role: 'author' }

/** An image that is not used is removed as by those who keep order. */
export const KEEPER: Caller = { ...VISITOR, role: 'editor' }

/** Room beside the image, bytes: one that is too large is refused in the form, with all that was typed. */
const ROOM = 8 * 1024 ** 2

/** Most characters of all inputs together. */
export const MOST_TEXT = 65_536

/** Most submitted events that wait for review at the same time. */
const MOST_WAITING = 500

/** Message while the queue is full, and while the calendar cannot be read or written. */
const FULL = 'admin.submissions.tooManyPending'
const NOT_NOW = 'admin.submissions.failed'

/** The form with which anyone submits an event. */
export function submitPage(config: Pick<Config, 'mediaLimit'>, offers: Offers): AdminPage {
  return {
    ...boundsOf(config),
    path: '/submit',
    isThere: ({ site }) => site.takesSubmissions === true,
    show: async (request) =>
      request.query('done') === '1'
        ? thanksPage(request)
        : submitFormPage(request, { values: blank(request), known: await offers.recent(request) }),
    submit: (request) => take(request, offers),
  }
}

/** The bounds of a form that anyone may send: one image, and the texts beside it. */
export function boundsOf({ mediaLimit }: Pick<Config, 'mediaLimit'>) {
  const bodyLimit = Math.min(mediaLimit, MOST_BYTES) + ROOM
  return { bodyLimit, anonymousBodyLimit: bodyLimit, formBudget: 'forms' } as const
}

function blank({ deps, incoming }: PageRequest): FormValues {
  const { zone } = deps.site
  const day = daysAfter(todayIn(zone, incoming.now), 1)
  return { start_date: day, start_date_time: '19:00', end_date: day, end_date_time: '21:00' }
}

/** @throws rest_body_too_large for more text than forms have room for: it would be shown again */
async function take(request: PageRequest, offers: Offers): Promise<PageResponse> {
  if (JSON.stringify(request.incoming.body).length > MOST_TEXT) throw fail('rest_body_too_large', { limit: MOST_TEXT })
  // Programs that fill in everything learn nothing from the response.
  const token = newSecret()
  if (request.sent(TRAP) !== '') return thanks(request, token)
  const values = withMovedEnd(submittedValues(request.incoming.body), request)
  // Without them an existing venue would be created again.
  const known = await knownNames(request, offers)
  const again = (refusals: Refusals, status: number): PageResponse =>
    submitFormPage(request, { values, known, status, ...withImageNote(request, refusals) })
  const told = (summary: MessageId, status: number, fields: Refusals['fields'] = {}): PageResponse =>
    again({ fields, summary: request.t(summary) }, status)
  if (known === undefined) return told(NOT_NOW, 503)
  const wrong = wrongInputs(request, values)
  if (Object.keys(wrong).length > 0) return told('admin.form.incomplete', 400, wrong)
  // Before the image is looked at; it is decided when the event is written.
  if (await isQueueFull(request.deps.storage)) return told(FULL, 503)
  if (!(await isCounted(request))) return told('admin.submissions.tooManySent', 429)
  try {
    if (!(await store(request, { values, known, token }))) return told(FULL, 503)
  } catch (error) {
    if (mayWorkLater(error)) return told(NOT_NOW, 503)
    return again(refusalsOf(request, error), 400)
  }
  return thanks(request, token)
}

/** The names that typed ones are compared with; undefined where they cannot be read. */
export async function knownNames(request: PageRequest, offers: Offers): Promise<KnownNames | undefined> {
  try {
    return await offers.current(request)
  } catch (err) {
    if (!mayWorkLater(err)) request.deps.log.error({ err, requestId: request.http.id }, 'request failed')
    return undefined
  }
}

/** Whether a mail was sent must not show: its address may have had too many. */
function thanks(request: PageRequest, token: string): PageResponse {
  const link = request.deps.mailer.isConfigured ? '' : `&link=${token}`
  return redirect(`${contextOf(request.incoming).link('/submit/')}?done=1${link}`)
}

/** What is wrong with the inputs before the calendar looks at them, for people. */
export function wrongInputs({ t }: PageRequest, values: FormValues): Readonly<Record<string, string>> {
  const text = (name: string, problem: InputProblem): string => {
    if (problem === 'empty') return t('common.required')
    if (problem === 'email') return t('admin.submissions.invalidEmail')
    return t('admin.submissions.tooLong', { count: LONGEST[name] ?? 0 })
  }
  return Object.fromEntries([...problemsOf(values)].map(([name, problem]) => [name, text(name, problem)]))
}

/** Browsers never send a file again by themselves: a form that is shown again says so. */
export function withImageNote(
  { t, incoming }: PageRequest,
  { fields: wrong, summary: refused }: Refusals,
): Pick<SubmitForm, 'wrong' | 'refused'> {
  if (incoming.upload === undefined || wrong['file'] !== undefined) return { wrong, refused }
  const file = t('admin.submissions.chooseImageAgain')
  // The summary is not shown when fields have errors.
  return Object.keys(wrong).length === 0 ? { refused: `${refused} ${file}` } : { wrong: { ...wrong, file }, refused }
}

async function isQueueFull(reader: Reader): Promise<boolean> {
  return (await waitingSubmissions(reader)) >= MOST_WAITING
}

/** Counts an event, or a further image for one, for its client; false where that has sent too many. */
export async function isCounted(request: PageRequest): Promise<boolean> {
  try {
    await request.countSubmission()
    return true
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 429) throw error
    return false
  }
}

interface Submitting {
  readonly values: FormValues
  readonly known: KnownNames
  /** Of the link of whoever submits it. */
  readonly token: string
}

/**
 * Stores the event with who sent it, in one transaction; an image comes before it, and goes when the event is refused.
 * False, with nothing stored, where too many wait.
 */
async function store(request: PageRequest, { values, known, token }: Submitting): Promise<boolean> {
  const { deps, incoming } = request
  return withImage(request, values, (image) =>
    deps.storage.write((tx) =>
      insideTransaction(tx, async () => {
        if (await isQueueFull(tx)) return false
        const call = { method: 'POST', path: '/events', body: { ...eventBody(values, known), ...image } } as const
        const reply = await deps.api({ ...incoming, caller: VISITOR, upload: undefined }, call)
        const row = {
          event_id: Number((reply.body as RawInput)['id']),
          name: textIn(values, 'submitter_name').trim(),
          email: textIn(values, 'submitter_email').trim(),
          created_at: utcFromMillis(incoming.now),
          language: incoming.language,
          link: digestOf(token),
          sealed_link: seal(token, { secret: deps.secret, purpose: LINK_PURPOSE }),
        }
        await insertSubmission(tx, row)
        const to = { address: row.email, name: row.name, language: row.language }
        const title = textIn(values, 'title').trim()
        await deps.mailer.queueMail(tx, { kind: 'received', to, values: { title }, path: submitterPath(token) })
        await tellAtOnce(tx, deps.mailer)
        return true
      }),
    ),
  )
}

/**
 * Adds the image that was sent, if any, for a write that uses it, and removes it where that fails or says false.
 * @throws what the write does; rest_invalid_param that names `file`
 */
export async function withImage(
  request: PageRequest,
  values: FormValues,
  write: (image: { readonly image?: number }) => Promise<boolean>,
): Promise<boolean> {
  const image = await imageOf(request, values)
  if (image === undefined) return write({})
  let isUsed = false
  try {
    isUsed = await write({ image })
    return isUsed
  } finally {
    if (!isUsed) await dropImage(request, image)
  }
}

/** The ID of the image that was sent; undefined for none. @throws rest_invalid_param that names `file` */
async function imageOf({ deps, incoming }: PageRequest, values: FormValues): Promise<number | undefined> {
  const { upload } = incoming
  if (upload === undefined) return undefined
  if (upload.bytes.length > MOST_BYTES) throw fail('rest_body_too_large', { limit: MOST_BYTES })
  const query = textIn(values, 'alt_text') === '' ? {} : { alt_text: textIn(values, 'alt_text') }
  const call = { method: 'POST', path: '/kalends/v1/media', upload, query } as const
  const reply = await deps.api({ ...incoming, caller: UPLOADER }, call)
  return Number((reply.body as RawInput)['id'])
}

/** Removes an image that is not used after all. */
export async function dropImage({ deps, incoming }: PageRequest, id: number): Promise<void> {
  const call = { method: 'DELETE', path: `/kalends/v1/media/${id}`, query: { force: 'true' } } as const
  await deps.api({ ...incoming, caller: KEEPER, upload: undefined }, call)
}
