import { type DayText, dayIn, daysAfter, todayIn } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { activeFilters, type Filtered, type Parameters } from './filters.ts'
import { gridOf } from './grid.ts'
import { countEvents } from './listing.ts'
import { type DayRange, periodQuery } from './period.ts'
import { ask, sentFilters } from './question.ts'
import { questionOf, type ViewRequest } from './view.ts'

/** Days around those that were asked for, and most events of them. */
const AROUND = 7
const MOST = 500

/** What a list without events says: other days, fewer filters, and for those who may write, the way to a first event. */
export async function emptyList(
  filtered: Filtered,
  { period, isNarrowed }: { readonly period: DayRange | undefined; readonly isNarrowed: boolean },
): Promise<Markup> {
  const { view } = filtered
  const { say, link } = view.context
  const isStaff = view.incoming.caller.id !== 0
  if (!isNarrowed)
    return html`<div class="empty">
<h2>${say('pages.noneYet')}</h2>
${when(isStaff, () => html`<p><a class="button primary" href="${link('/admin/events/new')}">${say('pages.addFirst')}</a></p>\n`)}${submitLink(view)}</div>`
  const days = period === undefined ? NOTHING : await daysAround(filtered, period)
  return html`<div class="empty">
<h2>${say('pages.noMatches')}</h2>
${days}${await fewerFilters(filtered)}<p><a class="button" href="${link(view.scope.home)}">${say('common.seeUpcoming')}</a></p>
${submitLink(view)}</div>`
}

function submitLink({ deps, context: { say, link } }: ViewRequest): Markup {
  if (deps.site.takesSubmissions !== true) return NOTHING
  return html`<p><a href="${link('/submit/')}">${say('common.submitAnEvent')}</a></p>\n`
}

/** The days around a period with the number of events that the other filters leave. */
async function daysAround({ view, at }: Filtered, { from }: DayRange): Promise<Markup> {
  const { context, incoming, deps } = view
  const today = todayIn(deps.site.zone, incoming.now)
  const middle = daysAfter(from, -Math.floor(AROUND / 2))
  const first = middle < today && from >= today ? today : middle
  const set = { ends_after: daysAfter(first, -1), starts_before: daysAfter(first, AROUND - 1) }
  const found = await ask(questionOf(view, set), { page: 1, perPage: MOST, offset: 0 })
  if (found.total === 0) return NOTHING
  const [days = []] = gridOf(await view.queries.moments(found.ids), { first, weeks: 1, most: 1 })
  const filters = sentFilters(incoming)
  const cells = days.map(({ day, total }) => {
    const name = html`<span>${dayIn(context.language, 'shortWeekday', day)}</span> <b>${Number(day.slice(8))}</b>`
    const count = context.say('pages.eventCount', { count: total })
    if (total === 0) return html`<li><div>${name} <small>–</small></div></li>`
    return html`<li><a href="${at([...filters, ...periodQuery(oneDay(day))])}">${name} <small>${count}</small></a></li>`
  })
  return html`<p>${context.say('pages.otherDays')}</p>
<ul class="strip">${cells}</ul>
`
}

function oneDay(day: DayText): DayRange {
  return { from: day, to: day }
}

/** What each filter alone keeps away. */
async function fewerFilters(filtered: Filtered): Promise<Markup> {
  const { view, at } = filtered
  const { say } = view.context
  const active = await activeFilters(filtered)
  if (active.length < 1) return NOTHING
  const offers = await Promise.all(
    active.map(async ({ label, without }) => ({ label, without, count: await countOf(view, without) })),
  )
  const shown = offers.filter(({ count }) => count > 0)
  if (shown.length === 0) return NOTHING
  return html`<h3>${say('pages.askForLess')}</h3>
<ul class="opts">${shown.map(
    ({ label, without, count }) =>
      html`<li><a href="${at(without)}">${say('pages.withoutFilter', { filter: label })} <span class="mute">${say('pages.eventCount', { count })}</span></a></li>\n`,
  )}</ul>
`
}

/** How many events a list with these parameters would have. */
function countOf(view: ViewRequest, parameters: Parameters): Promise<number> {
  return countEvents({ ...view, incoming: { ...view.incoming, query: Object.fromEntries(parameters) } })
}
