import type { PageResponse } from '../../http/html-page.ts'
import { dayEnd, dayIn, daysAfter, daysBetween, endsMonth, monthsAfter, startOfWeek, todayIn } from '../dates.ts'
import { html, when } from '../html.ts'
import { listJsonLd } from '../json-ld.ts'
import { layOut } from '../layout.ts'
import { monthAgenda } from './agenda.ts'
import { questionWithin, viewFilters } from './filters.ts'
import { type MonthDay, monthGrid } from './month-grid.ts'
import { type MonthScene, monthTable } from './month-table.ts'
import { ask, freshUntil } from './question.ts'
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

/** Most events of which a month takes notice. */
const MONTH_LIMIT = 5_000

/** Events of a month that search engines find in sitemaps. */
const DESCRIBED = 20

/** Which month is shown. */
interface ShownMonth {
  /** `2026-11` */
  readonly month: string
  /** The day whose week is the first one, where it is not that of the first of the month. */
  readonly from?: string
  /** Path of the page where it is not the one of the month. */
  readonly path?: string
}

/** The month of a day for whoever names none: in its last days the next one, from the present week on. */
export function presentMonth(day: string): Pick<ShownMonth, 'month' | 'from'> {
  const month = day.slice(0, 7)
  return endsMonth(day) ? { month: monthsAfter(month, 1), from: day } : { month }
}

/** A month as a table with everything of its days below it: on phones the table is small, and one day is shown. */
export async function monthView(view: ViewRequest, { month, from, path }: ShownMonth): Promise<PageResponse> {
  const { context, deps, incoming, scope } = view
  const { zone } = deps.site
  const { found, briefs, described, grid } = await readMonth(view, { month, from: from ?? `${month}-01` })
  const today = todayIn(zone, incoming.now)
  const name = dayIn(context.language, 'month', `${month}-01`)
  const step = (months: number): readonly [string, string] => {
    const other = monthsAfter(month, months)
    return [`${other}/`, dayIn(context.language, 'month', `${other}-01`)]
  }
  const steps = { previous: step(-1), next: step(1), today: 'month/' }
  const scene: MonthScene = { view, month, today, byId: new Map(briefs.map((brief) => [brief.row.id, brief])) }
  const days = grid.flatMap((week) => week.days)
  const isLate = today < `${month}-01` && days.some(({ day }) => day === today)
  const shown = { from: isLate ? today : `${month}-01`, to: daysAfter(`${monthsAfter(month, 1)}-01`, -1) }
  const body = html`<div class="head">${viewHeading(view, name)}
${stepsNav(view, steps)}${await viewsNav(view, 'month', today.startsWith(month) ? today : `${month}-01`, shown)}</div>
${await viewFilters(view, path ?? `${scope.base}${from === undefined ? month : 'month'}/`)}${when(found.total === 0, () => html`<p class="note">${context.say('pages.noneInMonth')} <a href="${viewAddress(view, '')}">${context.say('common.seeUpcoming')}</a></p>`)}
${monthTable(grid, scene)}
${monthAgenda(days, chosenDay(days, scene), scene)}
${subscribeLinks(view, 'month')}`
  return layOut({
    ...headOf(view, path ?? `${scope.base}${month}/`),
    title: path === '/' ? deps.site.name : scope.name === '' ? name : `${scope.name}: ${name}`,
    body,
    isWide: true,
    scripts: ['turning.ts', 'month.ts'],
    summary: context.say('pages.siteDescription', { name: `${scope.name || deps.site.name}, ${name}` }),
    jsonLd: described.length === 0 ? undefined : listJsonLd(described, context),
    // The start page is listed whatever the month contains.
    isUnlisted: (found.total === 0 && path === undefined) || narrowing(incoming).length > 0,
    previous: viewAddress(view, steps.previous[0]),
    next: viewAddress(view, steps.next[0]),
    freshness: freshUntil(
      found.freshness,
      [...scope.dependencies, { of: 'event' }, { of: 'venue' }, { of: 'category' }],
      dayEnd(zone, incoming.now),
    ),
  })
}

/** The weeks of a month from that of a day on, with their events; those that search engines are told of are read whole. */
async function readMonth(view: ViewRequest, { month, from }: Required<Pick<ShownMonth, 'month' | 'from'>>) {
  const first = startOfWeek(weekStart(view), from)
  const lastOfMonth = daysAfter(`${monthsAfter(month, 1)}-01`, -1)
  const weeks = Math.ceil((daysBetween(first, lastOfMonth) + 1) / 7)
  const last = daysAfter(first, 7 * weeks - 1)
  const question = questionWithin(view, { from: first, to: last })
  const found = await ask(question, (total) => ({ page: 1, perPage: Math.min(total, MONTH_LIMIT), offset: 0 }))
  const briefs = await view.queries.briefs({ caller: question.caller, urls: view.incoming.urls }, found.ids)
  const rows = briefs.map(({ row }) => row)
  const inMonth = rows.flatMap((row) => (row.start_local.startsWith(month) ? [row.id] : []))
  const described = await found.events(inMonth.slice(0, DESCRIBED))
  return { found, briefs, described, grid: monthGrid(rows, { first, weeks }) }
}

/** The day that phones show at first: today, or the first one of the month with events of its own. */
function chosenDay(days: readonly MonthDay[], { month, today }: MonthScene): string {
  if (days.some(({ day }) => day === today)) return today
  return days.find(({ day, own }) => day.startsWith(month) && own.length > 0)?.day ?? `${month}-01`
}
