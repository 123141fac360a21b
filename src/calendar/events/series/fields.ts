import { isDeepStrictEqual } from 'node:util'
import type { EventTable } from '../../../storage/schema.ts'
import type { EventState } from '../../event-store/copies.ts'
import type { EventLinks } from '../../event-store/event-row.ts'

/** A part of an event that a date may have for itself. */
interface OwnPart {
  /** Fields of a write that change it. */
  readonly fields: readonly string[]
  readonly columns: readonly (keyof EventTable)[]
  /** What is kept with the columns, but is nothing of its own without them. */
  readonly along?: readonly (keyof EventTable)[]
  readonly links?: keyof EventLinks
}

function column(name: keyof EventTable): OwnPart {
  return { fields: [name], columns: [name] }
}

/** What a date may have for itself, by the name that `event.exception` keeps. */
const EXCEPTION_FIELDS: Readonly<Record<string, OwnPart>> = {
  title: column('title'),
  description: column('description'),
  excerpt: column('excerpt'),
  slug: column('slug'),
  dates: {
    fields: ['start_date', 'end_date', 'timezone', 'all_day'],
    columns: ['start_local', 'end_local', 'start_utc', 'end_utc', 'timezone', 'all_day'],
  },
  image: { fields: ['image'], columns: ['image_id', 'image_recorded'] },
  cost: { fields: ['cost'], columns: ['cost', 'cost_symbol', 'cost_position'] },
  website: column('website'),
  show_map: column('show_map'),
  show_map_link: column('show_map_link'),
  hide_from_listings: column('hide_from_listings'),
  sticky: column('sticky'),
  featured: column('featured'),
  tickets: column('tickets'),
  event_status: { fields: ['event_status'], columns: ['event_status'], along: ['previous_start'] },
  event_status_reason: column('event_status_reason'),
  is_virtual: column('is_virtual'),
  virtual_url: column('virtual_url'),
  virtual_type: column('virtual_type'),
  custom_fields: column('custom_fields'),
  language: column('language'),
  // Members of another site, which only imports bring.
  extra: { fields: [], columns: ['extra'] },
  categories: { fields: ['categories'], columns: [], links: 'category' },
  tags: { fields: ['tags'], columns: [], links: 'tag' },
  venue: { fields: ['venue'], columns: [], links: 'venue' },
  organizer: { fields: ['organizer'], columns: [], links: 'organizer' },
}

function columnsOf(name: string): readonly (keyof EventTable)[] {
  const { columns = [], along = [] } = EXCEPTION_FIELDS[name] ?? {}
  return [...columns, ...along]
}

/** Fields that all dates of a series have in common. */
export const COMMON_FIELDS = ['recurrence', 'author', 'date', 'date_utc', 'status', 'password', 'post_parent'] as const

function differs(part: OwnPart, one: EventState, other: EventState): boolean {
  if (part.columns.some((name) => one.row[name] !== other.row[name])) return true
  return part.links !== undefined && !isDeepStrictEqual(one.links[part.links], other.links[part.links])
}

/** What a date has for itself when it comes whole from elsewhere: everything in which it differs from the series. */
export function differingParts(own: EventState, usual: EventState): string[] {
  return Object.entries(EXCEPTION_FIELDS).flatMap(([name, part]) => (differs(part, own, usual) ? [name] : []))
}

/** The values of what a date has for itself: of its columns, and what it is linked to. */
export function ownValues({ row, links }: EventState, names: readonly string[]): readonly unknown[] {
  return names.map((name) => {
    const part = EXCEPTION_FIELDS[name]
    return [columnsOf(name).map((one) => row[one]), part?.links === undefined ? [] : links[part.links]]
  })
}

/** What a date has for itself after a write: what was sent and differs from the series, and what it had before. */
export function ownFields(
  values: Readonly<Record<string, unknown>>,
  { had, own, usual }: { readonly had: readonly string[]; readonly own: EventState; readonly usual: EventState },
): string[] {
  return Object.entries(EXCEPTION_FIELDS).flatMap(([name, part]) => {
    const isSent = part.fields.some((field) => values[field] !== undefined)
    const isOwn = isSent ? differs(part, own, usual) : had.includes(name)
    return isOwn ? [name] : []
  })
}

/** A date as the series has it, with what it has for itself. */
export function withOwn(usual: EventState, own: EventState, names: readonly string[]): EventState {
  let { row, links } = usual
  for (const name of names) {
    const part = EXCEPTION_FIELDS[name]
    row = { ...row, ...Object.fromEntries(columnsOf(name).map((one) => [one, own.row[one]])) }
    if (part?.links !== undefined) links = { ...links, [part.links]: own.links[part.links] }
  }
  return { row, links }
}
