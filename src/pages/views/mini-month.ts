import type { EventWithRelations } from '../../calendar/events/index.ts'
import { type DayText, dayIn, daysAfter, daysBetween, monthsAfter, startOfWeek } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { gridOf } from './grid.ts'
import { ask, hasDates, sentDates } from './question.ts'
import { questionOf, type ViewRequest, viewAddress, weekStart } from './view.ts'

/** Most events of which a small month takes notice; in a fuller one every day is a link. */
const MOST = 1_000

/** Months that have one before and one after them for which there are addresses. */
const [EARLIEST, LATEST] = ['1001-02', '9998-11']

/** The list beside which a small month stands. */
export interface BesideList {
  readonly events: readonly EventWithRelations[]
  readonly isPast: boolean
  /** Words that were searched for; '' for none. */
  readonly words: string
  readonly today: DayText
  /** The address of the list from a day on. */
  listFrom(day: DayText): string
}

interface Scene extends Pick<BesideList, 'today' | 'words' | 'listFrom'> {
  /** `2026-11` */
  readonly month: string
}

/**
 * The small month beside a list, for screens with room for it, and its dependencies: that of the day from which the list was
 * asked for, else of its first event. Days with events lead to their pages, arrows take the list to the month before and after; it
 * takes notice of the filters of the list. Nothing in a frame of another site.
 */
export async function monthBeside(view: ViewRequest, { events, isPast, today, ...list }: BesideList) {
  const { incoming } = view
  const [, from = ''] = sentDates(incoming).find(([name]) => name === 'start_date') ?? []
  const sent = /^\d{4}-\d\d(?=-\d\d)/.exec(from)?.[0]
  const begins = events[0]?.row.start_local ?? today
  const listed = isPast || hasDates(incoming) || begins > today ? begins : today
  const month = sent ?? listed.slice(0, 7)
  const isHidden = incoming.query['embed'] === '1' || month < EARLIEST || month > LATEST
  return isHidden ? { markup: NOTHING, dependencies: [] } : miniMonth(view, { month, today, ...list })
}

async function miniMonth(view: ViewRequest, scene: Scene) {
  const { month } = scene
  const first = startOfWeek(weekStart(view), `${month}-01`)
  const lastOfMonth = daysAfter(`${monthsAfter(month, 1)}-01`, -1)
  const weeks = Math.ceil((daysBetween(first, lastOfMonth) + 1) / 7)
  const words: Record<string, string> = scene.words === '' ? {} : { about: scene.words }
  const set = { ends_after: daysAfter(`${month}-01`, -1), starts_before: lastOfMonth, ...words }
  const found = await ask(questionOf(view, set), { page: 1, perPage: MOST, offset: 0 })
  const moments = await view.queries.moments(found.ids)
  const days = gridOf(moments, { first, weeks, most: 1 }).map((week) =>
    week.map(({ day, total }) => ({ day, isLink: found.total > MOST || total > 0 })),
  )
  const dependencies = [{ of: 'event' } as const, ...(found.freshness?.dependencies ?? [])]
  return { markup: calendar(view, days, scene), dependencies }
}

interface MiniDay {
  readonly day: DayText
  readonly isLink: boolean
}

function calendar(view: ViewRequest, weeks: readonly (readonly MiniDay[])[], scene: Scene): Markup {
  const { language } = view.context
  const { month } = scene
  const name = dayIn(language, 'month', `${month}-01`)
  const heads = (weeks[0] ?? []).map(
    ({ day }) =>
      html`<th scope="col"><abbr title="${dayIn(language, 'weekday', day)}">${dayIn(language, 'narrowWeekday', day)}</abbr></th>`,
  )
  const cells = (week: readonly MiniDay[]): Markup[] =>
    week.map((one) => (one.day.startsWith(month) ? cell(view, one, scene) : html`<td></td>`))
  return html`<nav class="mini" aria-label="${name}">
<p>${arrow(view, -1, scene)}<a href="${viewAddress(view, `${month}/`)}">${name}</a>${arrow(view, 1, scene)}</p>
<table><thead><tr>${heads}</tr></thead>
<tbody>
${weeks.map((week) => html`<tr>${cells(week)}</tr>\n`)}</tbody></table>
</nav>`
}

function arrow({ context }: ViewRequest, months: 1 | -1, { month, listFrom }: Scene): Markup {
  const from = `${monthsAfter(month, months)}-01`
  // There is no end of months for those who follow every link.
  return html`<a class="step ${months < 0 ? 'prev' : 'next'}" rel="nofollow" href="${listFrom(from)}" aria-label="${dayIn(context.language, 'month', from)}"></a>`
}

function cell(view: ViewRequest, { day, isLink }: MiniDay, { today }: Scene): Markup {
  const number = Number(day.slice(8))
  const current = when(day === today, () => html` aria-current="date"`)
  if (!isLink) return html`<td${current}><span>${number}</span></td>`
  return html`<td${current}><a href="${viewAddress(view, `${day}/`)}" aria-label="${dayIn(view.context.language, 'long', day)}">${number}</a></td>`
}
