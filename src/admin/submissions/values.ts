import { decodeEntities, escapeHtml } from '../../base/text/entities.ts'
import type { RawInput } from '../../http/request/body.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import {
  bodyOf,
  type FormValues,
  idOrNew,
  type KnownNames,
  objectsIn,
  sentValues,
  shownValues,
  textIn,
} from '../form-values.ts'

/** Largest image of a visitor, bytes. */
export const MOST_BYTES = 8 * 1024 ** 2

/** The fields of events that visitors fill in. */
const NAMES: readonly string[] = [
  ...['title', 'description', 'start_date', 'end_date', 'all_day', 'venue', 'organizer', 'categories'],
  ...['cost', 'website'],
]

const FIELDS = EVENT_FIELDS.filter(({ name }) => NAMES.includes(name))

/** Most characters of each input; others are boxes, days and times. */
export const LONGEST: Readonly<Record<string, number>> = {
  title: 200,
  description: 10_000,
  venue: 200,
  venue_address: 200,
  venue_city: 100,
  organizer: 200,
  cost: 100,
  website: 500,
  alt_text: 200,
  submitter_name: 100,
  submitter_email: 254,
}

/** Most characters of a reason, a question and an answer. */
export const LONGEST_NOTE = 2000

/** The inputs that nobody may leave empty. */
const REQUIRED = ['title', 'start_date', 'submitter_name', 'submitter_email'] as const

/** Most categories of one event. */
const MOST_CATEGORIES = 20

/** Inputs that no field of an event has. */
const OWN_INPUTS = ['submitter_name', 'submitter_email', 'alt_text'] as const

/** What is wrong with an input. */
export type InputProblem = 'empty' | 'long' | 'email'

/** The values of the form as it was sent. */
export function submittedValues(body: RawInput): FormValues {
  const own = OWN_INPUTS.map((name) => [name, typeof body[name] === 'string' ? body[name] : ''])
  return { ...sentValues(FIELDS, body), ...Object.fromEntries(own) }
}

/** What is wrong with the inputs before the calendar looks at them, by their names. */
export function problemsOf(values: FormValues): ReadonlyMap<string, InputProblem> {
  const problems = new Map<string, InputProblem>()
  for (const name of REQUIRED) if (textIn(values, name).trim() === '') problems.set(name, 'empty')
  for (const [name, most] of Object.entries(LONGEST)) if (textIn(values, name).length > most) problems.set(name, 'long')
  const email = textIn(values, 'submitter_email').trim()
  if (!problems.has('submitter_email') && !/^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:]+$/.test(email))
    problems.set('submitter_email', 'email')
  return problems
}

/** The body of the write that a form means, of a change only what differs from what it showed (`base`): an event that waits for review, with new places that wait as well. */
export function eventBody(values: FormValues, known: KnownNames, base: FormValues = {}): RawInput {
  const { venue, organizer, categories, ...body } = bodyOf(FIELDS, values, { base, known })
  return {
    ...body,
    // What visitors write is text: no markup of theirs is ever shown as such.
    ...(body['description'] !== undefined && { description: escapeHtml(String(body['description'])) }),
    ...(Array.isArray(venue) && { venue: venue.map(waiting) }),
    ...(organizer !== undefined && { organizer: organizersIn(textIn(values, 'organizer'), known).map(waiting) }),
    ...(Array.isArray(categories) && {
      categories: categories.filter((one) => Number.isInteger(one) && one > 0).slice(0, MOST_CATEGORIES),
    }),
    status: 'pending',
  }
}

/**
 * The organizers in a line. Commas separate known names, of which some have commas themselves; a line with none of them is one
 * name, as of a company.
 */
function organizersIn(line: string, known: KnownNames): unknown[] {
  const names = new Set((known['organizer'] ?? []).map(([, name]) => name.toLowerCase()))
  const parts = line.split(',')
  const textOf = (start: number, end: number): string => parts.slice(start, end).join(',').trim()
  const isKnown = (text: string): boolean => names.has(text.toLowerCase())
  const found: string[] = []
  for (let start = 0; start < parts.length; ) {
    let end = parts.length
    while (end > start + 1 && !isKnown(textOf(start, end))) end -= 1
    found.push(textOf(start, end))
    start = end
  }
  const wanted = found.some(isKnown) ? found : [line.trim()]
  return wanted.filter((text) => text !== '').map((text) => idOrNew('organizer', text, known))
}

/** Known names with those of the organizers of an event, which may wait with it. */
export function withOwnOrganizers(known: KnownNames, event: RawInput): KnownNames {
  const own = shownIn(event['organizer']).map(
    ({ id, organizer }) => [String(id), decodeEntities(String(organizer))] as const,
  )
  return { ...known, organizer: [...(known['organizer'] ?? []), ...own] }
}

function waiting(linked: unknown): unknown {
  return typeof linked === 'object' && linked !== null ? { ...linked, status: 'pending' } : linked
}

/** The values of the form that shows an event as the API answers it: names in lines, without hidden ones, and text without markup. */
export function valuesOfEvent(answered: RawInput): FormValues {
  const event: RawInput = { ...answered, venue: shownIn(answered['venue']), organizer: shownIn(answered['organizer']) }
  const organizers = objectsIn(event['organizer']).map(({ organizer }) => decodeEntities(String(organizer ?? '')))
  const categories = objectsIn(event['categories']).map(({ id }) => String(id))
  return {
    ...shownValues(FIELDS, event),
    ...{ venue_id: '', organizer: organizers.join(', '), organizer_ids: [], categories_ids: categories.slice(0, 1) },
    description: textOfMarkup(String(event['description'] ?? '')),
  }
}

/** The venues or organizers that are public, or wait with the event. */
function shownIn(linked: unknown): readonly RawInput[] {
  return objectsIn(linked).filter(({ status }) => status === 'publish' || status === 'pending')
}

function textOfMarkup(markup: string): string {
  return decodeEntities(markup.replaceAll(/<\/p>\s*(?=<p>)/g, '\n\n').replaceAll(/<[^>]*>/g, '')).trim()
}
