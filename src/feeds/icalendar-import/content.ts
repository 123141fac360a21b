import { isHttpUrl } from '../../fields/address.ts'
import { language } from '../../fields/language.ts'
import { escapeHtml } from '../../text/entities.ts'
import { cleanHtml } from '../../text/html.ts'
import { linesOfHtml } from '../../text/lines.ts'
import { plainText } from '../../text/plain.ts'
import { percentDecoded } from '../../text/slug.ts'
import { writeClock } from '../../time/clock.ts'
import type { VenueContent } from '../../venues/index.ts'
import { isHtmlInText, isPlainHtml } from '../icalendar/description.ts'
import type { Component } from './components.ts'
import type { Property } from './content-lines.ts'
import { listOf, plainValue, propertiesOf, propertyOf, textOf, timeOf } from './values.ts'

/** Who organizes an event; the mail address is '' where none is named. */
export interface NamedOrganizer {
  readonly name: string
  readonly email: string
  /** Whether another name with the same mail address is somebody else, as in tables; absent where the address tells. */
  readonly isByName?: true
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
  /** Properties that have no place of ours, as they were written; bounded. */
  readonly kept: readonly string[]
}

/** Reads what an event says. */
export function readContent(event: Component): EventContent {
  const location = plainText(textOf(event, 'LOCATION').replace(/\s+/g, ' ')).slice(0, 1000)
  const conference = conferenceOf(event, location)
  const geo = textOf(event, 'GEO').split(/[;,]/, 2).map(Number)
  const [lat = Number.NaN, lng = Number.NaN] = geo
  return {
    title: plainText(escapeHtml(textOf(event, 'SUMMARY').replace(/\s+/g, ' '))).slice(0, 1000),
    description: descriptionOf(event),
    state: textOf(event, 'STATUS').toUpperCase(),
    isPrivate: /^(?:PRIVATE|CONFIDENTIAL)$/i.test(textOf(event, 'CLASS')),
    comment: textOf(event, 'COMMENT').replace(/\s+/g, ' ').slice(0, 2000),
    categories: namesOf(event, 'CATEGORIES'),
    tags: namesOf(event, 'X-TAGS'),
    location: conference === location ? '' : location,
    point: Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { lat, lng } : undefined,
    organizers: organizersOf(event),
    url: addressIn(textOf(event, 'URL')),
    image: imageOf(event),
    conference,
    language: languageOf(event),
    created: momentOf(propertyOf(event, 'CREATED')),
    modified: momentOf(propertyOf(event, 'LAST-MODIFIED')),
    kept: keptLines(event),
  }
}

function languageOf(event: Component): string {
  const tag = propertyOf(event, 'SUMMARY')?.parameters.get('LANGUAGE') ?? ''
  const read = language.parse(tag.trim(), { now: 0, siteZone: 'UTC' })
  return read.ok ? read.value : ''
}

/** Most of what is kept of one event. */
const MOST_KEPT = { lines: 50, characters: 10_000 } as const

/**
 * What is given back as it was written. Not kept are what the exporter writes itself, who was invited, which is nobody
 * else's business, and what is specific to one program's copy of the event.
 */
const KEPT =
  /^(?:PRIORITY|RESOURCES|CONTACT|RELATED-TO|COLOR|GEO|X-APPLE-STRUCTURED-LOCATION|ATTACH|SOURCE|REFID|CONCEPT|LINK)$/

function keptLines(event: Component): string[] {
  const lines: string[] = []
  let size = 0
  const conferences = keptConferences(event)
  for (const property of event.properties) {
    if (!isKept(property) && !conferences.includes(property)) continue
    if (property.name === 'CONTACT' && propertyOf(event, 'ORGANIZER') === undefined) continue
    const parameters = [...property.parameters].map(([name, value]) => `;${name}=${parameterOf(name, value)}`)
    const text = `${property.name}${parameters.join('')}:${property.value}`
    size += text.length
    if (lines.length === MOST_KEPT.lines || size > MOST_KEPT.characters) break
    lines.push(text)
  }
  return lines
}

/**
 * All ways to take part, in their order, unless they are the one address that has a place here; the exporter writes that
 * one as it is kept.
 */
function keptConferences(event: Component): readonly Property[] {
  const all = propertiesOf(event, 'CONFERENCE')
  const isPlain = ({ value, parameters }: Property): boolean =>
    addressIn(value) !== '' && [...parameters.keys()].every((name) => name === 'VALUE')
  return all.length === 1 && all.every(isPlain) ? [] : all.filter(({ value }) => isUri(value.trim()))
}

/** Addresses of other kinds, such as telephone numbers, count. */
function isUri(value: string): boolean {
  return (
    value.length <= 2000 && /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && !/^(?:javascript|data|vbscript):/i.test(value)
  )
}

function isKept({ name, value, parameters }: Property): boolean {
  if (name === 'ATTACH') return isHttpUrl(value.trim()) && !isImage({ value, parameters })
  if (name === 'GEO') return false
  if (/^X-(?:TAGS|KALENDS-|ALT-DESC|WR-|MOZ-|LIC-|MICROSOFT-CDO|MS-OLK|GOOGLE-CONFERENCE)/.test(name)) return false
  return name.startsWith('X-') || KEPT.test(name)
}

/** FEATURE holds a list of words (RFC 7986 section 6.3). */
function parameterOf(name: string, value: string): string {
  return name === 'FEATURE' && /^[\w-]+(?:,[\w-]+)*$/.test(value) ? value : quoted(value)
}

function quoted(value: string): string {
  const written = value.replaceAll('^', '^^').replaceAll('\n', '^n').replaceAll('"', "^'")
  return /[:;,]/.test(written) ? `"${written}"` : written
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

function organizersOf(event: Component): NamedOrganizer[] {
  const organizer = organizerOf(propertyOf(event, 'ORGANIZER')) ?? contactOf(event)
  return organizer === undefined ? [] : [organizer]
}

function organizerOf(property: Property | undefined): NamedOrganizer | undefined {
  if (property === undefined) return undefined
  const address = /^mailto:([^?]+)/i.exec(property.value.trim())?.[1] ?? ''
  const email = plainText(percentDecoded(address)).slice(0, 200)
  const name = plainText(escapeHtml(property.parameters.get('CN') ?? '')).slice(0, 1000) || email
  return name === '' ? undefined : { name, email: /^[^@\s<>]+@[^@\s<>]+$/.test(email) ? email : '' }
}

/** Who is to be asked is the organizer where no other is named: the exporter writes one without mail address like that. */
function contactOf(event: Component): NamedOrganizer | undefined {
  const name = plainText(escapeHtml(textOf(event, 'CONTACT').replace(/\s+/g, ' '))).slice(0, 1000)
  return name === '' ? undefined : { name, email: '' }
}

/** A web address; '' for anything else. */
function addressIn(text: string): string {
  const address = text.trim()
  return address.length <= 2000 && isHttpUrl(address) ? address : ''
}

function imageOf(event: Component): string {
  const images = [...propertiesOf(event, 'IMAGE'), ...propertiesOf(event, 'ATTACH').filter(isImage)]
  return images.map(({ value }) => addressIn(value)).find((one) => one !== '') ?? ''
}

function isImage({ value, parameters }: Pick<Property, 'value' | 'parameters'>): boolean {
  const type = parameters.get('FMTTYPE') ?? ''
  return /^image\//i.test(type) || (type === '' && /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(value.trim()))
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
