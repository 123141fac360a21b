import type { MessageId } from '../base/i18n/translate.ts'
import { textOfHtml } from '../base/text/html.ts'
import type { AnyField, Section } from '../model/kinds/field.ts'
import { html, type Markup } from '../pages/html.ts'
import { flag } from './controls.ts'
import { labelOf } from './declared.ts'
import type { FormState } from './form-fields.ts'
import { textIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'
import { textsOf } from './submitted-text.ts'

/** The sections that are open: what every event needs. The others say what they hold. */
const OPEN: readonly Section[] = [
  'form.section.what',
  'form.section.when',
  'form.section.where',
  'form.section.image',
  'form.section.text',
]

/** Longest text that a closed section says of itself, in characters. */
const LONGEST = 80

/** A section of the form of an event. */
export interface FormSection {
  readonly section: Section
  readonly fields: readonly AnyField[]
  readonly controls: Markup
  readonly state: FormState
  /** What it holds, where its fields do not say it themselves. */
  readonly text?: string
  /** Whether it is to be seen at once. */
  readonly isOpen?: boolean
}

/** A section of a form: its fields under a heading, or closed with what they hold. */
export function formSection(request: PageRequest, parts: FormSection): Markup {
  const { section, controls, fields, state, isOpen } = parts
  const name = section.slice(section.lastIndexOf('.') + 1)
  if (section === 'form.section.what') return html`<div class="box ${name}">${controls}</div>\n`
  const title = request.t(section satisfies MessageId)
  if (OPEN.includes(section))
    return html`<fieldset class="box ${name}"><legend><h2>${title}</h2></legend>${controls}</fieldset>\n`
  const isWrong = fields.some((field) => state.wrong[field.name] !== undefined)
  return html`<details class="box section ${name}"${flag('open', isWrong || isOpen)}><summary><h2>${title}</h2> <span><bdi>${parts.text ?? textOf(request, parts)}</bdi></span></summary>${controls}</details>\n`
}

function textOf(request: PageRequest, { section, fields, state }: FormSection): string {
  const texts = fields.flatMap((field) => fieldTexts(request, field, state)).filter((text) => text !== '')
  const text = texts.join(', ')
  if (text === '')
    return request.t(section === 'form.section.publishing' ? 'admin.form.visibleAtOnce' : 'admin.form.none')
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text
}

/** What a field says in a few words: of a box that is ticked its label. */
function fieldTexts(request: PageRequest, field: AnyField, { values, known }: FormState): readonly string[] {
  const { name, kind } = field
  const text = textIn(values, name)
  if (kind.control === 'boolean') return text !== 'true' ? [] : [labelOf(request, field)]
  if (kind.control === 'html') return [textOfHtml(text)]
  return textsOf(request, field, { values, known })
}
