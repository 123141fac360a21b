import { pluralForms } from '../base/i18n/written.ts'
import type { AnyField } from '../model/kinds/field.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { hasFurtherRegions } from './address-fields.ts'
import { choiceOffers, colorOffers } from './choices.ts'
import {
  type ControlParts,
  checkControl,
  choicesControl,
  colorsControl,
  lineControl,
  momentControl,
  type Picker,
  selectControl,
  textControl,
} from './controls.ts'
import { declaredOffers, isDeclared, labelOf } from './declared.ts'
import { DEFAULT_HOURS } from './default-end.ts'
import type { HeldImage } from './event-parts.ts'
import { chosenIn, type FormValues, type KnownNames, textIn } from './form-values.ts'
import { imageInput } from './image-input.ts'
import { languageControl } from './languages.ts'
import type { PageRequest } from './page-request.ts'
import { repeatControls } from './repeat/controls.ts'
import { htmlHint, richTextControl } from './rich-text.ts'
import { ticketControls } from './tickets.ts'
import { zoneControl } from './zones.ts'

/** What a form shows. */
export interface FormState {
  readonly values: FormValues
  /** What was refused, by the names of the fields. */
  readonly wrong: Readonly<Record<string, string>>
  readonly known: KnownNames
  readonly picture: HeldImage
}

/** The controls of some fields, each by its kind; fields of kinds that no form asks for are left out. */
export function fieldControls(request: PageRequest, fields: readonly AnyField[], state: FormState): Markup {
  return html`${fields.map((field) => controlOf(request, field, state))}`
}

function controlOf(request: PageRequest, field: AnyField, state: FormState): Markup {
  const { kind, name } = field
  const parts: ControlParts = {
    name,
    label: labelOf(request, field),
    value: textIn(state.values, name),
    wrong: state.wrong[name],
  }
  switch (kind.control) {
    case undefined:
      return NOTHING
    case 'recurrence':
    case 'tickets':
      return manyControls(request, field, state)
    case 'text':
      return textControl(parts)
    case 'html':
      return htmlControl(request, parts)
    case 'moment':
    case 'published':
      return dayAndTime(request, parts, state)
    case 'choice':
      return choiceControl(request, field, parts)
    case 'boolean':
      return checkControl({ ...parts, isChecked: parts.value === 'true' })
    case 'zone':
      return zoneControl(parts)
    case 'linked':
    case 'terms':
      return name === 'venue' ? venueControl(request, parts, state) : namesControl(request, parts, state)
    case 'parent':
      return selectControl(parts, [['', request.t('admin.form.none')], ...(state.known[name] ?? [])])
    case 'image':
      return imageControl(request, parts, state)
    case 'language':
      return languageControl(request, parts, state.values)
    default:
      return oneLine(request, field, { ...parts, ...regionHint(request, field, state.values) })
  }
}

/** The control of a field that takes one line. */
function oneLine({ t }: PageRequest, { name, kind, required }: AnyField, parts: ControlParts): Markup {
  if (name === 'slug') return lineControl({ ...parts, hint: t('admin.form.slugHint') })
  switch (kind.control) {
    case 'day':
      return lineControl(parts, { type: 'date' })
    case 'secret':
      return lineControl(parts, { type: 'password', autocomplete: 'new-password' })
    case 'number':
      return lineControl(parts, { inputmode: 'decimal' })
    case 'money':
      return lineControl({ ...parts, hint: t('admin.form.costHint') })
    default:
      return lineControl(parts, { required })
  }
}

function regionHint({ t }: PageRequest, { name }: AnyField, values: FormValues): Pick<ControlParts, 'hint'> {
  if (name !== 'stateprovince' || !hasFurtherRegions(values)) return {}
  return {
    hint: t('admin.form.oneState'),
  }
}

/** A description has an editor; shorter texts do without. */
function htmlControl(request: PageRequest, parts: ControlParts): Markup {
  if (parts.name === 'description') return richTextControl(request, parts)
  return textControl({ ...parts, hint: htmlHint(request) })
}

function choiceControl(request: PageRequest, field: AnyField, parts: ControlParts): Markup {
  if (isDeclared(field)) return selectControl(parts, declaredOffers(field, parts.value))
  if (field.name === 'color') return colorsControl(parts, colorOffers(request))
  return selectControl(parts, choiceOffers(request, field))
}

/** The controls of a field that is more than a line or a choice. */
function manyControls(request: PageRequest, { name, kind }: AnyField, { values, wrong }: FormState): Markup {
  const controls = kind.control === 'tickets' ? ticketControls : repeatControls
  return controls(request, values, wrong[name])
}

