import type { EventWithRelations } from '../../events/index.ts'
import type { PageResponse } from '../../http/page.ts'
import { addressOf, colourOf, eventCard, placeText, titleOf } from '../cards.ts'
import { spokenIn } from '../content.ts'
import { dayIn, daysAfter, startOfWeek, todayIn } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { listJsonLd } from '../json-ld.ts'
import { layOut } from '../layout.ts'
import { clock, hoursText, lastDay } from '../moments.ts'
import { ask, dayEnd, type FoundEvents, freshUntil } from './question.ts'
import {
  headOf,
  questionOf,
  stepsNav,
  subscribeLinks,
  type ViewParts,
  viewAddress,
  viewHeading,
  viewsNav,
} from './view.ts'

/** Most events of a week or a day that are shown on one page. */
const DAYS_LIMIT = 500

interface Range {
  readonly first: string
  readonly last: string
}

/** A week: its days side by side, one below the other on phones. `day` is any of its days. */
export async function weekView(view: ViewParts, day: string): Promise<PageResponse> {
  const { here, incoming, parts } = view
  const first = startOfWeek(here.language, day)
  const last = daysAfter(first, 6)
  const { found, events } = await eventsOf(view, { first, last })
  const today = todayIn(parts.site.zone, incoming.now)
  const name = `${dayIn(here.language, 'date', first)} – ${dayIn(here.language, 'dateYear', last)}`
  const step = (days: number): readonly [string, string] => {
    const other = daysAfter(first, days)
    return [`week/${other}/`, dayIn(here.language, 'date', other)]
  }
  const days = Array.from({ length: 7 }, (_, index) => daysAfter(first, index))
  const body = html`<ol class="week">
${days.map((one) => weekDay(view, { day: one, today, events: events.filter((event) => isOn(event, one)) }))}</ol>`
  return rangePage(view, {
    ...{ name, found, events, body, day: first, current: 'week', path: `week/${first}/` },
    steps: { previous: step(-7), next: step(7), today: 'week/' },
  })
}

/** One day with everything on it. */
export async function dayView(view: ViewParts, day: string): Promise<PageResponse> {
  const { here, parts } = view
  const { found, events } = await eventsOf(view, { first: day, last: day })
  const name = dayIn(here.language, 'full', day)
  const step = (days: number): readonly [string, string] => {
    const other = daysAfter(day, days)
    return [`${other}/`, dayIn(here.language, 'medium', other)]
  }
  const cards = events.map((event) => eventCard(event, { here, site: parts.site, day, level: 2 }))
  const body = events.length === 0 ? NOTHING : html`<ul class="cards alone">\n${cards}</ul>`
  return rangePage(view, {
    ...{ name, found, events, body, day, current: 'day', path: `${day}/` },
    steps: { previous: step(-1), next: step(1), today: 'today/' },
  })
}

async function eventsOf(view: ViewParts, { first, last }: Range) {
  const question = questionOf(view, { ends_after: daysAfter(first, -1), starts_before: last })
  const found = await ask(question, (total) => ({ page: 1, perPage: Math.min(total, DAYS_LIMIT), offset: 0 }))
  const events = await found.events(found.ids)
  return { found, events: events.filter((event) => lastDay(event.row) >= first) }
}

function isOn({ row }: EventWithRelations, day: string): boolean {
  return row.start_local.slice(0, 10) <= day && lastDay(row) >= day
}

interface RangePage {
  readonly name: string
  readonly found: FoundEvents
  readonly events: readonly EventWithRelations[]
  readonly body: Markup
  readonly day: string
  readonly current: 'week' | 'day'
  readonly path: string
  readonly steps: Parameters<typeof stepsNav>[1] & {
    readonly previous: readonly [string, string]
    readonly next: readonly [string, string]
  }
}

function rangePage(view: ViewParts, page: RangePage): PageResponse {
  const { here, parts, incoming, scope } = view
  const { name, found, events, body, day, current, path, steps } = page
  const whole = html`${viewHeading(view, name)}
<div class="bar">${viewsNav(view, current, day)}${stepsNav(view, steps)}</div>
${body}
${when(events.length === 0 && current === 'day', () => html`<p class="empty">${here.say('Nothing on this day.')}</p>`)}
${when(found.total > DAYS_LIMIT, () => html`<p class="note">${here.say('{count} more events', { count: found.total - DAYS_LIMIT })}</p>`)}
${subscribeLinks(view)}`
  return layOut({
    ...headOf(view, `${scope.base}${path}`),
    title: scope.name === '' ? name : `${scope.name}: ${name}`,
    body: whole,
    scripts: ['turning.ts'],
    summary: here.say('{name}: what is on, when and where.', { name: `${scope.name || parts.site.name}, ${name}` }),
    jsonLd: events.length === 0 ? undefined : listJsonLd(events.slice(0, 20), here),
    isUnlisted: events.length === 0,
    previous: viewAddress(view, steps.previous[0]),
    next: viewAddress(view, steps.next[0]),
    freshness: freshUntil(
      found.freshness,
      [...scope.dependencies, ...events.flatMap((event) => event.dependencies)],
      dayEnd(parts.site.zone, incoming.now),
    ),
  })
}

function weekDay(
  { here, ...view }: ViewParts,
  {
    day,
    today,
    events,
  }: { readonly day: string; readonly today: string; readonly events: readonly EventWithRelations[] },
): Markup {
  const current = day === today ? html` class="today" aria-current="date"` : NOTHING
  return html`<li${current}>
<h2><a href="${viewAddress({ ...view, here }, `${day}/`)}"><time datetime="${day}"><span class="weekday">${dayIn(here.language, 'shortWeekday', day)}</span> <span class="date">${Number(day.slice(8))}</span></time></a></h2>
${when(
  events.length > 0,
  () => html`<ul>
${events.map((event) => weekEvent(event, { here, day }))}</ul>`,
)}</li>
`
}

function weekEvent(
  event: EventWithRelations,
  { here, day }: Pick<ViewParts, 'here'> & { readonly day: string },
): Markup {
  const { row } = event
  const isWhole = row.all_day === 1 || lastDay(row) > row.start_local.slice(0, 10)
  const hours = isWhole ? hoursText(here, row, day) : `${clock(row.start_local)}`
  const place = placeText(event, here)
  return html`<li class="block ${colourOf(event)}${isWhole ? ' whole' : ''}"><a href="${addressOf(event, here)}"><span class="hours">${hours}</span> <strong${spokenIn(row.language)}>${titleOf(event, here)}</strong>${when(place !== '', () => html` <span class="place">${place}</span>`)}</a></li>
`
}
