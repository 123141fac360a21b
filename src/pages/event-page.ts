import { Failure } from '../base/errors.ts'
import { millisFromUtc, utcFromMillis } from '../base/time/zones.ts'
import {
  type EventRow,
  type EventWithRelations,
  eventsByIds,
  findEvent,
  isOpen,
  PASSWORD_FIELD,
  partsOf,
  presentEvents,
} from '../calendar/events/index.ts'
import { eventFileAddress, feedAddress } from '../exchange/index.ts'
import { queryText } from '../http/address.ts'
import { mayRead } from '../http/auth/rights.ts'
import { type PageResponse, PRIVATE_PAGE } from '../http/html-page.ts'
import { readFields } from '../http/params.ts'
import type { Selector } from '../http/resource.ts'
import type { Incoming } from '../http/route.ts'
import { subscribeMenu } from './calendar-links.ts'
import { addressOf, colourOf, imageOf, placeText, titleOf, wholeImage } from './cards.ts'
import {
  hybridOrOnline,
  inOwnLanguage,
  isOff,
  offAlert,
  offWord,
  prose,
  statusBanner,
  statusNote,
  summaryOf,
} from './content.ts'
import { dayEnd, dayIn, whenText } from './dates.ts'
import type { PagesDeps } from './deps.ts'
import { eventFacts } from './event-facts.ts'
import { html, type Markup, NOTHING, when } from './html.ts'
import { layOut } from './layout.ts'
import { notFoundPage } from './not-found.ts'
import { contextOf, type PageContext, storedForm } from './page-context.ts'
import { closedBody, type PasswordFault } from './password-form.ts'
import { MAP_SCRIPTS, mapButton } from './place-map.ts'
import { NO_MORE, related } from './related.ts'
import type { ShownEvent } from './shown-event.ts'

/** The page of an event; 404 for those who may not read it. */
export async function eventPage(deps: PagesDeps, incoming: Incoming, selector: Selector): Promise<PageResponse> {
  const shown = await shownAt(deps, incoming, selector)
  return shown === undefined ? notFoundPage(deps, incoming) : showEvent(shown)
}

/** The page of an event that was asked for by its ID: once it is published, its address is sent instead. */
export async function numberedPage(deps: PagesDeps, incoming: Incoming, selector: Selector): Promise<PageResponse> {
  const shown = await shownAt(deps, incoming, selector)
  if (shown === undefined) return notFoundPage(deps, incoming)
  if (shown.row.status !== 'publish') return showEvent(shown)
  const location = shown.context.link(pathOf(shown.event, shown.context))
  return { status: 302, body: '', headers: { location, 'cache-control': 'no-cache' } }
}

/**
 * The page of an event for someone who has sent a password with its form: the event where that is the right one, otherwise
 * the form again. It is sent this once, and nothing is stored that would open the event again. An event that needs no
 * password is at its address. @throws rest_too_many_requests, rest_too_busy
 */
export async function openedPage(deps: PagesDeps, incoming: Incoming, selector: Selector): Promise<PageResponse> {
  const shown = await shownAt(deps, incoming, selector)
  if (shown === undefined) return notFoundPage(deps, incoming)
  const { context, event } = shown
  if (shown.isOpened) return { status: 303, body: '', headers: { location: context.link(pathOf(event, context)) } }
  const sent = incoming.body[PASSWORD_FIELD.name]
  if (sent === undefined || sent === '') return showEvent(shown, 'empty')
  const opened = await openWith(shown)
  return opened === undefined ? showEvent(shown, 'wrong') : showEvent({ ...shown, event: opened, isOpened: true })
}

/** The event with all its content; undefined where the password that was sent is another one. */
async function openWith({ deps, incoming, row }: FoundEvent): Promise<EventWithRelations | undefined> {
  const { body: sent, context } = incoming
  const { password } = readFields([PASSWORD_FIELD], { sent, context, fillsDefaults: false }).values
  if (typeof password !== 'string') return undefined
  try {
    const { event } = await deps.queries(() => ({})).read({ ...incoming, sent: {}, values: { password } }, row)
    return event
  } catch (error) {
    if (error instanceof Failure && error.code === 'event-password-protected') return undefined
    throw error
  }
}

/** An event with its row as it is stored. */
interface FoundEvent extends ShownEvent {
  readonly row: EventRow
}

