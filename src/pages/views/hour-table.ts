import type { EventWithRelations } from '../../calendar/events/index.ts'
import { addressOf, colourOf, costText, imageElement, imageOf, placeText, titleOf } from '../cards.ts'
import { attendanceLabels, ownDirection } from '../content.ts'
import { clock, dayIn, hoursText, type Times } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import type { Slot } from './grid.ts'
import type { HourBlock, HourDay, HourGrid } from './hours.ts'
import { type ViewRequest, viewAddress } from './view.ts'

/** What an hour grid is shown with. */
export interface HourScene {
  readonly view: ViewRequest
  readonly byId: ReadonlyMap<number, EventWithRelations>
  readonly today: string
  /** The clock of the site, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
}

/**
 * Days side by side with their events at their hours; on phones the same list is an agenda. Places are classes (`h9 m6`
 * are nine hours and six times five minutes), because the policy of the pages allows no styles in elements.
 */
export function hourTable(grid: HourGrid, scene: HourScene): Markup {
  const isWeek = grid.days.length > 1
  return html`<ol class="week${isWeek ? '' : ' single'}">
${grid.days.map((day, index) => dayColumn(day, { ...scene, grid, index }))}</ol>`
}

interface ColumnScene extends HourScene {
  readonly grid: HourGrid
  readonly index: number
}

function dayColumn(column: HourDay, scene: ColumnScene): Markup {
  const { view, today, grid, index } = scene
  const { day, bars, blocks, hidden } = column
  const current = day === today ? html` class="today" aria-current="date"` : NOTHING
  const context = { ...scene, day }
  const left = hidden.length + blocks.filter(({ isLate }) => isLate).length
  return html`<li${current}>
${when(grid.days.length > 1, () => dayHeading(day, view))}
<div class="whole">${when(bars.length > 0, () => html`<ul>${bars.map((slot, lane) => bar(slot, { ...context, lane }))}${hidden.map((id) => late(id, context))}</ul>`)}</div>
<div class="timed ${span(grid.shown.to - grid.shown.from)}">${when(index === 0, () => marks(grid))}${missing(column, grid)}${when(
    blocks.length > 0,
    () => html`<ul>
${blocks.map((block) => (block.isLate ? late(block.id, context) : place(block, context)))}</ul>`,
  )}${nowLine(day, scene)}</div>
${when(left > 0, () => moreLink(left, context))}</li>
`
}

function dayHeading(day: string, view: ViewRequest): Markup {
  const { language } = view.context
  return html`<h2><a href="${viewAddress(view, `${day}/`)}"><time datetime="${day}"><span class="weekday">${dayIn(language, 'shortWeekday', day)}</span> <span class="date">${Number(day.slice(8))}</span></time></a></h2>`
}

/** Classes for a time or a length in minutes. */
function span(minutes: number): string {
  const fives = Math.round(minutes / 5)
  return `h${Math.floor(fives / 12)} m${fives % 12}`
}

function marks({ marks: all, shown }: HourGrid): Markup {
  return html`<div class="clocks" aria-hidden="true">${all.map(({ at, label }) => html`<span class="${span(at - shown.from)}">${label}</span>`)}</div>`
}

/** Hours that the clock of this day leaves out. */
function missing({ missing: gap }: HourDay, { shown }: HourGrid): Markup {
  if (gap === undefined) return NOTHING
  const from = Math.max(gap.from, shown.from)
  const length = Math.min(gap.to, shown.to) - from
  if (length <= 0) return NOTHING
  return html`<div class="missing ${span(from - shown.from)}" aria-hidden="true"><i class="${span(length)}"></i></div>`
}

function nowLine(day: string, { today, now, grid }: ColumnScene): Markup {
  if (day !== today) return NOTHING
  const at = grid.at(day, now)
  if (at < grid.shown.from || at >= grid.shown.to) return NOTHING
  return html`<div class="now ${span(at - grid.shown.from)}" aria-hidden="true"></div>`
}

interface DayScene extends ColumnScene {
  readonly day: string
}

/** An event above the hours: its name covers all of its days, and phones show it on each of them. */
function bar(slot: Slot, { lane, ...scene }: DayScene & { readonly lane: number }): Markup {
  if (slot.kind === 'gap') return html`<li class="gap" aria-hidden="true"></li>`
  const event = scene.byId.get(slot.id)
  if (event === undefined) return NOTHING
  if (slot.kind === 'event')
    return html`<li class="block long first last d1 ${colourOf(event)}">${link(event, scene)}</li>`
  const ends = html`${slot.isFirst ? ' first' : ''}${slot.isLast ? ' last' : ''}`
  if (!slot.isNamed) return html`<li class="block long on ${colourOf(event)}">${link(event, scene)}</li>`
  const { days } = scene.grid
  const later = days.slice(scene.index)
  const after = later.findIndex(({ bars }) => {
    const there = bars[lane]
    return there?.kind !== 'bar' || there.id !== slot.id
  })
  const length = after === -1 ? later.length : after
  const isWhole = later[length - 1]?.bars[lane]
  const last = isWhole?.kind === 'bar' && isWhole.isLast && !slot.isLast ? ' last' : ''
  return html`<li class="block long${ends}${last} d${length} ${colourOf(event)}">${link(event, scene)}</li>`
}

function place(block: HourBlock, scene: DayScene): Markup {
  const event = scene.byId.get(block.id)
  if (event === undefined) return NOTHING
  const from = block.from - scene.grid.shown.from
  const minutes = block.to - block.from
  const short = `${minutes <= 60 ? ' short' : ''} n${Math.min(4, Math.max(1, Math.floor(minutes / 30)))}`
  return html`<li class="block at l${block.lane} of${block.lanes}${short} ${span(from)} ${colourOf(event)}">${link(event, scene, span(block.to - block.from))}</li>
`
}

/** An event that has no room beside the others: only the agenda shows it. */
function late(id: number, scene: DayScene): Markup {
  const event = scene.byId.get(id)
  return event === undefined ? NOTHING : html`<li class="block late ${colourOf(event)}">${link(event, scene)}</li>\n`
}

/** Where everything of a day is: in the week its own page, on that page the list. */
function moreLink(count: number, { view, day, grid }: DayScene): Markup {
  const { context } = view
  const isSingle = grid.days.length === 1
  const dates: [string, string][] = [
    ['start_date', day],
    ['end_date', day],
  ]
  const address = isSingle ? viewAddress(view, '', dates) : viewAddress(view, `${day}/`)
  const text = context.say('pages.moreEvents', { count })
  const label = isSingle
    ? html`${text}`
    : html`<span aria-hidden="true">+${count}</span><span class="vh">${text}, ${dayIn(context.language, 'long', day)}</span>`
  return html`<div class="rest"><a class="more" href="${address}">${label}</a></div>`
}

function link(event: EventWithRelations, { view, day, grid }: DayScene, length = ''): Markup {
  const { context, deps } = view
  const { row, picture, categories } = event
  const isSingle = grid.days.length === 1
  const where = placeText(event, context)
  const cost = isSingle ? costText(event, { site: deps.site, context }) : ''
  const image = isSingle ? imageElement(imageOf(row, picture, context), { sizes: '8rem' }) : NOTHING
  const kind = isSingle ? (categories[0]?.name ?? '') : ''
  // What continues past midnight stands in its evening.
  const hours = length === '' ? html`${hoursText(context, row, day)}` : clocksOf(row)
  const facts = [kind, cost].filter((text) => text !== '').map((text) => html`<span class="label">${text}</span> `)
  const labels = html`${attendanceLabels(row, context)}${facts}`
  return html`<a class="${row.event_status === 'canceled' ? 'canceled ' : ''}${length}" href="${addressOf(event, context)}">${image}<span class="hours">${hours}</span> <strong${ownDirection(row.language)}>${titleOf(event, context)}</strong>${when(where !== '', () => html` <span class="place">${where}</span>`)}${when(labels.markup !== '', () => html` <span class="labels">${labels}</span>`)}</a>`
}

function clocksOf({ start_local: start, end_local: end }: Times): Markup {
  if (start === end) return html`${clock(start)}`
  return html`${clock(start)}<span class="end"> – ${clock(end)}</span>`
}
