import { isAtLeast, mayPublish, mayUpload } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { type AnyField, SECTIONS } from '../model/kinds/field.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { EventFields } from './declared.ts'
import { DRAFT_SCRIPT, draftKeeper } from './draft.ts'
import { heldImage, knownNames } from './event-parts.ts'
import { eventPreview } from './event-preview.ts'
import { type FormState, fieldControls } from './form-fields.ts'
import { type FormSection, formSection } from './form-section.ts'
import { begunWith, type StoredItem, startInputs, startSent } from './form-start.ts'
import { type FormValues, textIn } from './form-values.ts'
import { FILE_SCRIPT } from './image-input.ts'
import { adminPage, csrfField } from './layout.ts'
import { lookAlikeNote } from './look-alikes.ts'
import { lostDatesBox } from './lost-dates.ts'
import { shownTimes } from './moved-end.ts'
import type { PageRequest } from './page-request.ts'
import { repeatOffers } from './repeat/controls.ts'
import { repeatPreview } from './repeat/preview.ts'
import { RICH_TEXT_SCRIPT } from './rich-text.ts'
import { cancelButton, eventName, scopeChoice, seriesNote, seriesOf } from './series.ts'
import { canceledBadge, statusBadge } from './status.ts'
import { submitterLine, submitterLines } from './submissions/queue.ts'

const LIST = '/admin/events'

/** The title of an event for headings. */
export function eventTitle(request: PageRequest, event: StoredItem | undefined): string {
  return event === undefined ? request.t('admin.newEvent') : eventName(request, event.item)
}

/** What the form of an event shows. */
export interface EventForm {
  readonly fields: EventFields
  /** Undefined for a new one. */
  readonly event?: StoredItem | undefined
  readonly values: FormValues
  readonly wrong?: Readonly<Record<string, string>>
  readonly refused?: string
  readonly done?: string | undefined
  /** Whether the values were sent and are not saved: what the form started with stays what it was. */
  readonly isUnsaved?: boolean
  /** How many dates that were changed by themselves saving would move to the trash: it is asked first. */
  readonly lost?: number
  /** Whether to show above the form what visitors would see. */
  readonly isPreview?: boolean
}

/** The page with the form of an event. */
export async function eventFormPage(request: PageRequest, form: EventForm): Promise<PageResponse> {
  const { event, values, wrong = {}, refused, done, lost = 0, isUnsaved = false } = form
  const { all } = form.fields
  const known = await knownNames(request, event?.item)
  const picture = await heldImage(request, values)
  const state: FormState = { values, wrong, known, picture }
  const start = isUnsaved ? startSent(request) : { mark: event?.mark ?? '', base: begunWith(values, event) }
  const address = event === undefined ? newAddress(request) : `${LIST}/${String(event.item['id'])}`
  const sections = await Promise.all(
    SECTIONS.map((section) => sectionOf(request, section, { all, state, event, base: start.base })),
  )
  const preview = form.isPreview === true ? eventPreview(request, state) : NOTHING
  const note = done === undefined ? NOTHING : lookAlikeNote(request, values, known)
  const problem = refused ?? (lost > 0 ? request.t('admin.repeat.changedDatesNotInRule') : undefined)
  const body = html`${publicAddress(event)}${await submittedBy(request, event)}${preview}${note}<form class="event-form" method="post" action="${address}" enctype="multipart/form-data">${csrfField(request)}${draftKeeper(request, { isSaved: done !== undefined, isUnsaved })}
${enterButton(event)}${startInputs(start)}${shownTimes(values)}
${sections}<div class="publish">${scopeChoice(request, event?.item)}${lostDatesBox(request, lost)}<div class="buttons">${buttons(request, event)}</div></div>
</form>`
  return adminPage(request, {
    title: eventTitle(request, event),
    under: LIST,
    body,
    actions: actions(request, event),
    scripts: [
      'admin/times.ts',
      'admin/repeat.ts',
      'admin/picker.ts',
      DRAFT_SCRIPT,
      FILE_SCRIPT,
      'admin/image.ts',
      RICH_TEXT_SCRIPT,
    ],
    done,
    refused: problem,
  })
}

/** The form of a copy has an address of its own: what is typed into it belongs to no other event. */
function newAddress({ query }: PageRequest): string {
  return /^\d{1,15}$/.test(query('copy')) ? `${LIST}/new?copy=${query('copy')}` : `${LIST}/new`
}

/** Where visitors find the event; nothing while they do not. */
function publicAddress(event: StoredItem | undefined): Markup {
  if (event?.item['status'] !== 'publish') return NOTHING
  const { href, pathname } = new URL(String(event.item['url']))
  return html`<p class="address"><a href="${pathname}" dir="ltr">${decodeURI(href)}</a></p>\n`
}

