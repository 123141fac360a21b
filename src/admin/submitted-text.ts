import type { AnyField } from '../model/kinds/field.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { choiceOffers } from './choices.ts'
import { isDeclared } from './declared.ts'
import { heldImage } from './event-parts.ts'
import { chosenIn, type FormValues, inputsOf, type KnownNames, textIn } from './form-values.ts'
import { languageName } from './languages.ts'
import type { PageRequest } from './page-request.ts'
import { repeatPreview } from './repeat/preview.ts'
import { ticketsIn } from './tickets.ts'

/** The values of a form, and the names of what they refer to. */
interface Submitted {
  readonly values: FormValues
  readonly known: KnownNames
}

/** What the inputs of a field say, as people read it: names in place of numbers, an image; a dash for nothing. */
export async function submittedText(request: PageRequest, field: AnyField, said: Submitted): Promise<Markup> {
  const { values } = said
  if (field.kind.control === 'image') return imageIn(request, values)
  if (field.kind.control === 'recurrence') {
    const rule = await repeatPreview(request, values)
    return rule === NOTHING ? html`<p>${request.t('admin.doesNotRepeat')}</p>` : rule
  }
  const texts = textsOf(request, field, said).filter((text) => text !== '')
  return html`<p>${texts.join(field.kind.control === 'moment' ? ' ' : ', ') || '–'}</p>`
}

async function imageIn(request: PageRequest, values: FormValues): Promise<Markup> {
  const { address } = await heldImage(request, values)
  return address === '' ? html`<p>–</p>` : html`<img class="preview" src="${address}" alt="">`
}

/** The same as plain texts, one or several; '' for nothing. */
export function textsOf(request: PageRequest, field: AnyField, { values, known }: Submitted): readonly string[] {
  const { name, kind } = field
  const text = textIn(values, name)
  const named = (id: string): string => known[name]?.find(([one]) => one === id)?.[1] ?? ''
  switch (kind.control) {
    case 'boolean':
      return [text === 'true' ? request.t('admin.yes') : request.t('admin.no')]
    case 'choice':
      return [isDeclared(field) ? text : (choiceOffers(request, field).find(([value]) => value === text)?.[1] ?? text)]
    case 'language':
      return [languageName(request, textIn(values, `${name}_other`) || text)]
    case 'linked':
    case 'terms':
      if (name !== 'venue') return [...chosenIn(values, `${name}_ids`).map(named), text]
      return ['venue', 'venue_address', 'venue_city'].map((input) => textIn(values, input))
    case 'secret':
      return ['•'.repeat(text.length)]
    case 'parent':
      return [text === '' ? '' : named(text)]
    case 'tickets':
      return ticketsIn(values).map((ticket) => Object.values(ticket).join(' '))
    default:
      return inputsOf(field).map((input) => textIn(values, input))
  }
}
