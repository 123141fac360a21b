import type { EventWithRelations } from '../../calendar/events/index.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { addressOf, colourOf, titleOf } from '../cards.ts'
import { spokenIn, struckIfOff } from '../content.ts'
import { clock, dayEnd, dayIn, daysAfter, daysBetween, monthsAfter, startOfWeek, todayIn } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { listJsonLd } from '../json-ld.ts'
import { layOut } from '../layout.ts'
import { questionWithin, viewFilters } from './filters.ts'
import { type GridDay, gridOf, type Slot } from './grid.ts'
import { ask, freshUntil } from './question.ts'
import {
  headOf,
  narrowing,
  stepsNav,
  subscribeLinks,
  type ViewRequest,
  viewAddress,
  viewHeading,
  viewsNav,
} from './view.ts'

/** Most events of which a month takes notice. */
const MONTH_LIMIT = 5_000

/** Places of a day: what does not fit in is behind a link. */
const PLACES = 3

/** Events of a month that search engines find in sitemaps. */
const DESCRIBED = 20

/**
 * A month as a table with one row a week; on phones the same table is shown as an agenda. `month` is `2026-11`, `path` that of the
 * page where it is not the one of the month.
 */
export async function monthView(view: ViewRequest, month: string, path?: string): Promise<PageResponse> {
  const { context, deps, incoming, scope } = view
  const { zone } = deps.site
  const first = startOfWeek(context.language, `${month}-01`)
  const lastOfMonth = daysAfter(`${monthsAfter(month, 1)}-01`, -1)
  const weeks = Math.ceil((daysBetween(first, lastOfMonth) + 1) / 7)
  const last = daysAfter(first, 7 * weeks - 1)
  const today = todayIn(zone, incoming.now)
  const found = await ask(questionWithin(view, { from: first, to: last }), (total) => ({
    page: 1,
    perPage: Math.min(total, MONTH_LIMIT),
    offset: 0,
  }))
  const moments = await view.queries.moments(found.ids)
  const grid = gridOf(moments, { first, weeks, most: PLACES })
  const shown = new Set(
    grid.flat().flatMap(({ slots }) => slots.flatMap((slot) => (slot.kind === 'gap' ? [] : [slot.id]))),
  )
  const events = await found.events([...shown])
  const name = dayIn(context.language, 'month', `${month}-01`)
  const step = (months: number): readonly [string, string] => {
    const other = monthsAfter(month, months)
    return [`${other}/`, dayIn(context.language, 'month', `${other}-01`)]
  }
  const steps = { previous: step(-1), next: step(1), today: 'month/' }
  const inMonth = events.filter(({ row }) => row.start_local.startsWith(month))
  const scene: TableScene = { view, month, today, byId: new Map(events.map((event) => [event.row.id, event])) }
  const body = html`${viewHeading(view, name)}
<div class="bar">${viewsNav(view, 'month', today.startsWith(month) ? today : `${month}-01`, { from: `${month}-01`, to: lastOfMonth })}${stepsNav(view, steps)}</div>
${await viewFilters(view, path ?? `${scope.base}${month}/`)}${when(found.total === 0, () => html`<p class="note">${context.say('pages.noneInMonth')} <a href="${viewAddress(view, '')}">${context.say('common.seeUpcoming')}</a></p>`)}
${table(grid, scene)}
${subscribeLinks(view, 'month')}`
  return layOut({
    ...headOf(view, path ?? `${scope.base}${month}/`),
    title: path === '/' ? deps.site.name : scope.name === '' ? name : `${scope.name}: ${name}`,
    body,
    scripts: ['turning.ts'],
    summary: context.say('pages.siteDescription', { name: `${scope.name || deps.site.name}, ${name}` }),
    jsonLd: inMonth.length === 0 ? undefined : listJsonLd(inMonth.slice(0, DESCRIBED), context),
    // The start page is listed whatever the month contains.
    isUnlisted: (found.total === 0 && path === undefined) || narrowing(incoming).length > 0,
    previous: viewAddress(view, steps.previous[0]),
    next: viewAddress(view, steps.next[0]),
    freshness: freshUntil(
      found.freshness,
      [...scope.dependencies, { of: 'event' }, ...events.flatMap((event) => event.dependencies)],
      dayEnd(zone, incoming.now),
    ),
  })
}

interface TableScene {
  readonly view: ViewRequest
  readonly month: string
  readonly today: string
  readonly byId: ReadonlyMap<number, EventWithRelations>
}

function table(grid: readonly (readonly GridDay[])[], scene: TableScene): Markup {
  const { language } = scene.view.context
  const heads = (grid[0] ?? []).map(
    ({ day }) =>
      html`<th scope="col"><abbr title="${dayIn(language, 'weekday', day)}">${dayIn(language, 'shortWeekday', day)}</abbr></th>`,
  )
  return html`<table class="month">
<caption class="vh">${dayIn(language, 'month', `${scene.month}-01`)}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${grid.map((week) => html`<tr>${week.map((day) => cell(day, scene))}</tr>\n`)}</tbody>
</table>`
}

function cell({ day, slots, total, hidden }: GridDay, scene: TableScene): Markup {
  const { view, month, today } = scene
  const { context } = view
  const classes = [
    day.startsWith(month) ? '' : 'other',
    day === today ? 'today' : '',
    total === 0 ? 'free' : '',
    day < today ? 'past' : '',
  ].filter((name) => name !== '')
  const current = day === today ? html` aria-current="date"` : NOTHING
  const number = html`<time datetime="${day}"><span class="short">${Number(day.slice(8))}</span><span class="long">${dayIn(context.language, 'long', day)}</span></time>`
  const more = when(
    hidden > 0,
    () =>
      html`<a class="more" href="${viewAddress(view, `${day}/`)}"><span dir="ltr" aria-hidden="true">+${hidden}</span><span class="vh">${context.say('pages.moreEvents', { count: hidden })}, ${dayIn(context.language, 'long', day)}</span></a>`,
  )
  return html`<td class="${classes.join(' ')}"${current}>${total === 0 ? html`<span class="number">${number}</span>` : html`<a class="number" href="${viewAddress(view, `${day}/`)}">${number}</a>`}${when(slots.length > 0, () => html`<ul>${slots.map((slot) => place(slot, scene))}</ul>`)}${more}</td>`
}

function place(slot: Slot, { view: { context }, byId }: TableScene): Markup {
  if (slot.kind === 'gap') return html`<li class="gap" aria-hidden="true"></li>`
  const event = byId.get(slot.id)
  if (event === undefined) return NOTHING
  const { row } = event
  const colour = colourOf(event)
  const address = addressOf(event, context)
  const title = struckIfOff(html`<bdi${spokenIn(row.language)}>${titleOf(event, context)}</bdi>`, row, context)
  if (slot.kind === 'event') {
    const at = row.all_day === 1 ? NOTHING : html`<time>${clock(row.start_local)}</time> `
    return html`<li class="${row.all_day === 1 ? 'bar first last' : 'one'} ${colour}"><a href="${address}">${at}${title}</a></li>`
  }
  const ends = html`${slot.isFirst ? ' first' : ''}${slot.isLast ? ' last' : ''}`
  if (!slot.isNamed) return html`<li class="bar on${ends} ${colour}" aria-hidden="true"></li>`
  const over = slot.days > 1 ? ` over-${slot.days}` : ''
  return html`<li class="bar${ends}${over} ${colour}"><a href="${address}">${title}</a></li>`
}