/** An event as a caller sees it who has sent no password; undefined for those who may not read it. */
async function shownAt(deps: PagesDeps, incoming: Incoming, selector: Selector): Promise<FoundEvent | undefined> {
  const { caller, urls } = incoming
  const row = await findEvent(deps.reader, storedForm(selector))
  if (row === undefined || !mayRead(caller, { authorId: row.author_id, status: row.status })) return undefined
  const isOpened = isOpen(row, { caller, urls, site: deps.site }, new Set())
  const [event] = await deps.queries(() => ({})).seen(incoming, [row.id])
  return event && { row, event, context: contextOf(incoming), deps, incoming, isOpened }
}

async function showEvent(shown: FoundEvent, fault?: PasswordFault): Promise<PageResponse> {
  const { row, event, context, deps, incoming, isOpened } = shown
  const isPublic = row.status === 'publish' && row.password_hash === null
  const more = isPublic ? await related(shown) : NO_MORE
  const image = imageOf(event.row, event.picture, context)
  const used = [...event.dependencies, { of: 'category' as const }, { of: 'tag' as const }, ...more.dependencies]
  return layOut({
    ...(fault !== undefined && { status: fault === 'empty' ? 400 : 403 }),
    title: isOff(event.row)
      ? `${offWord(event.row, context.say)}: ${titleOf(event, context)}`
      : titleOf(event, context),
    deps,
    context,
    body: isOpened
      ? await eventBody(shown, more.markup)
      : closedBody(shown, { row, path: pathOf(event, context), fault }),
    path: pathOf(event, context),
    data: isPublic ? await dataOf(deps, incoming, row.id) : context.urls.api(`/events/${row.id}`),
    ...(isPublic && {
      alternates: [
        { type: 'text/calendar', title: titleOf(event, context), href: eventFileAddress(context.urls, row.id) },
      ],
    }),
    summary: aboutEvent(shown),
    kind: 'article',
    ...(isPublic && incoming.query['embed'] === '1' && { isEmbedded: true }),
    scripts: ['event.ts', ...MAP_SCRIPTS],
    ...(image !== undefined && { image: image.files[0].url }),
    jsonLd: isOpened ? await jsonLdOf(shown, row) : undefined,
    ...(isPublic ? { freshness: { dependencies: used, until: untilOf(row, shown) } } : { headers: PRIVATE_PAGE }),
  })
}

/** What search engines and other sites say of the event: the beginning of its text, or else when and where it is. */
function aboutEvent({ event, context, isOpened }: FoundEvent): string {
  const facts = isOpened ? [whenText(context, event.row), placeText(event, context)] : []
  return summaryOf(event.row) || facts.filter((one) => one !== '').join(' · ')
}

/** The path of an event's page, without the segment of a language. */
function pathOf({ row }: EventWithRelations, { urls }: PageContext): string {
  return addressOf({ row }, { urls, to: (address: string) => address } as PageContext).slice(urls.page('').length)
}

/** The page reports whether the event is over, and what comes next beside it. */
function untilOf(row: EventRow, { incoming, deps }: ShownEvent): number {
  const end = millisFromUtc(row.end_utc)
  const day = dayEnd(deps.site.zone, incoming.now)
  return end > incoming.now ? Math.min(end, day) : day
}

async function jsonLdOf({ deps: { reader, lookups, site }, incoming }: ShownEvent, row: EventRow): Promise<unknown> {
  const viewer = { caller: incoming.caller, urls: incoming.urls, site }
  const showing = { viewer, withJsonLd: true, opened: new Set<number>() }
  const [shown] = await presentEvents(reader, lookups, { rows: await eventsByIds(reader, [row.id]), showing })
  return shown?.['json_ld']
}

/** Address of what the page shows: the event, with its parts where it has some (wire: rest 7). */
async function dataOf({ reader, site }: PagesDeps, { urls }: Incoming, id: number): Promise<string> {
  const below = await partsOf(reader, id, site.perPageMax)
  if (below.length === 0) return urls.api(`/events/${id}`)
  return `${urls.api('/events/')}?${queryText([['include', [id, ...below].join(',')]])}`
}

