import { localFromMillis } from '../../base/time/zones.ts'
import type { EventWithRelations } from '../../calendar/events/index.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { dayEnd, dayIn, daysAfter, daysIn, endsWeek, lastDay, startOfWeek, todayIn } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { listJsonLd } from '../json-ld.ts'
import { layOut } from '../layout.ts'
import { dayClock } from './day-clock.ts'
import { questionWithin, viewFilters } from './filters.ts'
import { hourTable } from './hour-table.ts'
import { type HourRange, hourGrid } from './hours.ts'
import { ask, type FoundEvents, freshUntil } from './question.ts'
import {
  headOf,
  narrowing,
  stepsNav,
  subscribeLinks,
  type ViewRequest,
  viewAddress,
  viewHeading,
  weekStart,
} from './view.ts'
import { viewsNav } from './views-nav.ts'

/** Milliseconds between two places of the line that shows the present. */
const NOW_STEP = 300_000

/** Most events of a week or a day that are shown on one page. */
const DAYS_LIMIT = 500

/** Most events side by side in a day of a week, and on the page of a day: in narrower lanes most words would have to be broken. */
const WEEK_LANES = 2
const DAY_LANES = 6

interface Range {
  readonly first: string
  readonly last: string
}

/**
 * A week: its days side by side, one below the other on phones. `day` is any of its days; for whoever names none on the last day
 * of a week, the seven days from then on are shown.
 */
export async function weekView(view: ViewRequest, day: string, isPresent = false): Promise<PageResponse> {
  const { language } = view.context
  const start = weekStart(view)
  const isAhead = isPresent && endsWeek(start, day)
  const first = isAhead ? day : startOfWeek(start, day)
  const last = daysAfter(first, 6)
  const { found, events } = await eventsOf(view, { first, last })
  const name = daysIn(language, first, last)
  const step = (other: string): readonly [string, string] => {
    const begin = startOfWeek(start, other)
    return [`week/${begin}/`, dayIn(language, 'date', begin)]
  }
  const days = Array.from({ length: 7 }, (_, index) => daysAfter(first, index))
  const body = hours(view, { days, events, lanes: WEEK_LANES, bars: 8 })
  return rangePage(view, {
    ...{ name, found, events, body, days, day: first, current: 'week', path: isAhead ? 'week/' : `week/${first}/` },
    steps: { previous: step(daysAfter(first, -1)), next: step(daysAfter(first, 7)), today: 'week/' },
  })
}

/** One day with everything on it. */
export async function dayView(view: ViewRequest, day: string): Promise<PageResponse> {
  const { context } = view
  const { found, events } = await eventsOf(view, { first: day, last: day })
  const name = dayIn(context.language, 'full', day)
  const step = (days: number): readonly [string, string] => {
    const other = daysAfter(day, days)
    return [`${other}/`, dayIn(context.language, 'medium', other)]
  }
  const body = events.length === 0 ? NOTHING : hours(view, { days: [day], events, lanes: DAY_LANES, bars: 20 })
  return rangePage(view, {
    ...{ name, found, events, body, days: [day], day, current: 'day', path: `${day}/` },
    steps: { previous: step(-1), next: step(1), today: 'today/' },
  })
}

async function eventsOf(view: ViewRequest, { first, last }: Range) {
  const question = questionWithin(view, { from: first, to: last })
  const found = await ask(question, (total) => ({ page: 1, perPage: Math.min(total, DAYS_LIMIT), offset: 0 }))
  const events = await found.events(found.ids)
  return { found, events: events.filter((event) => lastDay(event.row) >= first) }
}

/** The hours of days with their events. */
function hours(
  { deps, incoming, ...view }: ViewRequest,
  { events, days, lanes, bars }: Omit<HourRange, 'clocks'> & { readonly events: readonly EventWithRelations[] },
): Markup {
  const { zone } = deps.site
  const clocks = days.map((day) => dayClock(day, zone))
  const rows = events.map(({ row }) => row)
  const now = localFromMillis(incoming.now, zone)
  return hourTable(hourGrid(rows, { days, clocks, lanes, bars }), {
    view: { ...view, deps, incoming },
    byId: new Map(events.map((event) => [event.row.id, event])),
    ...{ today: now.slice(0, 10), now },
  })
}

/** Until when a page lasts: the line that shows the present moves every five minutes. */
function shownUntil({ deps, incoming: { now } }: ViewRequest, { days }: Pick<RangePage, 'days'>): number {
  const end = dayEnd(deps.site.zone, now)
  const isPresent = days.includes(todayIn(deps.site.zone, now))
  return isPresent ? Math.min(end, (Math.floor(now / NOW_STEP) + 1) * NOW_STEP) : end
}

interface RangePage {
  readonly name: string
  readonly found: FoundEvents
  readonly events: readonly EventWithRelations[]
  readonly body: Markup
  readonly day: string
  /** The days that are shown. */
  readonly days: readonly string[]
  readonly current: 'week' | 'day'
  readonly path: string
  readonly steps: Parameters<typeof stepsNav>[1] & {
    readonly previous: readonly [string, string]
    readonly next: readonly [string, string]
  }
}

async function rangePage(view: ViewRequest, page: RangePage): Promise<PageResponse> {
  const { context, deps, scope } = view
  const { name, found, events, body, day, current, path, steps } = page
  const whole = html`<div class="head">${viewHeading(view, name)}
${stepsNav(view, steps)}${await viewsNav(view, current, day, { from: page.days[0] ?? day, to: page.days.at(-1) ?? day })}</div>
${await viewFilters(view, `${scope.base}${path}`)}${body}
${when(events.length === 0 && current === 'day', () => html`<p class="empty">${context.say('pages.noneOnDay')}</p>`)}
${when(found.total > DAYS_LIMIT, () => html`<p class="note">${context.say('pages.moreEvents', { count: found.total - DAYS_LIMIT })}</p>`)}
${subscribeLinks(view, current)}`
  return layOut({
    ...headOf(view, `${scope.base}${path}`),
    title: scope.name === '' ? name : `${scope.name}: ${name}`,
    body: whole,
    isWide: true,
    scripts: ['turning.ts'],
    summary: context.say('pages.siteDescription', { name: `${scope.name || deps.site.name}, ${name}` }),
    jsonLd: events.length === 0 ? undefined : listJsonLd(events.slice(0, 20), context),
    isUnlisted: events.length === 0 || narrowing(view.incoming).length > 0,
    previous: viewAddress(view, steps.previous[0]),
    next: viewAddress(view, steps.next[0]),
    freshness: freshUntil(
      found.freshness,
      [...scope.dependencies, ...events.flatMap((event) => event.dependencies)],
      shownUntil(view, page),
    ),
  })
}
