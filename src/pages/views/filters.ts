import { queryText } from '../../http/address.ts'
import { ANONYMOUS } from '../../http/auth/rights.ts'
import type { Incoming } from '../../http/route.ts'
import { type DayText, dayIn, daysAfter, todayIn, weekday } from '../dates.ts'
import { html, icon, type Markup, NOTHING, when } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { type DayRange, daysWithin, periodOf, periodQuery, periodText } from './period.ts'
import { inOrder, type Question, sentDates, sentFilters } from './question.ts'
import { questionOf, type ViewRequest, withQuery } from './view.ts'

/** Parameters of an address in their order. */
export type Parameters = readonly (readonly [string, string])[]

/** A view whose filters can be changed: `at` is its address with other parameters. */
export interface Filtered {
  readonly view: ViewRequest
  at(parameters: Parameters): string
}

/** A view at a path, or the results of a search, whose words have an address of their own. */
export function filteredAt(view: ViewRequest, path: string): Filtered {
  const at = (unordered: Parameters): string => {
    const parameters = inOrder(unordered)
    const words = parameters.find(([name]) => name === 'about')?.[1] ?? ''
    if (!path.startsWith('/search') || words === '') {
      const target = path.startsWith('/search') ? view.scope.home : path
      return view.context.link(withQuery(target, parameters))
    }
    const others = parameters.filter(([name]) => name !== 'about')
    return view.context.link(`/search?${queryText([['q', words], ...others])}`)
  }
  return { view, at }
}

/** Parameters that narrow nothing. */
const NO_FILTERS = ['embed', 'orderby', 'order', 'hide_subsequent_recurrences']

/** Filters that several parameters make together. */
const NEAR = ['geoloc_lat', 'geoloc_lng', 'geoloc_radius']

/** A filter that applies: what it is called, and the parameters that are left without it. */
interface Active {
  readonly label: string
  readonly without: Parameters
}

/** Everything that a request sent that narrows its events or says how they are shown. */
function sentParameters(incoming: Incoming): Parameters {
  return [...sentFilters(incoming), ...sentDates(incoming)]
}

/** The filters of a view, each with what is left without it. */
export async function activeFilters({ view }: Pick<Filtered, 'view'>): Promise<readonly Active[]> {
  return [...(await feedFilters(view)), ...activeDates(view)]
}

/** The filters that count in feeds as well: all but those of dates. */
export async function feedFilters({ incoming, context, deps }: ViewRequest): Promise<readonly Active[]> {
  const sent = sentParameters(incoming)
  const without = (...names: readonly string[]): Parameters => sent.filter(([name]) => !names.includes(name))
  const active: Active[] = []
  for (const [name, value] of sentFilters(incoming)) {
    if (NO_FILTERS.includes(name) || NEAR.includes(name)) continue
    const key = name === 'categories' ? 'category' : name === 'tags' ? 'tag' : undefined
    if (key === undefined) {
      active.push({ label: labelOf(name, value, context), without: without(name) })
      continue
    }
    const parts = value.split(',').filter((part) => part !== '')
    const ids = await deps.lookups[key].seek(deps.reader, parts)
    // What nobody may see is named by nothing but what was sent.
    const seen = await deps.lookups[key].seenBy(deps.reader, [...ids.values()], ANONYMOUS)
    const terms = new Map((await deps.lookups[key].byIds(deps.reader, [...seen])).map((one) => [one.id, one]))
    for (const part of parts) {
      const others = parts.filter((one) => one !== part)
      const rest = others.length === 0 ? [] : [[name, others.join(',')] as const]
      active.push({ label: terms.get(ids.get(part) ?? 0)?.name ?? part, without: [...without(name), ...rest] })
    }
  }
  if (isNear(incoming)) active.push({ label: context.say('pages.nearMe'), without: without(...NEAR) })
  return active
}

