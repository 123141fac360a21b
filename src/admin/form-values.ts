import { decodeEntities } from '../base/text/entities.ts'
import type { FirstDate } from '../base/time/recurrence/lines.ts'
import { isZone } from '../base/time/zones.ts'
import type { RawInput } from '../http/request/body.ts'
import type { AnyField } from '../model/kinds/field.ts'
import { defaultEnd } from './default-end.ts'
import { REPEAT_INPUTS, repeatIn, repeatLines, repeatValues } from './repeat/values.ts'
import { TICKET_INPUTS, ticketsIn, ticketValues } from './tickets.ts'

/** What stands in the controls of a form, by the names of its inputs. Lists are those of boxes that are ticked. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** The text of an input; '' for none. */
export function textIn(values: FormValues, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** The boxes of an input that are ticked. */
export function chosenIn(values: FormValues, name: string): readonly string[] {
  const value = values[name]
  return typeof value === 'object' ? value : []
}

/** The names of the inputs of a field. */
export function inputsOf({ name, kind }: AnyField): readonly string[] {
  if (kind.control === 'moment' || kind.control === 'published') return [name, `${name}_time`]
  if (kind.control === 'recurrence') return REPEAT_INPUTS
  if (kind.control === 'tickets') return TICKET_INPUTS
  if (kind.control === 'language') return [name, `${name}_other`]
  if (name === 'venue' && kind.control === 'linked') return [name, 'venue_id', 'venue_address', 'venue_city']
  if (kind.control === 'linked' || kind.control === 'terms') return [name, `${name}_ids`]
  return kind.control === undefined ? [] : [name]
}

/** The values of a form as it was sent; the text of a control of several lines has the line ends of the place of storage. */
export function sentValues(fields: readonly AnyField[], body: RawInput): FormValues {
  const names = fields.flatMap(inputsOf)
  return Object.fromEntries(
    names.map((name) => {
      const value = body[name]
      if (Array.isArray(value)) return [name, value.map(String)]
      if (typeof value === 'object' && value !== null) return [name, Object.values(value).map(String)]
      return [name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '']
    }),
  )
}

/** The values of a form that shows an item as the API answers it. */
export function shownValues(fields: readonly AnyField[], item: RawInput): FormValues {
  return Object.assign({}, ...fields.map((field) => shownOf(field, item)))
}

function shownOf({ name, kind }: AnyField, item: RawInput): FormValues {
  const value = item[name]
  switch (kind.control) {
    case undefined:
    case 'secret':
      return { [name]: '' }
    case 'moment': {
      const text = typeof value === 'string' ? value : ''
      return { [name]: text.slice(0, 10), [`${name}_time`]: text.slice(11, 16) }
    }
    case 'published': {
      // What waits is published when someone does it, unless it was given a later date.
      const isWaiting = item['status'] === 'draft' || item['status'] === 'pending'
      const text = typeof value !== 'string' || (isWaiting && value <= String(item['modified'])) ? '' : value
      return { [name]: text.slice(0, 10), [`${name}_time`]: text.slice(11, 16) }
    }
    case 'recurrence':
      return { ...repeatValues(Array.isArray(value) ? value.map(String) : [], firstDateOf(item)) }
    case 'tickets':
      return ticketValues(objectsIn(value))
    case 'parent':
      return { [name]: Number(value) > 0 ? String(value) : '' }
    case 'boolean':
      return { [name]: value === true ? 'true' : '' }
    case 'image':
      return { [name]: String(objectsIn(value)[0]?.['id'] ?? '') }
    case 'linked': {
      const names = objectsIn(value).map((one) => decodeEntities(String(one[name] ?? '')))
      const ids = objectsIn(value).map(({ id }) => String(id))
      return name === 'venue'
        ? { venue: names[0] ?? '', venue_id: ids[0] ?? '', venue_address: '', venue_city: '' }
        : { [name]: '', [`${name}_ids`]: ids }
    }
    case 'terms':
      return { [name]: '', [`${name}_ids`]: objectsIn(value).map(({ id }) => String(id)) }
    case 'text':
      return { [name]: typeof value === 'string' ? value : '' }
    case 'html':
      return { [name]: typeof value === 'string' ? writtenText(value) : '' }
    default:
      // An event without a website names its own page.
      if (name === 'website' && value === item['url']) return { [name]: '' }
      return { [name]: value === undefined || value === null ? '' : decodeEntities(String(value)) }
  }
}

/** The first date by which the rule of an event goes; undefined where the form shows another one, which was changed alone. */
function firstDateOf(item: RawInput): FirstDate | undefined {
  const [start, end, zone] = [item['start_date'], item['end_date'], item['timezone']].map(String)
  if (start === undefined || end === undefined || zone === undefined || !isZone(zone)) return undefined
  const isMoved = objectsIn(item['series'])[0]?.['start_date'] !== undefined
  return isMoved ? undefined : { start, end, zone, isAllDay: item['all_day'] === true }
}

/** Paragraphs without anything in them but text are shown as they were typed; storing them gives the same HTML again. */
function writtenText(markup: string): string {
  const paragraphs = markup.split('\n')
  const texts = paragraphs.map((one) => /^<p>([^<>]*)<\/p>$/.exec(one)?.[1])
  const isPlain = texts.every((text) => text !== undefined && !/&(?:lt|gt|#)|&amp;(?:lt|gt|amp|quot|#)/.test(text))
  return isPlain ? decodeEntities(texts.join('\n\n')) : markup
}

/** The objects of a member that is one, a list of them or nothing. */
export function objectsIn(value: unknown): readonly RawInput[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'object' && one !== null)
  return typeof value === 'object' && value !== null ? [value as RawInput] : []
}

/** Names that the form offers, by which a typed one is found. */
export type KnownNames = Readonly<Record<string, readonly (readonly [id: string, name: string])[]>>

/**
 * The body of a write that a form means: of a change only the fields whose inputs differ from what it showed (`base`), so
 * that everything else stays as it is, of a new item all that say something.
 */
export function bodyOf(
  fields: readonly AnyField[],
  values: FormValues,
  { base, known }: { readonly base: FormValues; readonly known: KnownNames },
): RawInput {
  const changed = fields.filter((field) => isChanged(field, values, base))
  const isDated = changed.some(({ name }) => name === 'all_day')
  const sent = isDated ? fields.filter((field) => changed.includes(field) || field.kind.control === 'moment') : changed
  return Object.fromEntries(sent.map((field) => [field.name, sentOf(field, values, known)]))
}

/** A rule changes with its start as well: the second Tuesday becomes the first Friday. */
function isChanged(field: AnyField, values: FormValues, base: FormValues): boolean {
  if (field.kind.control === 'recurrence') return !isSame(linesIn(values), linesIn(base))
  if (field.kind.control === 'tickets') return JSON.stringify(ticketsIn(values)) !== JSON.stringify(ticketsIn(base))
  // An end without a day follows from the start.
  const others = field.name === 'end_date' && textIn(values, 'end_date') === '' ? START : []
  return [...inputsOf(field), ...others].some((name) => !isSame(values[name], base[name]))
}

const START = ['start_date', 'start_date_time', 'all_day']

function linesIn(values: FormValues): readonly string[] {
  return repeatLines(repeatIn(values), textIn(values, 'start_date'))
}

/** Whether two inputs are equal; an absent one equals an empty one. */
export function isSame(one: string | readonly string[] = '', other: string | readonly string[] = ''): boolean {
  const text = (value: string | readonly string[]): string =>
    typeof value === 'string' ? value : [...value].sort().join(',')
  return text(one) === text(other)
}

function sentOf({ name, kind }: AnyField, values: FormValues, known: KnownNames): unknown {
  const text = textIn(values, name).trim()
  switch (kind.control) {
    case 'moment':
      return momentOf(name, values)
    case 'published':
      return text === '' ? undefined : `${text} ${textIn(values, `${name}_time`) || '00:00'}`
    case 'recurrence':
      return linesIn(values)
    case 'tickets':
      return ticketsIn(values)
    case 'parent':
      return Number(text) || 0
    case 'boolean':
      return text === 'true'
    case 'linked':
      return name === 'venue'
        ? venueOf(values, known)
        : [...idsIn(values, name), ...namesIn(text, known[name]).map((one) => idOrNew(name, one, known))]
    case 'terms':
      return [...idsIn(values, name), ...namesIn(text, known[name])]
    case 'language':
      return textIn(values, `${name}_other`).trim() || text
    case 'image':
      return text === '' ? false : Number(text)
    default:
      return text
  }
}

/** What a form says of a moment, `''` for nothing: a day with its time; one without is the start of the day, and an end without a day follows from the start. */
export function momentOf(name: string, values: FormValues): string {
  const text = (input: string): string => textIn(values, input)
  const isOpen = name === 'end_date' && text(name) === ''
  const day = isOpen ? text('start_date') : text(name)
  if (day === '' || text('all_day') === 'true') return day
  const time = text(`${name}_time`)
  if (isOpen) return defaultEnd({ day, time: text('start_date_time') }, time)
  return `${day} ${time || (name === 'end_date' ? text('start_date_time') : '') || '00:00'}`
}

function idsIn(values: FormValues, name: string): number[] {
  return chosenIn(values, `${name}_ids`).map(Number)
}

/** Names separated by commas; a name that is known is one although it has a comma. */
function namesIn(text: string, known: KnownNames[string] = []): string[] {
  if (known.some(([, name]) => name === text)) return [text]
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** The ID of the item with a typed name, or a new one. */
export function idOrNew(member: string, typed: string, known: KnownNames): unknown {
  const found = known[member]?.find(([, name]) => isSameName(name, typed))
  return found === undefined ? { [member]: typed } : Number(found[0])
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The names that are typed into the lines of a form, by field. */
export function typedNames(values: FormValues): Readonly<Record<string, readonly string[]>> {
  return { venue: [textIn(values, 'venue').trim()], organizer: namesIn(textIn(values, 'organizer').trim()) }
}

function venueOf(values: FormValues, known: KnownNames): unknown {
  const name = textIn(values, 'venue').trim()
  if (name === '') return []
  // Of several with this name the one that was picked; a name that was typed over that says more than its ID.
  const picked = known['venue']?.find(([id, one]) => id === textIn(values, 'venue_id') && isSameName(one, name))
  const found = picked === undefined ? idOrNew('venue', name, known) : Number(picked[0])
  if (typeof found === 'number') return [found]
  const [address, city] = [textIn(values, 'venue_address').trim(), textIn(values, 'venue_city').trim()]
  return [{ venue: name, ...(address !== '' && { address }), ...(city !== '' && { city }) }]
}
