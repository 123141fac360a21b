import { plainText } from '../../../../base/text/html.ts'
import { percentDecoded } from '../../../../base/text/slug.ts'
import { writeClock } from '../../../../base/time/clock.ts'
import { PLAIN_PROPERTIES } from '../../../../model/event-parts.ts'
import { webAddress } from '../../../../model/kinds/address.ts'
import type { SourceColumns } from '../json/read-event.ts'
import { emailIn, LONGEST_HTML, LONGEST_LINE, languageTag, lineIn, storedValue } from '../stored-value.ts'
import type { Component, Note } from './components.ts'
import type { Property } from './content-lines.ts'
import { descriptionOf } from './description.ts'
import { isImage, keptLines, PRIVACY } from './kept-lines.ts'
import { type NamedPlace, readAttendance } from './places.ts'
import { addressIn, listOf, plainValue, propertiesOf, propertyOf, textOf, timeOf } from './values.ts'

/** Who organizes an event; the email address is '' where none is named. */
export interface NamedOrganizer {
  readonly name: string
  readonly email: string
}

/** What an event says beside when it takes place. Texts are '' and lists `[]` where it says nothing. */
export interface EventContent extends NamedPlace {
  /** Plain text. */
  readonly title: string
  /** Clean HTML. */
  readonly description: string
  /** `CONFIRMED`, `TENTATIVE`, `CANCELLED` or ''. */
  readonly state: string
  readonly isPrivate: boolean
  readonly comment: string
  /** Names. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** Further places; absent for none. */
  readonly otherPlaces?: readonly NamedPlace[]
  readonly organizers: readonly NamedOrganizer[]
  /** Addresses (http, https). */
  readonly url: string
  readonly image: string
  readonly conference: string
  /** Whether it takes place online even if no address says where; absent if only the address tells. */
  readonly isOnline?: boolean
  /** Language tag. */
  readonly language: string
  /** UTC text. */
  readonly created: string | undefined
  readonly modified: string | undefined
  /** Plain columns that have a property of their own; absent in tables. */
  readonly plain?: Partial<SourceColumns>
  /** Properties that have no place of ours, as they were written; bounded. */
  readonly kept: readonly string[]
}

/** Reads what an event says; `calendar` is the one that it is in. */
export function readContent(
  event: Component,
  { calendar, note }: { readonly calendar: Component | undefined; readonly note: Note },
): EventContent {
  noteFurther(event, note)
  const image = imageOf(event)
  const host = propertyOf(event, 'ORGANIZER')
  const organizer = organizerOf(host)
  if (host !== undefined && organizer === undefined && host.value.trim() !== '') note(host, 'import.note.unread')
  const state = stateOf(event, note)
  const description = descriptionOf(event)
  const attendance = readAttendance(event, description, note)
  return {
    title: lineIn(textOf(event, 'SUMMARY')),
    description,
    state,
    isPrivate: isPrivateIn(event, calendar),
    comment: textOf(event, 'COMMENT').replace(/\s+/g, ' ').slice(0, 2000),
    categories: namesOf(event, 'CATEGORIES', note),
    tags: namesOf(event, 'X-TAGS', note),
    ...attendance,
    organizers: [organizer ?? contactOf(event)].filter((one) => one !== undefined),
    url: urlOf(event, note),
    image,
    language: languageOf(event),
    created: momentOf(propertyOf(event, 'CREATED'), note),
    modified: momentOf(propertyOf(event, 'LAST-MODIFIED'), note),
    plain: plainOf(event),
    kept: keptLines(
      event,
      {
        ...{ image, conference: attendance.conference },
        isOnlyNamed: attendance.isOnline && attendance.conference === '' && attendance.location === '',
        isCancelled: state === 'CANCELLED',
        isContact: organizer === undefined,
      },
      note,
    ),
  }
}

/** Properties of which an event has one. */
const SINGLE = new Set([
  'SUMMARY',
  'DESCRIPTION',
  'LOCATION',
  'GEO',
  'URL',
  'ORGANIZER',
  'STATUS',
  'DTSTART',
  'DTEND',
  'DURATION',
])

/** Characters of a text that are stored. */
const LONGEST: Readonly<Record<string, number>> = {
  SUMMARY: LONGEST_LINE,
  LOCATION: LONGEST_LINE,
  CONTACT: LONGEST_LINE,
  DESCRIPTION: LONGEST_HTML,
}

