import { utcFromMillis } from '../base/time/zones.ts'
import { eventFileAddress, feedAddress } from '../exchange/index.ts'
import { colourOf, imageOf, titleOf } from './cards.ts'
import { hybridOrOnline, inOwnLanguage, isOff, offAlert, offWord, prose, statusBanner, statusNote } from './content.ts'
import { dayIn } from './dates.ts'
import { eventFacts } from './event-facts.ts'
import { html, type Markup, NOTHING, when } from './html.ts'
import { mapButton } from './place-map.ts'
import type { ShownEvent } from './shown-event.ts'
import { subscribeMenu } from './subscribe.ts'
import { wholeImage } from './whole-image.ts'

/** The page of an event whose content the reader sees: where it is in the calendar, name, image, facts, text and map. */
export async function eventBody(shown: ShownEvent, more: Markup): Promise<Markup> {
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