/** A day and a time beside each other. */
function dayAndTime(request: PageRequest, parts: ControlParts, { values }: FormState): Markup {
  const { t } = request
  const time = `${parts.name}_time`
  const labels: Readonly<Record<string, string>> = {
    end_date: t('admin.endTime'),
    date: t('admin.form.publicationTime'),
  }
  const label = labels[parts.name] ?? t('admin.startTime')
  const hint = parts.name === 'end_date' ? t('admin.form.endHint', { count: DEFAULT_HOURS }) : undefined
  const required = parts.name === 'start_date'
  return momentControl({ ...parts, hint }, { name: time, label, value: textIn(values, time) }, { required })
}

/** How names are offered while one is typed in a field. */
export function pickerOf({ t, incoming }: PageRequest, field: string): Picker {
  const said = JSON.stringify(pluralForms(incoming.language, 'admin.form.suggestions'))
  const name = '{name}'
  const [alike, use] = [t('admin.picker.alike', { name }), t('admin.picker.use', { name })]
  return { src: `/admin/offers/${field}`, label: t('admin.form.chooseExisting'), said, alike, use }
}

/** One name of those that exist, or a new one with its address. */
function venueControl(request: PageRequest, parts: ControlParts, { values, known }: FormState): Markup {
  const { t } = request
  const picker: Picker = { ...pickerOf(request, 'venue'), id: 'venue_id' }
  const names = (known['venue'] ?? []).map(([, name]) => html`<option value="${name}">`)
  const hint = t('admin.form.chooseOrCreate')
  const city = textIn(values, 'venue_city')
  const address = textIn(values, 'venue_address')
  return html`${lineControl({ ...parts, hint, picker }, { list: 'venues', autocomplete: 'off' })}<input type="hidden" name="venue_id" value="${textIn(values, 'venue_id')}"><datalist id="venues">${names}</datalist>
<details class="new-venue"${city + address === '' ? NOTHING : html` open`}><summary>${t('admin.form.newVenueAddress')}</summary><div class="pair">${lineControl({ name: 'venue_address', label: t('fields.address'), value: address })}${lineControl({ name: 'venue_city', label: t('fields.city'), value: city })}</div></details>\n`
}

/** Boxes of those that exist, and a line for new ones. */
function namesControl(request: PageRequest, parts: ControlParts, { values, known }: FormState): Markup {
  const { t } = request
  const chosen = new Set(chosenIn(values, `${parts.name}_ids`))
  const offers = known[parts.name] ?? []
  const boxes = choicesControl({ name: `${parts.name}_ids`, label: t('admin.form.chooseExisting') }, offers, chosen)
  const picker: Picker = { ...pickerOf(request, parts.name), boxes: `${parts.name}_ids[]` }
  const line = lineControl({ ...parts, hint: t('admin.form.namesHint'), picker }, { autocomplete: 'off' })
  if (offers.length === 0) return line
  const listed =
    offers.length > 6 && chosen.size === 0
      ? html`<details><summary>${t('admin.form.chooseExisting')}</summary>${boxes}</details>`
      : boxes
  return html`${line}${listed}`
}

/** What an image field says while a file is sent, as attributes. */
export function imageTexts({ t }: Pick<PageRequest, 't'>): Markup {
  const offline = t('admin.form.offline')
  return html`data-sending="${t('admin.form.uploading')}" data-offline="${offline}" data-retry="${t('admin.form.tryAgain')}"`
}

/** The image that is chosen, a file to upload in its place, and a box to take it away. */
function imageControl(request: PageRequest, parts: ControlParts, { values, picture }: FormState): Markup {
  const { t } = request
  const id = textIn(values, parts.name)
  const shown = picture.address === '' ? NOTHING : html`<img class="preview" src="${picture.address}" alt="">`
  const remove =
    id === '' ? NOTHING : checkControl({ name: 'image_remove', label: t('admin.form.removeImage'), isChecked: false })
  const file = lineControl(
    { name: 'file', label: parts.label, hint: t('admin.form.imageTypes'), wrong: parts.wrong },
    imageInput(request, request.deps.config.mediaLimit),
  )
  return html`<input type="hidden" name="${parts.name}" value="${id}"><image-field ${imageTexts(request)}>${shown}${file}<p class="hint drop-hint" hidden>${t('admin.form.dropImage')}</p></image-field>${altControl(request, picture)}${remove}`
}

/** The alternative text, with the one from when the form was rendered: of a new one, or of that which the form has. */
function altControl({ t, sent, incoming }: PageRequest, { id, alt, mayDescribe }: HeldImage): Markup {
  const isSent = incoming.body['alt_text'] !== undefined && incoming.upload === undefined && sent('_alt_of') === id
  const begun = mayDescribe
    ? html`<input type="hidden" name="_alt" value="${alt}"><input type="hidden" name="_alt_of" value="${id}">`
    : NOTHING
  const line = lineControl({
    name: 'alt_text',
    label: t('admin.altText'),
    value: isSent || !mayDescribe ? sent('alt_text') : alt,
    hint: t('admin.form.altTextHint'),
  })
  return html`${begun}${line}`
}
