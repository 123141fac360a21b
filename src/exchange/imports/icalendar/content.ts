import { escapeHtml } from '../../../base/text/entities.ts'
import { cleanHtml, plainText } from '../../../base/text/html.ts'
import { linesOfHtml } from '../../../base/text/lines.ts'
import { percentDecoded } from '../../../base/text/slug.ts'
import { writeClock } from '../../../base/time/clock.ts'
import type { VenueContent } from '../../../calendar/venues/index.ts'
import { PLAIN_PROPERTIES } from '../../../model/event-parts.ts'
import { language } from '../../../model/kinds/language.ts'
import { isHtmlInText, isPlainHtml } from '../../icalendar/description.ts'
import type { SourceColumns } from '../json/read-event.ts'
import { storedValue } from '../stored-value.ts'
import type { Component } from './components.ts'
import type { Property } from './content-lines.ts'
import { addressIn, isImage, keptLines } from './kept-lines.ts'
import { listOf, plainValue, propertiesOf, propertyOf, textOf, timeOf } from './values.ts'

/** Who organizes an event; the email address is '' where none is named. */
export interface NamedOrganizer {
  readonly name: string
  readonly email: string
}

/** Where an event takes place. */
export interface NamedPlace {
  /** Name and address; '' for no place. */
  readonly location: string
  readonly point: { readonly lat: number; readonly lng: number } | undefined
  /** What a table says of the place, column by column; absent where `location` says all. */
  readonly place?: Partial<VenueContent>
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

/** Reads what an event says. */
export function readContent(event: Component): EventContent {
  const image = imageOf(event)
  const organizer = organizerOf(propertyOf(event, 'ORGANIZER'))
  const state = textOf(event, 'STATUS').toUpperCase()
  const location = plainText(textOf(event, 'LOCATION').replace(/\s+/g, ' ')).slice(0, 1000)
  const conference = conferenceOf(event, location)
  const geo = textOf(event, 'GEO').split(/[;,]/, 2).map(Number)
  const [lat = Number.NaN, lng = Number.NaN] = geo
  return {
    title: plainText(escapeHtml(textOf(event, 'SUMMARY').replace(/\s+/g, ' '))).slice(0, 1000),
    description: descriptionOf(event),
    state,
    // What is not known counts as private (RFC 5545 section 3.8.1.3).
    isPrivate: !/^(?:PUBLIC)?$/i.test(textOf(event, 'CLASS')),
    comment: textOf(event, 'COMMENT').replace(/\s+/g, ' ').slice(0, 2000),
    categories: namesOf(event, 'CATEGORIES'),
    tags: namesOf(event, 'X-TAGS'),
    location: conference === location ? '' : location,
    point: Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { lat, lng } : undefined,
    organizers: [organizer ?? contactOf(event)].filter((one) => one !== undefined),
    url: addressIn(textOf(event, 'URL')),
    image,
    conference,
    language: languageOf(event),
    created: momentOf(propertyOf(event, 'CREATED')),
    modified: momentOf(propertyOf(event, 'LAST-MODIFIED')),
    plain: plainOf(event),
    kept: keptLines(event, { image, isCancelled: state === 'CANCELLED', isContact: organizer === undefined }),
  }
}

function plainOf(event: Component): Partial<SourceColumns> {
  const values = PLAIN_PROPERTIES.map(({ name, column, property }) => [
    name,
    storedValue(column, textOf(event, property)),
  ])
  return Object.fromEntries(values)
}

function languageOf(event: Component): string {
  const tag = propertyOf(event, 'SUMMARY')?.parameters.get('LANGUAGE') ?? ''
  const read = language.parse(tag.trim(), { now: 0, siteZone: 'UTC' })
  return read.ok ? read.value : ''
}

/**
 * The HTML that programs send beside the plain text, else the text; some write HTML as the text itself. What says no more
 * than a text is kept as its lines, so that it comes back from a file as it was.
 */
function descriptionOf(event: Component): string {
  const styled = propertiesOf(event, 'STYLED-DESCRIPTION').find((one) =>
    /html/i.test(one.parameters.get('FMTTYPE') ?? ''),
  )
  const html =
    styled ?? propertiesOf(event, 'X-ALT-DESC').find((one) => /html/i.test(one.parameters.get('FMTTYPE') ?? ''))
  const written = html === undefined ? textOf(event, 'DESCRIPTION') : plainValue(html.value)
  const text = written.slice(0, LONGEST_HTML)
  const clean = cleanHtml(html !== undefined || isHtmlInText(text) ? text : escapeHtml(text))
  if (!isPlainHtml(clean)) return clean
  const lines = linesOfHtml(clean)
  return lines === text ? clean : cleanHtml(escapeHtml(lines))
}

/** Characters of a description; what is longer is cut. */
const LONGEST_HTML = 500_000

function namesOf(event: Component, name: string): string[] {
  const names = propertiesOf(event, name).flatMap(({ value }) => listOf(value))
  const plain = names.map((one) => plainText(escapeHtml(one.replace(/\s+/g, ' '))).slice(0, 200))
  return [...new Set(plain.filter((one) => one !== ''))].slice(0, 50)
}

function organizerOf(property: Property | undefined): NamedOrganizer | undefined {
  if (property === undefined) return undefined
  const address = /^mailto:([^?]+)/i.exec(property.value.trim())?.[1] ?? ''
  const email = plainText(percentDecoded(address)).slice(0, 200)
  const name = plainText(escapeHtml(property.parameters.get('CN') ?? '')).slice(0, 1000) || email
  return name === '' ? undefined : { name, email: /^[^@\s<>]+@[^@\s<>]+$/.test(email) ? email : '' }
}

/** Who is to be asked is the organizer where no other is named: the exporter writes one without email address like that. */
function contactOf(event: Component): NamedOrganizer | undefined {
  const name = plainText(escapeHtml(textOf(event, 'CONTACT').replace(/\s+/g, ' '))).slice(0, 1000)
  return name === '' ? undefined : { name, email: '' }
}

function imageOf(event: Component): string {
  const images = [...propertiesOf(event, 'IMAGE'), ...propertiesOf(event, 'ATTACH').filter(isImage)]
  return images.map(({ value }) => addressIn(value)).find((one) => one !== '') ?? ''
}

/** Where people attend online: CONFERENCE, what Google writes, or a place that is only an address. */
function conferenceOf(event: Component, location: string): string {
  const named = [...propertiesOf(event, 'CONFERENCE'), ...propertiesOf(event, 'X-GOOGLE-CONFERENCE')]
  const address = named.map(({ value }) => addressIn(value)).find((one) => one !== '')
  return address ?? addressIn(location)
}

function momentOf(property: Property | undefined): string | undefined {
  const time = property && timeOf(property)
  return time === undefined || time.tzid !== undefined ? undefined : writeClock(time.stamp.seconds)
}
