import { readClock, writeClock } from '../base/time/clock.ts'
import type { RawInput } from '../http/request/body.ts'
import type { AnyField } from '../model/kinds/field.ts'
import { html, type Markup } from '../pages/html.ts'
import { type FormValues, inputsOf, isSame, momentOf, objectsIn, shownValues, textIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'
import type { RepeatForm } from './repeat/parsed-lines.ts'
import { clockTextOf } from './repeat/values.ts'

/** An item as the API answers it, with the mark of its version. */
export interface StoredItem {
  readonly item: RawInput
  /** '' for an item without versions. */
  readonly mark: string
}

/** Name of the status among what a form started with; the inputs of forms have other names. */
const STATUS = '_status'

/** Name of the moment when the rule starts whose first date was moved alone. */
const RULE_START = '_rule_start'

/** What a form shows of an item, with its status: written into the form, it shows later what was changed. */
export function begunWith(values: FormValues, stored: StoredItem | undefined): FormValues {
  const start = objectsIn(stored?.item['series'])[0]?.['start_date']
  const rule = typeof start === 'string' ? { [RULE_START]: start } : {}
  return { ...values, ...rule, [STATUS]: statusOf(stored) }
}

function statusOf(stored: StoredItem | undefined): string {
  return String(stored?.item['status'] ?? '')
}

/** The inputs of a form that tell the server its starting point. */
interface FormStart {
  readonly mark: string
  readonly base: FormValues
}

/** The inputs that say with which version of an item a form started, and what stood in it then. */
export function startInputs({ mark, base }: FormStart): Markup {
  return html`<input type="hidden" name="_mark" value="${mark}"><input type="hidden" name="_base" value="${JSON.stringify(base)}">`
}

/** The status that an item had when its form was shown; '' where the form does not say. */
export function statusBegun(request: Pick<PageRequest, 'sent'>): string {
  return textIn(startSent(request).base, STATUS)
}

/** With what the form started that was sent; nothing in it where it does not say. */
export function startSent({ sent }: Pick<PageRequest, 'sent'>): FormStart {
  return { mark: sent('_mark'), base: valuesIn(sent('_base')) }
}

/** The values in a text that a form restored; what is neither text nor a list of texts is left out. */
export function valuesIn(text: string): FormValues {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return {}
    return Object.fromEntries(Object.entries(read).filter(([, value]) => isValue(value)))
  } catch {
    return {}
  }
}

function isValue(value: unknown): value is FormValues[string] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

/**
 * The mark under which a form changes an item. Where nothing differs that the form shows, it is that of the present
 * version: someone has changed the name of its venue, for example. Otherwise it is that of the version with which the
 * form started, so that a change of someone else is noticed.
 */
export function markFor(fields: readonly AnyField[], stored: StoredItem, { mark, base }: FormStart): string {
  const now = shownValues(fields, stored.item)
  const isAsShown = fields.flatMap(inputsOf).every((name) => isSame(now[name], base[name]))
  return isAsShown && textIn(base, STATUS) === statusOf(stored) ? stored.mark : mark
}

/** The rule of a form and the one that it started with, each with the first date that it goes by. */
export function repeatForms(values: FormValues, base: FormValues): Readonly<Record<'now' | 'begun', RepeatForm>> {
  const [shown, begun, rule] = [momentOf('start_date', values), momentOf('start_date', base), textIn(base, RULE_START)]
  if (rule === '') return { now: { values, start: shown }, begun: { values: base, start: begun } }
  return { now: { values, start: movedAlong(rule, begun, shown) }, begun: { values: base, start: rule } }
}

/** A moment that is moved as another one was; as it is where one of them cannot be read. */
export function movedAlong(moment: string, from: string, to: string): string {
  try {
    const [at, was, is] = [moment, from, to].map((text) => readClock(clockTextOf(text)))
    return at === undefined || was === undefined || is === undefined ? moment : writeClock(at + is - was)
  } catch {
    return moment
  }
}