/** The page of an event whose content the reader sees: where it is in the calendar, name, image, facts, text and map. */
async function eventBody(shown: ShownEvent, more: Markup): Promise<Markup> {
  const { event, context } = shown
  const { row } = event
  const isOver = row.end_utc < utcFromMillis(context.now)
  const banner = isOff(row) ? offAlert(row, context) : statusBanner(row, context)
  const text = html`${prose(row.description, row.language)}${mapOf(shown)}`
  return html`${await way(shown)}
<article class="event ${colourOf(event)}${isOff(row) ? ' gone' : ''}">
${statusNote(row.status, context)}${banner}${when(isOver, () => html`<p class="note over">${context.say('pages.isOver')}</p>\n`)}
${heading(shown)}
<div class="ev">
${wholeImage(imageOf(row, event.picture, context), context, '(max-width: 68rem) 100vw, 52rem')}<div class="side">${await eventFacts(shown)}</div>
${when(text.markup !== '', () => html`<div class="text">${when(row.description !== '', () => html`<h2 class="vh">${context.say('fields.description')}</h2>`)}${text}</div>`)}
</div>
</article>
${more}`
}

/** The way from the start page to an event, and beside it the way to subscribe to it or its series. */
async function way({ event: { row, categories }, context, deps: { lookups, reader } }: ShownEvent): Promise<Markup> {
  const { say, language } = context
  const [category] = categories
  const [shown] = category === undefined ? [] : await lookups.category.shownOf(reader, [category], context.urls)
  const day = row.start_local.slice(0, 10)
  const steps = [
    [context.link('/'), say('pages.whatsOn')],
    ...(category === undefined || shown === undefined ? [] : [[context.to(shown.url), category.name]]),
    [context.link(`/events/${day}/`), dayIn(language, 'long', day)],
  ]
  const series = row.occasion?.series
  const file =
    series === undefined
      ? eventFileAddress(context.urls, row.id)
      : feedAddress(context.urls, [['series', String(series.id)]])
  const isPublic = row.status === 'publish' && row.password_hash === null
  const name = (series ?? row).title.trim() || say('common.untitledEvent')
  return html`<div class="way"><nav class="crumb" aria-label="${say('pages.breadcrumb')}"><ol>${steps.map(([href = '', text = '']) => html`<li><a href="${href}">${text}</a></li>`)}</ol></nav>${when(isPublic, () => subscribeMenu(context, { file, name }))}</div>`
}

/** The day, the category and the name of an event. */
function heading({ event, context }: ShownEvent): Markup {
  const { row } = event
  const { say, language } = context
  const day = row.start_local.slice(0, 10)
  const title = titleOf(event, context)
  const [category] = event.categories
  const online = hybridOrOnline(row, context)
  const word = isOff(row) ? offWord(row, say) : ''
  const labels = [
    when(category !== undefined, () => html`<span class="cat">${category?.name ?? ''}</span>`),
    when(online !== '', () => html`<span class="badge">${online}</span>`),
    when(word !== '', () => html`<span class="badge stop" aria-hidden="true">${word}</span>`),
  ]
  return html`<header class="duo"><p class="dblock" aria-hidden="true"><span>${dayIn(language, 'shortMonth', day)}</span><b>${Number(day.slice(8))}</b><span>${dayIn(language, 'shortWeekday', day)}</span></p>
<div><p class="meta">${labels}</p>
<h1${sizeOf(title)}>${when(word !== '', () => html`<span class="vh">${word}: </span>`)}${inOwnLanguage(title, row.language)}</h1></div></header>`
}

/** Lengths of titles from which on they are smaller, so that they take four lines at most. */
const [LONG, VERY_LONG] = [48, 90]

function sizeOf(title: string): Markup {
  if (title.length <= LONG) return NOTHING
  return html` class="${title.length <= VERY_LONG ? 'long' : 'longest'}"`
}

/** The map of the venues, where one of them says where it is and none is to be without. */
function mapOf({ event: { venues }, context, deps }: ShownEvent): Markup {
  const isPlaced = venues.some(({ geo_lat, geo_lng }) => geo_lat !== null && geo_lng !== null)
  const map = isPlaced && venues.every(({ show_map }) => show_map === 1) ? mapButton(deps, context) : NOTHING
  return when(map.markup !== '', () => html`<h2>${context.say('pages.where')}</h2>\n${map}`)
}
