import { cutAtWord } from '../base/text/html.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { type EventWithRelations, shortRecurrence } from '../calendar/events/index.ts'
import { addressOf, colourOf, costText, dateText, imageElement, imageOf, placeText, titleOf } from './cards.ts'
import { attendanceLabels, ownDirection, summaryOf } from './content.ts'
import { type DayText, dayIn, hoursText, machineTime, zoneOf } from './dates.ts'
import type { PagesDeps } from './deps.ts'
import { html, icon, type Markup, NOTHING, when } from './html.ts'
import type { PageContext } from './page-context.ts'

/** Dependencies of cards. */
export interface CardScene {
  readonly context: PageContext
  readonly site: PagesDeps['site']
  /** The day under whose heading the card stands; '' where it stands under none and shows its own. */
  readonly day: DayText
  /** Whether the page is that of the venue, so that no card repeats it; false if absent. */
  readonly isAtVenue?: boolean
  /** Whether a card stands for all dates of a repeating event; false if absent. */
  readonly isOnce?: boolean
  /** How far away an event is, in words; '' if unknown. */
  distance?(event: EventWithRelations): string
}

/** An event as a row of a list: its time, then title, place and price, then its image. */
export function eventCard(event: EventWithRelations, scene: CardScene): Markup {
  const { context, day, isAtVenue = false } = scene
  const { row, picture } = event
  const image = imageElement(imageOf(row, picture, context), { sizes: '(max-width: 48em) 6rem, 11rem' })
  const distance = scene.distance?.(event) ?? ''
  const place = [isAtVenue ? '' : placeText(event, context), distance].filter((part) => part !== '').join(' · ')
  const classes = [
    colourOf(event),
    row.end_utc < utcFromMillis(context.now) ? 'over' : '',
    row.event_status === 'canceled' || row.event_status === 'postponed' ? 'off' : '',
    image.markup === '' ? 'bare' : '',
  ].filter((name) => name !== '')
  return html`<li class="card ${classes.join(' ')}">
<p class="hours"><time datetime="${machineTime(row)}">${cardTime(event, scene)}</time>${when(day === '', () => html` <span class="zone">${row.all_day === 1 ? '' : zoneOf(row)}</span>`)}</p>
<div class="words">
<h3 class="title"><a href="${addressOf(event, context)}"${ownDirection(row.language)}>${titleOf(event, context)}</a></h3>
${when(place !== '', () => html`<p class="place"><bdi>${place}</bdi></p>\n`)}${excerpt(event)}<p class="labels">${labels(event, scene)}</p>
</div>
${when(image.markup !== '', () => html`<div class="picture">${image}</div>\n`)}</li>
`
}

/** The time of a card: what stands behind the first dash or dot is of less weight, and below where there is little room. */
function cardTime(event: EventWithRelations, { context, day }: CardScene): Markup {
  if (day === '') return html`${dateText(event, context)}`
  const [first = '', dash = '', rest = ''] = hoursText(context, event.row, day).split(/ ([–·]) (.*)/)
  return html`${first}${when(rest !== '', () => html` <span>${dash === '–' ? '– ' : ''}${rest}</span>`)}`
}

/** What becomes of an event, its category, its price, and how often it takes place. */
function labels(event: EventWithRelations, { context, site, isOnce = false }: CardScene): Markup {
  const { row, categories } = event
  const [category] = categories
  const cost = costText(event, { site, context })
  const rule = isOnce && row.occasion !== undefined ? shortRecurrence(row.occasion.series, context.language) : undefined
  const next =
    rule &&
    context.say('pages.nextDate', { rule, date: dayIn(context.language, 'short', row.start_local.slice(0, 10)) })
  return html`${attendanceLabels(row, context)}${category === undefined ? NOTHING : html`<span class="cat">${category.name}</span> `}${when(cost !== '', () => html`<b class="price">${cost}</b> `)}${when(next !== undefined, () => html`<b class="rep">${icon('repeat')} <span>${next ?? ''}</span></b>`)}`
}

/** Most characters of the line about an event. */
const EXCERPT = 140

/** A line about an event, cut at a word; nothing where it says nothing. */
function excerpt({ row }: EventWithRelations): Markup {
  const text = summaryOf(row)
  if (text === '') return NOTHING
  return html`<p class="excerpt"${ownDirection(row.language)}>${cutAtWord(text, EXCERPT)}</p>\n`
}

/** An event as a poster: day, title and place on its image. */
export function eventPoster(event: EventWithRelations, scene: Pick<CardScene, 'context' | 'site'>): Markup {
  const { context } = scene
  const { row, picture, categories } = event
  const image = imageElement(imageOf(row, picture, context), { sizes: '(max-width: 48em) 84vw, 40rem', isFirst: true })
  const place = placeText(event, context)
  const [category] = categories
  return html`<li class="poster ${colourOf(event)}${image.markup === '' ? ' bare' : ''}">
${image}${category === undefined ? NOTHING : html`<span class="badge">${category.name}</span>`}<div class="words">
<p class="hours"><time datetime="${machineTime(row)}">${dateText(event, context)}</time></p>
<h3 class="title"><a href="${addressOf(event, context)}"${ownDirection(row.language)}>${titleOf(event, context)}</a></h3>
${when(place !== '', () => html`<p class="place"><bdi>${place}</bdi></p>\n`)}</div>
</li>
`
}

/** Cards with their days. */
export interface Timeline extends Omit<CardScene, 'day'> {
  /** The day of the site. */
  readonly today: DayText
  /** The first day: what started before stands there. */
  readonly from?: DayText
  /** Address of a day. */
  dayAddress(day: DayText): string
}

/** Cards under headings of their days. */
export function timeline(events: readonly EventWithRelations[], scene: Timeline): Markup {
  const days = Map.groupBy(events, ({ row }) => {
    const day = row.start_local.slice(0, 10)
    return scene.from !== undefined && day < scene.from ? scene.from : day
  })
  return html`${[...days].map(
    ([day, group]) => html`<section class="day">
<h2>${dayHeading(day, scene)}</h2>
<ul class="cards">
${group.map((event) => eventCard(event, { ...scene, day }))}</ul>
</section>
`,
  )}`
}

/** A day in words, and large for the eye. */
function dayHeading(day: DayText, { context, today, dayAddress }: Timeline): Markup {
  const { language, say, now } = context
  const isThisYear = day.slice(0, 4) === utcFromMillis(now).slice(0, 4)
  const whole = dayIn(language, isThisYear ? 'long' : 'full', day)
  const isToday = day === today
  const month = dayIn(language, isThisYear ? 'monthAlone' : 'month', day)
  return html`<a href="${dayAddress(day)}">${when(isToday, () => html`<span class="now">${say('pages.today')}</span> `)}<time datetime="${day}">${whole}</time><span class="date" aria-hidden="true">${dayIn(language, 'weekday', day)} <b>${Number(day.slice(8))}</b> ${month}</span></a>`
}
