import type { MessageId } from '../base/i18n/translate.ts'
import { listFields } from '../calendar/events/index.ts'
import type { RawInput } from '../http/request/body.ts'
import { EVENT_FIELDS } from '../model/event.ts'
import { boolean } from '../model/kinds/boolean.ts'
import { type DeclaredField, problemOfValue } from '../model/kinds/declared-field.ts'
import { type AnyField, field } from '../model/kinds/field.ts'
import { type Kind, type Reason, reasonId } from '../model/kinds/kind.ts'
import { line } from '../model/kinds/text.ts'
import type { Offer } from './controls.ts'
import { type FormValues, textIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'

/** Start of the names that declared fields have in forms. */
const PREFIX = 'field_'

/** The fields of the form of an event, and which of them the site has declared. */
export interface EventFields {
  readonly all: readonly AnyField[]
  readonly declared: readonly DeclaredField[]
}

/** The same without those that nobody is asked for: the API alone has them. */
export async function askedEventFields(request: Pick<PageRequest, 'deps'>): Promise<EventFields> {
  const { all, declared } = await eventFields(request)
  return { all: all.filter((field) => field.label !== undefined || isDeclared(field)), declared }
}

/** The fields of the form of an event: those of every calendar, and those that this site has declared. */
export async function eventFields({ deps }: Pick<PageRequest, 'deps'>): Promise<EventFields> {
  const declared = await listFields(deps)
  return { all: [...EVENT_FIELDS, ...declared.map(asField)], declared }
}

/**
 * The same, with the names that earlier states of an event have in `custom_fields` and that nobody has declared, or nobody
 * declares any more: they are text under their own name.
 */
export function withUndeclared({ all, declared }: EventFields, states: readonly RawInput[]): readonly AnyField[] {
  const known = new Set(declared.map(({ name }) => name))
  const others = [...new Set(states.flatMap((state) => Object.keys(customOf(state))))].filter(
    (name) => !known.has(name),
  )
  return [...all, ...others.map((name) => siteField(name, line, name))]
}

/** The text that a state of an event has in a declared field; '' for none. */
export function customText(state: RawInput, { name }: Pick<AnyField, 'name'>): string {
  return String(customOf(state)[name.slice(PREFIX.length)] ?? '')
}

/** The texts of fields that the site has declared stand in forms as they were declared. */
export function isDeclared({ name }: Pick<AnyField, 'name'>): boolean {
  return name.startsWith(PREFIX)
}

/** The text beside the control of a field. */
export function labelOf({ say }: Pick<PageRequest, 'say'>, field: AnyField): string {
  return isDeclared(field) ? field.description : say(field.label ?? field.description)
}

/** A field that is described in the words of the site. */
function siteField(name: string, kind: Kind<unknown>, description: string): AnyField {
  // No message has the ID: these words are shown as they are.
  return field(`${PREFIX}${name}`, kind, description as MessageId, { section: 'form.section.more' })
}

function asField(declared: DeclaredField): AnyField {
  return siteField(declared.name, kindOf(declared), declared.label)
}

function kindOf({ type, choices }: DeclaredField): Kind<unknown> {
  if (type === 'boolean') return boolean
  if (type === 'choice') return { ...line, control: 'choice', schema: { type: 'string', enum: choices } }
  return { ...line, control: type === 'number' ? 'number' : type === 'date' ? 'day' : 'line' }
}

/** The choices of a declared field, and what an event has that is none of them any more. */
export function declaredOffers({ kind }: AnyField, value = ''): readonly Offer[] {
  const choices = Array.isArray(kind.schema['enum']) ? kind.schema['enum'].map(String) : []
  return ['', ...choices, ...(value === '' || choices.includes(value) ? [] : [value])].map((one) => [one, one || '–'])
}

/** An event as forms show it: what it has in declared fields stands beside its own members. */
export function withDeclared(item: RawInput, { declared }: EventFields): RawInput {
  const values = customOf(item)
  const shown = declared.map(({ name, type }) => {
    const text = values[name] ?? ''
    return [`${PREFIX}${name}`, type === 'boolean' ? text === 'true' : text]
  })
  return { ...item, ...Object.fromEntries(shown) }
}

/** The values of an event that the API has answered, or of a row, where they are JSON. */
function customOf(item: RawInput): Readonly<Record<string, unknown>> {
  const given = item['custom_fields']
  const values: unknown = typeof given === 'string' ? JSON.parse(given) : given
  return typeof values === 'object' && values !== null ? (values as Readonly<Record<string, unknown>>) : {}
}

/** A body as the API takes it: declared fields that a form has changed are members of `custom_fields`, next to the existing ones. */
export function withCustomFields(body: RawInput, item: RawInput | undefined): RawInput {
  const entries = Object.entries(body)
  const changed = entries.filter(([name]) => isDeclared({ name }))
  if (changed.length === 0) return body
  const others = entries.filter(([name]) => !isDeclared({ name }))
  const values = { ...customOf(item ?? {}) }
  for (const [name, value] of changed) {
    const text = String(value)
    if (text === '') delete values[name.slice(PREFIX.length)]
    else values[name.slice(PREFIX.length)] = text
  }
  return { ...Object.fromEntries(others), custom_fields: values }
}

const REASON_OF: Readonly<Record<DeclaredField['type'], Reason>> = {
  text: 'not_text',
  number: 'not_number',
  boolean: 'not_boolean',
  date: 'bad_date',
  url: 'bad_url',
  choice: 'bad_choice',
}

/** What is wrong with the values of declared fields, by the names of their controls. */
export function declaredProblems(
  { t }: Pick<PageRequest, 't'>,
  { declared }: EventFields,
  values: FormValues,
): Readonly<Record<string, string>> {
  const wrong = declared.filter(
    (one) => problemOfValue(one, textIn(values, `${PREFIX}${one.name}`).trim()) !== undefined,
  )
  return Object.fromEntries(wrong.map(({ name, type }) => [`${PREFIX}${name}`, upper(t(reasonId(REASON_OF[type])))]))
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