/** Who submitted an event that waits for review, with the ways to ask and to decline, for those who review it. */
async function submittedBy(request: PageRequest, event: StoredItem | undefined): Promise<Markup> {
  if (event?.item['status'] !== 'pending' || !isAtLeast(request.incoming.caller.role, 'editor')) return NOTHING
  return submitterLine(await submitterLines(request, [event.item]), event.item['id'])
}

function actions(request: PageRequest, event: StoredItem | undefined): Markup {
  const { t, incoming } = request
  if (event === undefined) return NOTHING
  const { id, status, url } = event.item
  const view =
    status === 'publish'
      ? html`<a class="button second" href="${new URL(String(url)).pathname}">${t('common.viewEvent')}</a>`
      : NOTHING
  const copy = isAtLeast(incoming.caller.role, 'contributor')
    ? html`<a class="button second" href="${LIST}/new?copy=${String(id)}">${t('admin.events.duplicate')}</a>`
    : NOTHING
  const past = html`<a class="button second" href="${LIST}/${String(id)}/history">${t('admin.history')}</a>`
  return html`${statusBadge(request, String(status))}${canceledBadge(request, event.item)}${view}${past}${copy}`
}

interface SectionContext {
  readonly all: readonly AnyField[]
  readonly state: FormState
  readonly event: StoredItem | undefined
  /** What the form started with. */
  readonly base: FormValues
}

async function sectionOf(
  request: PageRequest,
  section: (typeof SECTIONS)[number],
  { all, state, event, base }: SectionContext,
): Promise<Markup> {
  // Who may not upload images is not asked for one.
  const mayAdd = mayUpload(request.incoming.caller.role)
  const fields = all.filter(
    (field) => (field.section ?? 'form.section.publishing') === section && (mayAdd || field.kind.control !== 'image'),
  )
  const sorted = [...fields].sort((one, other) => rankOf(one) - rankOf(other))
  const controls =
    section === 'form.section.repeats'
      ? await repeats(request, fields, { all, state, event, base })
      : fieldControls(request, sorted, state)
  if (controls.markup.trim() === '') return NOTHING
  return formSection(request, {
    ...{ section, fields, controls, state },
    ...(section === 'form.section.repeats' && repeatsState(request, { state, event })),
  })
}

/** What is chosen now and then stands below what everybody fills in. */
function rankOf({ name, kind }: AnyField): number {
  const { control } = kind
  return control === 'boolean' && name !== 'is_virtual' ? 1 : control === 'zone' ? 2 : 0
}

/** What the closed rule says of itself, and whether it is open: someone has asked for its dates. */
function repeatsState(
  { t, sent }: PageRequest,
  { state, event }: Pick<SectionContext, 'state' | 'event'>,
): Pick<FormSection, 'text' | 'isOpen'> {
  const chosen = repeatOffers(t).find(([value]) => value === textIn(state.values, 'repeat'))
  const text = seriesOf(event?.item)?.text ?? chosen?.[1] ?? ''
  return { text, isOpen: sent('action') === 'dates' || sent('lost_dates') !== '' }
}

/** The rule, and what it means; the rule of a series stands with its first date. */
async function repeats(
  request: PageRequest,
  fields: readonly AnyField[],
  { state, event, base }: SectionContext,
): Promise<Markup> {
  const series = seriesOf(event?.item)
  if (series !== undefined && !series.isFirst) return seriesNote(request, series)
  const preview = await repeatPreview(request, state.values, base)
  const { t } = request
  return html`${fieldControls(request, fields, state)}<repeat-preview aria-live="polite">${preview}</repeat-preview><button class="second small" name="action" value="dates" formnovalidate>${t('admin.events.showDates')}</button>`
}

/** What the key Enter does in a line of the form: it saves, and never publishes. */
function enterButton(event: StoredItem | undefined): Markup {
  return html`<button name="action" value="${isOut(event) ? 'update' : 'draft'}" hidden></button>`
}

/** The status is that of the series, whose form is that of its first date. */
function isOut(event: StoredItem | undefined): boolean {
  const status = String(event?.item['status'] ?? 'draft')
  return ['publish', 'future', 'private'].includes(status) || seriesOf(event?.item)?.isFirst === false
}

function buttons(request: PageRequest, event: StoredItem | undefined): Markup {
  const { t, incoming } = request
  const status = event === undefined ? 'draft' : String(event.item['status'])
  const publish = mayPublish(incoming.caller.role) ? t('admin.publish') : t('admin.events.submitForReview')
  const button = (action: string, text: string, look: string): Markup =>
    html`<button name="action" value="${action}" class="${look}">${text}</button>`
  const main = isOut(event) ? button('update', t('common.update'), 'first') : button('publish', publish, 'first')
  const draft = isOut(event) ? NOTHING : button('draft', t('admin.events.saveDraft'), 'second')
  const trash = event === undefined || status === 'trash' ? NOTHING : button('trash', t('admin.moveToTrash'), 'bad')
  return html`${main}${draft}${button('preview', t('common.preview'), 'second')}${cancelButton(request, event?.item)}${trash}`
}
