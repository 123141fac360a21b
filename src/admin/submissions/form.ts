import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup, NOTHING, when } from '../../pages/html.ts'
import { layOut } from '../../pages/layout.ts'
import { contextOf } from '../../pages/page-context.ts'
import {
  type ControlParts,
  checkControl,
  type LineOptions,
  lineControl,
  momentControl,
  selectControl,
  textControl,
} from '../controls.ts'
import { chosenIn, type FormValues, type KnownNames, textIn } from '../form-values.ts'
import { FILE_SCRIPT, imageInput } from '../image-input.ts'
import { csrfField } from '../layout.ts'
import { shownTimes } from '../moved-end.ts'
import type { PageRequest } from '../page-request.ts'
import { problemSummary } from '../problem-summary.ts'
import { SUBMITTER_DAYS } from './expiry.ts'
import { LONGEST, MOST_BYTES } from './values.ts'

/** Name of the input that people do not see: whoever fills it in is a program. */
export const TRAP = 'homepage'

/** What the form shows. */
export interface SubmitForm {
  readonly values: FormValues
  /** What it offers; undefined where that cannot be read. */
  readonly known: KnownNames | undefined
  /** What was refused, by the names of the inputs. */
  readonly wrong?: Readonly<Record<string, string>>
  /** Message about the whole form. */
  readonly refused?: string
  /** 200 if absent. */
  readonly status?: number
}

/** The page with the form. */
export function submitFormPage(request: PageRequest, form: SubmitForm): PageResponse {
  const { t } = request
  const { refused } = form
  const fields = html`${eventSections(request, form)}${aboutYou(request, form)}`
  return page(request, {
    status: form.status ?? 200,
    body: html`<p class="lead">${t('admin.submissions.intro')}</p>
${problemSummary(t, fields, refused)}
<form class="submit" method="post" action="${contextOf(request.incoming).link('/submit/')}" enctype="multipart/form-data">${csrfField(request)}
${fields}
<button>${t('admin.submissions.submitForReview')}</button>
</form>`,
  })
}

/** The form in which whoever submitted an event changes it, `mark` being that of its version. */
export function changeForm(request: PageRequest, form: SubmitForm & { readonly mark: string }): Markup {
  const { t } = request
  const fields = eventSections(request, form)
  return html`${problemSummary(t, fields, form.refused)}
<form class="submit" method="post" enctype="multipart/form-data">${csrfField(request)}<input type="hidden" name="mark" value="${form.mark}">
${fields}
<button name="action" value="save">${t('admin.save')}</button>
</form>`
}

/** What tokens of links are sealed for. */
export const LINK_PURPOSE = 'submission link'

/** Path of the page of whoever submitted an event. */
export function submitterPath(token: string): string {
  return `/submit/link/${token}/`
}

/** The page that thanks for an event, with the link of its submitter where no mail has it. */
export function thanksPage(request: PageRequest): PageResponse {
  const { t } = request
  const context = contextOf(request.incoming)
  const [token = ''] = /^[\w-]{43}$/.exec(request.query('link')) ?? []
  const address = context.urls.page(submitterPath(token))
  return page(request, {
    status: 200,
    body: html`<p class="note" role="status">${t('admin.submissions.thanks')}</p>
${when(token !== '', () => html`<p>${t('admin.submissions.keepLink')}<br><a href="${address}">${address}</a></p>\n`)}<p class="actions"><a class="button" href="${context.link('/submit/')}">${t('admin.submissions.submitAnotherEvent')}</a> <a class="button" href="${context.link('/events/')}">${context.say('common.seeUpcoming')}</a></p>`,
  })
}

/** A page for whoever submits an event. */
interface SubmitterSheet {
  readonly status: number
  readonly body: Markup
  /** That of the form if absent. */
  readonly title?: string
  readonly path?: string
}

/** Lays out a page for whoever submits an event. */
export function page(
  request: PageRequest,
  { status, body, path = '/submit/', ...sheet }: SubmitterSheet,
): PageResponse {
  const { deps, incoming } = request
  const context = contextOf(incoming)
  const { title = context.say('common.submitAnEvent') } = sheet
  return layOut({
    status,
    title,
    deps,
    context,
    body: html`<h1>${title}</h1>\n${body}`,
    path,
    isUnlisted: path !== '/submit/',
    scripts: [FILE_SCRIPT],
  })
}

