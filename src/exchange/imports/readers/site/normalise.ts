import { isZone, toUtc } from '../../../../base/time/zones.ts'
import type { Skipped } from '../../types.ts'
import { objectsIn, type Raw } from './raw.ts'

/** An event as it can be imported, and what had to be done for it. */
export interface NormalisedEvent {
  readonly item: Raw
  readonly notes: readonly Skipped[]
}

/** What is known of the site. */
export interface SiteFacts {
  readonly zone: string | undefined
}

const CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/**
 * An event with what sites are known to get wrong put right: unpublished ones have their dates in the zone of the site
 * alone; a zone that nobody knows is that of the site. Each change that loses something is noted.
 */
export function normaliseEvent(event: Raw, { zone }: SiteFacts): NormalisedEvent {
  const notes: string[] = []
  const { json_ld: _made, _links, has_password: _told, ...item }: Record<string, unknown> = { ...event }
  for (const name of ['date', 'modified']) normaliseMoment(item, name, zone)
  const { timezone } = item
  if (typeof timezone === 'string' && timezone.trim() !== '' && !isZone(timezone)) {
    item['timezone'] = zone ?? 'UTC'
    notes.push(`its time zone ${timezone.slice(0, 60)} is unknown: it got that of the site`)
  }
  if (item['title'] === '') notes.push('it has no title')
  const { start_date: start, end_date: end } = item
  if (isClock(start) && isClock(end)) {
    if (end < start) {
      Object.assign(item, { end_date: start, utc_end_date: item['utc_start_date'] })
      notes.push(`its end ${end} was before its start: it ends when it starts`)
    }
    if (item['utc_start_date'] === null || item['utc_end_date'] === null)
      notes.push('its dates in UTC were missing: they follow from its time zone')
  }
  for (const name of ['categories', 'tags', 'venue', 'organizer'])
    if (item[name] === null) notes.push(`its list of ${name} was missing`)
  if (typeof item['id'] === 'string') notes.push('its id was a text')
  return { item, notes: notes.map((why) => ({ what: nameOf('event', item), why, isNote: true })) }
}

/** A venue or organizer, put right. */
export function normaliseLinked(linked: Raw, { zone }: SiteFacts): Raw {
  const { json_ld: _made, _links, ...item }: Record<string, unknown> = { ...linked }
  for (const name of ['date', 'modified']) normaliseMoment(item, name, zone)
  return item
}

/** Fills a moment in UTC that is missing from the one on the clock of the site. */
function normaliseMoment(item: Record<string, unknown>, name: string, zone: string | undefined): void {
  const utc = item[`${name}_utc`]
  const local = item[name]
  const hasUtc = isClock(utc) && !utc.startsWith('0000')
  if (!hasUtc && zone !== undefined && isZone(zone) && isClock(local) && !local.startsWith('0000'))
    item[`${name}_utc`] = toUtc(local, zone)
}

function isClock(value: unknown): value is string {
  return typeof value === 'string' && CLOCK.test(value)
}

/** How reports name an item: `event 123 "Title"`. */
export function nameOf(kind: string, item: Raw): string {
  const name = [item['title'], item[kind], item['name']].find((one) => typeof one === 'string' && one !== '')
  return `${kind} ${String(item['id'])}${name === undefined ? '' : ` ${JSON.stringify(String(name).slice(0, 80))}`}`
}

/** Whether a password hid the content of an event: lists answer null then. */
export function isRedacted(event: Raw): boolean {
  return event['all_day'] === null
}

/** What shows whether an item has changed: without counts, and with no more of what it embeds than its ID. */
export function essenceOf(item: Raw): string {
  return JSON.stringify(item, (name, value: unknown) => {
    if (name === 'count') return undefined
    if (name === 'venue' || name === 'organizer')
      return typeof value === 'object' ? objectsIn(value).map(({ id }) => id) : value
    return value
  })
}