function activeDates({ incoming, context, deps }: ViewRequest): Active[] {
  const dates = sentDates(incoming)
  const others = sentFilters(incoming)
  const today = todayIn(deps.site.zone, incoming.now)
  const period = periodOf(incoming, today)
  if (period === undefined)
    return dates
      .filter(([name]) => name !== 'strict_dates')
      .map(([name, value]) => ({
        label: `${name}: ${value}`,
        without: [...others, ...dates.filter(([one]) => one !== name)],
      }))
  return [{ label: periodName(period, today, context), without: others }]
}

/** What a filter is called; those that only programs use have the name of their parameter. */
function labelOf(name: string, value: string, { say }: PageContext): string {
  if (name === 'search' || name === 'about') return `“${value}”`
  if (name === 'cost' && value === 'free') return say('pages.free')
  const isOn = value === 'true' || value === '1'
  if (name === 'is_virtual' && isOn) return say('pages.online')
  if (name === 'featured' && isOn) return say('fields.featured')
  return `${name}: ${value}`
}

/** The periods that people ask for most. */
function usualPeriods(today: DayText): Record<'today' | 'tomorrow' | 'weekend' | 'week', Required<DayRange>> {
  // On Sunday the present weekend, of which that is the last day.
  const saturday = daysAfter(today, weekday(today) === 0 ? -1 : 6 - weekday(today))
  const tomorrow = daysAfter(today, 1)
  return {
    today: { from: today, to: today },
    tomorrow: { from: tomorrow, to: tomorrow },
    weekend: { from: saturday, to: daysAfter(saturday, 1) },
    week: { from: today, to: daysAfter(today, 6) },
  }
}

const NAMES = {
  today: 'pages.today',
  tomorrow: 'pages.tomorrow',
  weekend: 'pages.thisWeekend',
  week: 'pages.next7Days',
} as const

function usualName(period: DayRange, today: DayText): keyof typeof NAMES | undefined {
  const usual = usualPeriods(today)
  return (Object.keys(NAMES) as (keyof typeof NAMES)[]).find(
    (name) => usual[name].from === period.from && usual[name].to === period.to,
  )
}

function periodName(period: DayRange, today: DayText, { say, language }: PageContext): string {
  const name = usualName(period, today)
  return name === undefined ? periodText(language, period) : say(NAMES[name])
}

function isNear({ query }: Incoming): boolean {
  return (query['geoloc_lat'] ?? '') !== ''
}

/** The filters of a view as chips that remove them, with what stands before them: how many events they leave. */
export async function resultBar(filtered: Filtered, before: Markup = NOTHING): Promise<Markup> {
  const active = await activeFilters(filtered)
  const { say } = filtered.view.context
  if (active.length === 0) return before === NOTHING ? NOTHING : html`<div class="result">${before}</div>\n`
  const chips = active.map(
    ({ label, without }) =>
      html`<a class="chip x" href="${filtered.at(without)}" aria-label="${say('pages.removeFilter', { filter: label })}"><bdi>${label}</bdi>${icon('remove')}</a>\n`,
  )
  const shown = sentFilters(filtered.view.incoming).filter(([name]) => name === 'embed')
  const all = when(active.length > 1, () => html`<a href="${filtered.at(shown)}">${say('pages.clearFilters')}</a>`)
  return html`<div class="result">${before}${chips}${all}</div>\n`
}

/** The filters that apply to a view of dates at a path, as chips that remove them. */
export function viewFilters(view: ViewRequest, path: string): Promise<Markup> {
  return resultBar(filteredAt(view, path))
}

/** The question for the events of some days, of those that a request asks for where it asks for a period. */
export function questionWithin(view: ViewRequest, days: Required<DayRange>): Question {
  const today = todayIn(view.deps.site.zone, view.incoming.now)
  return questionOf(view, daysWithin(days, periodOf(view.incoming, today)))
}