function eventSections(request: PageRequest, form: SubmitForm): Markup {
  const { t, say } = request
  const { values, known = {} } = form
  const parts = (name: string, label: string, hint?: string): ControlParts => ({
    ...{ name, label, value: textIn(values, name), wrong: form.wrong?.[name] },
    ...(hint !== undefined && { hint }),
  })
  const line = (name: string, label: string, { hint, ...options }: LineOptions & { readonly hint?: string } = {}) =>
    lineControl(parts(name, label, hint), { maxlength: String(LONGEST[name] ?? 200), ...options })
  const box = (legend: string, content: Markup): Markup =>
    html`<fieldset><legend>${legend}</legend>${content}</fieldset>\n`
  const moment = (name: string, [day, time]: readonly [string, string], required: boolean): Markup => {
    const clock = { name: `${name}_time`, label: time, value: textIn(values, `${name}_time`) }
    return momentControl(parts(name, day), clock, { required })
  }
  const names = (offers: KnownNames[string] = [], id: string): Markup =>
    html`<datalist id="${id}">${offers.map(([, name]) => html`<option value="${name}">`)}</datalist>`
  const description = textControl(parts('description', say('fields.description')), {
    maxlength: String(LONGEST['description']),
  })
  const existing = t('admin.form.chooseOrCreate')
  return html`${box(say('form.section.what'), line('title', say('fields.title'), { required: true }))}${box(
    say('form.section.when'),
    html`${moment('start_date', [say('fields.starts'), t('admin.startTime')], true)}${moment('end_date', [say('fields.ends'), t('admin.endTime')], false)}${checkControl({ ...parts('all_day', say('fields.allDay')), isChecked: textIn(values, 'all_day') === 'true' })}${shownTimes(values)}`,
  )}${box(
    say('form.section.where'),
    html`${line('venue', say('fields.venue'), { hint: existing, list: 'venues', autocomplete: 'off' })}${names(known['venue'], 'venues')}<div class="pair">${line('venue_address', t('fields.address'))}${line('venue_city', t('fields.city'))}</div>`,
  )}${box(
    say('admin.who'),
    html`${line('organizer', say('common.organizer'), { hint: existing, list: 'organizers', autocomplete: 'off' })}${names(known['organizer'], 'organizers')}`,
  )}${box(
    say('form.section.text'),
    html`${description}${categories(request, form)}<div class="pair">${line('cost', say('fields.cost'))}${line('website', say('fields.website'), { type: 'url' })}</div>`,
  )}${box(
    say('fields.image'),
    html`${lineControl({ ...parts('file', say('fields.image'), t('admin.form.imageTypes')), value: '' }, imageInput(request, Math.min(request.deps.config.mediaLimit, MOST_BYTES)))}${line('alt_text', t('admin.altText'), { hint: t('admin.form.altTextHint') })}`,
  )}`
}

function aboutYou({ t }: PageRequest, { values, wrong }: SubmitForm): Markup {
  const line = (name: string, label: string, options: LineOptions): Markup => {
    const parts = { name, label, value: textIn(values, name), wrong: wrong?.[name] }
    return lineControl(parts, { maxlength: String(LONGEST[name]), required: true, ...options })
  }
  return html`<fieldset><legend>${t('admin.submissions.aboutYou')}</legend><p>${t('admin.submissions.senderNote', { count: SUBMITTER_DAYS })}</p>${line('submitter_name', t('admin.submissions.yourName'), { autocomplete: 'name' })}${line('submitter_email', t('admin.submissions.yourEmailAddress'), { type: 'email', autocomplete: 'email' })}</fieldset>
<div class="trap" aria-hidden="true"><label for="f-${TRAP}">${t('admin.submissions.leaveFieldEmpty')}</label><input id="f-${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></div>`
}

/** The category of the event; nothing where the calendar has none. */
function categories({ t, say }: PageRequest, form: SubmitForm): Markup {
  const chosen = new Set(chosenIn(form.values, 'categories_ids'))
  const offers = form.known?.['categories'] ?? []
  if (offers.length === 0) return kept(form, chosen)
  const parts = { name: 'categories_ids[]', label: say('common.category'), value: [...chosen][0] ?? '' }
  return selectControl(parts, [['', t('admin.notSpecified')], ...offers])
}

/** What was chosen stays chosen while what there is cannot be read. */
function kept({ known }: SubmitForm, chosen: ReadonlySet<string>): Markup {
  if (known !== undefined) return NOTHING
  const boxes = [...chosen].map((id) => html`<input type="hidden" name="categories_ids[]" value="${id}">`)
  return html`${boxes}`
}
