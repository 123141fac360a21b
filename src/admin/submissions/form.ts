import type { PageResponse } from '../../http/page.ts'
import { hereOf } from '../../pages/here.ts'
import { html, type Markup, NOTHING, when } from '../../pages/html.ts'
import { layOut } from '../../pages/layout.ts'
import type { Asking } from '../asking.ts'
import {
  type ControlParts,
  checkControl,
  choicesControl,
  type LineOptions,
  lineControl,
  textControl,
} from '../controls.ts'
import { chosenIn, type FormValues, type KnownNames, textIn } from '../form-values.ts'
import { csrfField } from '../layout.ts'
import { FILE_SCRIPT, pictureInput } from '../picture-input.ts'
import { zoneControl } from '../zones.ts'
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
  /** What is said of the whole form. */
  readonly refused?: string
  /** 200 when absent. */
  readonly status?: number
}

/** The page with the form. */
export function submitFormPage(asking: Asking, form: SubmitForm): PageResponse {
  const { t } = asking
  const { refused } = form
  return page(asking, {
    status: form.status ?? 200,
    body: html`<p class="lead">${t('Tell us about it. Somebody looks at every event before it appears in the calendar.')}</p>
${when(refused !== undefined, () => html`<p class="note refused" role="alert">${refused ?? ''}</p>`)}
<form class="submit" method="post" action="${hereOf(asking.incoming).link('/submit/')}" enctype="multipart/form-data">${csrfField(asking)}
${sections(asking, form)}
<button>${t('Send for review')}</button>
</form>`,
  })
}

/** The page that thanks for an event. */
export function thanksPage(asking: Asking): PageResponse {
  const { t } = asking
  const here = hereOf(asking.incoming)
  return page(asking, {
    status: 200,
    body: html`<p class="note" role="status">${t('Thank you. Your event was sent and waits for review.')}</p>
<p class="actions"><a class="button" href="${here.link('/submit/')}">${t('Submit another event')}</a> <a class="button" href="${here.link('/events/')}">${here.say('See the next events')}</a></p>`,
  })
}

function page(asking: Asking, { status, body }: { readonly status: number; readonly body: Markup }): PageResponse {
  const { parts, incoming } = asking
  const here = hereOf(incoming)
  const title = here.say('Submit an event')
  return layOut({
    status,
    title,
    parts,
    here,
    body: html`<h1>${title}</h1>\n${body}`,
    path: '/submit/',
    scripts: [FILE_SCRIPT],
  })
}

function sections(asking: Asking, form: SubmitForm): Markup {
  const { t, say } = asking
  const { values, known = {} } = form
  const parts = (name: string, label: string, hint?: string): ControlParts => ({
    ...{ name, label, value: textIn(values, name), wrong: form.wrong?.[name] },
    ...(hint !== undefined && { hint }),
  })
  const line = (name: string, label: string, { hint, ...options }: LineOptions & { readonly hint?: string } = {}) =>
    lineControl(parts(name, label, hint), { maxlength: String(LONGEST[name] ?? 200), ...options })
  const box = (legend: string, content: Markup): Markup =>
    html`<fieldset><legend>${legend}</legend>${content}</fieldset>\n`
  const moment = (name: string, [day, time]: readonly [string, string], required: boolean): Markup =>
    html`<div class="pair">${lineControl(parts(name, day), { type: 'date', required })}${lineControl(parts(`${name}_time`, time), { type: 'time' })}</div>`
  const names = (offers: KnownNames[string] = [], id: string): Markup =>
    html`<datalist id="${id}">${offers.map(([, name]) => html`<option value="${name}">`)}</datalist>`
  const description = textControl(parts('description', say('Description')), {
    maxlength: String(LONGEST['description']),
  })
  const chosen = new Set(chosenIn(values, 'categories_ids'))
  const offered = choicesControl(
    { name: 'categories_ids', label: say('Categories') },
    known['categories'] ?? [],
    chosen,
  )
  const kinds =
    offered.markup === '' ? kept(form, chosen) : html`<p class="label-text">${say('Categories')}</p>${offered}`
  const existing = t('Choose one of the list, or type the name of a new one.')
  return html`${box(say('What'), html`${line('title', say('Title'), { required: true })}${description}${kinds}`)}${box(
    say('When'),
    html`${moment('start_date', [say('Starts'), t('Start time')], true)}${moment('end_date', [say('Ends'), t('End time')], false)}${checkControl({ ...parts('all_day', say('All day')), isChecked: textIn(values, 'all_day') === 'true' })}${zoneControl(parts('timezone', say('Time zone')))}`,
  )}${box(
    say('Where'),
    html`${line('venue', say('Venue'), { hint: existing, list: 'venues', autocomplete: 'off' })}${names(known['venue'], 'venues')}<div class="pair">${line('venue_address', t('Address'))}${line('venue_city', t('City'))}</div>`,
  )}${box(
    say('Who'),
    html`${line('organizer', say('Organizer'), { hint: existing, list: 'organizers', autocomplete: 'off' })}${names(known['organizer'], 'organizers')}${line('website', say('Website'), { type: 'url' })}${line('cost', say('Cost'))}`,
  )}${box(
    say('Picture'),
    html`${lineControl({ ...parts('file', say('Picture'), t('JPEG, PNG, WebP, GIF or AVIF.')), value: '' }, pictureInput(asking, Math.min(asking.parts.config.mediaLimit, MOST_BYTES)))}${line('alt_text', t('Alternative text'), { hint: t('What it shows, for people who do not see it.') })}`,
  )}${box(
    t('About you'),
    html`<p>${t('Only those who review events see this. It is deleted when the event is published, and after {count} days at the latest.', { count: SUBMITTER_DAYS })}</p>${line('submitter_name', t('Your name'), { autocomplete: 'name', required: true })}${line('submitter_email', t('Your e-mail address'), { type: 'email', autocomplete: 'email', required: true })}`,
  )}<div class="trap" aria-hidden="true"><label for="f-${TRAP}">${t('Leave this field empty.')}</label><input id="f-${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></div>`
}

/** What was chosen stays chosen while what there is cannot be read. */
function kept({ known }: SubmitForm, chosen: ReadonlySet<string>): Markup {
  if (known !== undefined) return NOTHING
  const boxes = [...chosen].map((id) => html`<input type="hidden" name="categories_ids[]" value="${id}">`)
  return html`${boxes}`
}