/** Notes what a property says when it is repeated, as the first one counts, and texts that are cut. */
function noteFurther(event: Component, note: Note): void {
  for (const property of event.properties) {
    const first = SINGLE.has(property.name) ? propertyOf(event, property.name) : property
    if (first !== property && first?.value !== property.value) note(property, 'import.note.repeated')
    const most = LONGEST[property.name]
    if (most !== undefined && plainValue(property.value).length > most)
      note(property, 'import.note.tooLong', { value: property.value.slice(0, 100) })
  }
}

/** Whether an event or its calendar is marked as private. */
export function isPrivateIn(event: Component, calendar: Component | undefined): boolean {
  return isMarkedPrivate(event) || (calendar !== undefined && isMarkedPrivate(calendar))
}

/** Whether anything marks an event or a calendar as private; an unknown class counts as private (RFC 5545 section 3.8.1.3). */
function isMarkedPrivate({ properties }: Component): boolean {
  return properties.some(
    ({ name, value }) =>
      (name === 'CLASS' && !/^(?:PUBLIC)?$/i.test(value.trim())) ||
      (PRIVACY.test(name) && !/^(?:PUBLIC|NORMAL|DEFAULT|NONE|FALSE|NO|0)?$/i.test(value.trim())),
  )
}

function stateOf(event: Component, note: Note): string {
  const property = propertyOf(event, 'STATUS')
  const word = property?.value.trim().toUpperCase() ?? ''
  if (property !== undefined && !/^(?:CONFIRMED|TENTATIVE|CANCELL?ED)?$/.test(word))
    note(property, 'import.note.unread')
  return word === 'CANCELED' ? 'CANCELLED' : word
}

/** The address of a page; a missing scheme is added. */
function urlOf(event: Component, note: Note): string {
  const property = propertyOf(event, 'URL')
  const text = plainValue(property?.value ?? '').replace(/^[<"'](.*)[>"']$/, '$1')
  const url = webAddress(text)
  if (property !== undefined && url === undefined && text !== '') note(property, 'import.note.unread')
  return url ?? ''
}

function plainOf(event: Component): Partial<SourceColumns> {
  const values = PLAIN_PROPERTIES.map(({ name, column, property }) => [
    name,
    storedValue(column, textOf(event, property)),
  ])
  return Object.fromEntries(values)
}

function languageOf(event: Component): string {
  return languageTag((propertyOf(event, 'SUMMARY')?.parameters.get('LANGUAGE') ?? '').trim())
}

/** Names, and characters of a name. */
const MOST_NAMES = { count: 50, length: 200 } as const

function namesOf(event: Component, name: string, note: Note): string[] {
  const found = new Set<string>()
  for (const property of propertiesOf(event, name))
    for (const text of listOf(property.value).map(lineIn)) {
      const one = text.slice(0, MOST_NAMES.length)
      if (found.size < MOST_NAMES.count && one !== '') found.add(one)
      if (text !== '' && !found.has(text)) note(property, 'import.note.tooLong', { value: text.slice(0, 100) })
    }
  return [...found]
}

/** A name as it is meant: programs escape commas in it, put apostrophes around it, or write it as in an address. */
function commonName(written: string): string {
  const name = plainValue(written)
    .replace(/\s+/g, ' ')
    .replace(/^'(.*)'$/, '$1')
  return /%[\dA-F]{2}/i.test(name) && !name.includes(' ') ? percentDecoded(name) : name
}

function organizerOf(property: Property | undefined): NamedOrganizer | undefined {
  if (property === undefined) return undefined
  const address = /^mailto:([^?]+)/i.exec(property.value.trim())?.[1] ?? ''
  const email = plainText(percentDecoded(address)).slice(0, 200)
  const name = lineIn(commonName(property.parameters.get('CN') ?? '')) || email
  return name === '' ? undefined : { name, email: emailIn(email) }
}

/** Who is to be asked is the organizer where no other is named: the exporter writes one without email address like that. */
function contactOf(event: Component): NamedOrganizer | undefined {
  const name = lineIn(textOf(event, 'CONTACT'))
  return name === '' ? undefined : { name, email: '' }
}

function imageOf(event: Component): string {
  const images = [...propertiesOf(event, 'IMAGE'), ...propertiesOf(event, 'ATTACH').filter(isImage)]
  return images.map(({ value }) => addressIn(value)).find((one) => one !== '') ?? ''
}

function momentOf(property: Property | undefined, note: Note): string | undefined {
  const time = property && timeOf(property)
  if (property !== undefined && time === undefined && property.value.trim() !== '') note(property, 'import.note.unread')
  return time === undefined || time.tzid !== undefined ? undefined : writeClock(time.stamp.seconds)
}