/** Ways to what is asked for most, which filter the view that they stand on. */
export function filterChips(filtered: Filtered): Markup {
  const { incoming, context, deps } = filtered.view
  const { say } = context
  const today = todayIn(deps.site.zone, incoming.now)
  const filters = sentFilters(incoming)
  const period = periodOf(incoming, today)
  const chosen = period === undefined ? undefined : usualName(period, today)
  const usual = usualPeriods(today)
  const dates = (Object.keys(NAMES) as (keyof typeof NAMES)[]).map((name) => {
    const parameters = chosen === name ? filters : [...filters, ...periodQuery(usual[name])]
    return chip(say(NAMES[name]), filtered.at(parameters), chosen === name)
  })
  return html`<ul class="chips">
${dates}${dateField(filtered, chosen === undefined ? period : undefined)}${toggle(filtered, ['cost', 'free'], say('pages.free'))}${toggle(filtered, ['is_virtual', 'true'], say('pages.online'))}${nearMe(filtered)}</ul>\n`
}

function chip(label: string, address: string, isOn: boolean): Markup {
  return html`<li><a class="chip" href="${address}"${when(isOn, () => html` aria-current="true"`)}>${label}</a></li>\n`
}

/** A chip that adds a filter to those that were sent, or takes it away again. */
function toggle({ view: { incoming }, at }: Filtered, [name, value]: readonly [string, string], label: string): Markup {
  const isOn = incoming.query[name] === value
  const others = sentParameters(incoming).filter(([other]) => other !== name)
  return chip(label, at(isOn ? others : [...others, [name, value]]), isOn)
}

/** Any other days. `period` is what was chosen before, unless a chip says so. */
function dateField({ view, at }: Filtered, period: DayRange | undefined): Markup {
  const { context, incoming } = view
  const { say } = context
  const label = period === undefined ? say('pages.pickDate') : periodText(context.language, period)
  const hidden = sentFilters(incoming)
  const field = (name: string, text: string, value = ''): Markup =>
    html`<label>${text} <input type="date" name="${name}" value="${value}" min="1001-01-01" max="9998-12-31"></label>\n`
  const current = when(period !== undefined, () => html` aria-current="true"`)
  return html`<li><details class="menu dates"><summary class="chip"${current}>${label}</summary>
<form class="pop" action="${at([]).split('?')[0] ?? ''}" target="_self">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${field('start_date', say('pages.from'), period?.from)}${field('starts_before', say('pages.to'), period?.to)}<button>${say('pages.showEvents')}</button>
</form></details></li>\n`
}

/** A chip that only scripts show: they know where the visitor is. Without it, what was found near a place is a filter. */
function nearMe({ view: { context, scope, incoming }, at }: Filtered): Markup {
  const { say } = context
  const others = sentParameters(incoming).filter(([name]) => !NEAR.includes(name))
  // A venue is where it is.
  if (scope.filter['venue'] !== undefined) return NOTHING
  if (isNear(incoming)) return chip(say('pages.nearMe'), at(others), true)
  return html`<li><button class="chip" type="button" hidden data-near="${at(others)}" data-failed="${say('pages.locationUnknown')}">${say('pages.nearMe')}</button> <span role="status" data-near-status></span></li>\n`
}

/** Kilometers to choose from. */
const RADII = [1, 5, 10, 25, 50]

/** How far around the visitor events are looked for; nothing where they are not looked for by their distance. */
export function radiusChips({ view: { context, incoming }, at }: Filtered): Markup {
  if (!isNear(incoming)) return NOTHING
  const sent = sentParameters(incoming)
  const radii = RADII.map((radius) => {
    const isOn = incoming.query['geoloc_radius'] === String(radius)
    const others = sent.filter(([name]) => name !== 'geoloc_radius')
    return chip(kilometers(context.language, radius), at([...others, ['geoloc_radius', String(radius)]]), isOn)
  })
  return html`<nav aria-label="${context.say('pages.radius')}"><ul class="chips">${radii}</ul></nav>\n`
}

/** A distance: `1.2 km`. */
export function kilometers(language: string, distance: number): string {
  const maximumFractionDigits = distance < 10 ? 1 : 0
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'kilometer', maximumFractionDigits }).format(distance)
}

/** The days of a period in full, beside the number of events: `Sunday 29 November – Saturday 5 December`. */
export function periodInFull({ language }: PageContext, { from, to }: DayRange): string {
  if (to === undefined || to === from) return dayIn(language, 'long', from)
  return `${dayIn(language, 'long', from)} – ${dayIn(language, 'long', to)}`
}
