import type { EventBrief } from '../../calendar/events/index.ts'
import { addressOf, colourOf, titleOf } from '../cards.ts'
import { ownDirection, struckIfOff } from '../content.ts'
import { clock, dayIn, lastDay } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import type { DaySpan, MonthBar, MonthDay, MonthWeek } from './month-grid.ts'
import type { ViewRequest } from './view.ts'

/** What a month is shown with. */
export interface MonthScene {
  readonly view: ViewRequest
  /** `2026-11` */
  readonly month: string
  readonly today: string
  readonly byId: ReadonlyMap<number, EventBrief>
}

/** Most dots of a day on phones: one for each color. */
const DOTS = 3

/** ID of the agenda of a day, to which numbers and `+2 more` lead. */
export function dayAnchor(day: string): string {
  return `d-${day}`
}

/** ID of the number of a day, where its agenda was opened. */
export function numberAnchor(day: string): string {
  return `n-${day}`
}

/** A month as a table: the same is a small month with dots on phones. Everything else of a day is in its agenda. */
export function monthTable(weeks: readonly MonthWeek[], scene: MonthScene): Markup {
  const { language } = scene.view.context
  const heads = (weeks[0]?.days ?? []).map(
    ({ day }) =>
      html`<th scope="col"><abbr title="${dayIn(language, 'weekday', day)}">${dayIn(language, 'shortWeekday', day)}</abbr></th>`,
  )
  return html`<table class="month">
<caption class="vh">${dayIn(language, 'month', `${scene.month}-01`)}</caption>
<thead><tr>${heads}</tr></thead>
${weeks.map((week, index) => weekRows(week, { ...scene, isFirst: index === 0 }))}</table>`
}

type WeekScene = MonthScene & { readonly isFirst: boolean }

function weekRows(week: MonthWeek, scene: WeekScene): Markup {
  const { days, bars, long } = week
  const classOf = (day: string): Markup => {
    const names = [
      day.startsWith(scene.month) ? '' : 'out',
      day < scene.today ? 'past' : '',
      day === scene.today ? 'today' : '',
    ].filter((name) => name !== '')
    return names.length === 0 ? NOTHING : html` class="${names.join(' ')}"`
  }
  return html`<tbody>
<tr class="nums">${days.map((day, index) => html`<td${classOf(day.day)}>${number(day, { ...scene, isFirst: scene.isFirst && index === 0 })}${dots(day, scene)}</td>`)}</tr>
${when(long.length > 0, () => html`<tr class="long"><td colspan="7">${longLine(week, scene)}</td></tr>\n`)}${bars.map((lane) => html`<tr class="bars">${barCells(lane, scene)}</tr>\n`)}<tr class="evs">${days.map((day) => html`<td${classOf(day.day)}>${lines(day, scene)}</td>`)}</tr>
</tbody>
`
}

function number({ day }: MonthDay, { view, today, isFirst }: WeekScene): Markup {
  const { language } = view.context
  const isNamed = isFirst || day.endsWith('-01')
  const name = when(isNamed, () => html` <small>${dayIn(language, 'shortMonth', day)}</small>`)
  return html`<h2><a id="${numberAnchor(day)}" href="#${dayAnchor(day)}"${when(day === today, () => html` aria-current="date"`)}><time datetime="${day}"><span class="vh">${dayIn(language, 'long', day)}</span><span aria-hidden="true">${Number(day.slice(8))}${name}</span></time></a></h2>`
}

function dots({ own }: MonthDay, { byId }: MonthScene): Markup {
  const events = own.flatMap((id) => byId.get(id) ?? [])
  const colours = [...new Set(events.map(colourOf))].slice(0, DOTS)
  return when(
    colours.length > 0,
    () => html`<div class="dots" aria-hidden="true">${colours.map((name) => html`<i class="${name}"></i>`)}</div>`,
  )
}

/** The title of an event as a calendar writes it: where it is cut, at its own end. */
export function briefTitle(event: EventBrief, { view: { context } }: Pick<MonthScene, 'view'>): Markup {
  const { row } = event
  return struckIfOff(html`<b${ownDirection(row.language)}>${titleOf(event, context)}</b>`, row, context)
}

function link(
  event: EventBrief,
  { scene, before = NOTHING }: { readonly scene: MonthScene; readonly before?: Markup },
) {
  return html`<a class="${colourOf(event)}" href="${addressOf(event, scene.view.context)}">${before}${briefTitle(event, scene)}</a>`
}

/** What takes longer than a week as one line, which opens. */
function longLine({ long, days }: MonthWeek, scene: MonthScene): Markup {
  const { say, language } = scene.view.context
  const shown = long.flatMap((span) => {
    const event = scene.byId.get(span.id)
    return event === undefined ? [] : [{ event, span }]
  })
  const timeOf = ({ first, last }: DaySpan): string =>
    first > (days[0]?.day ?? '')
      ? say('pages.fromDate', { date: dayIn(language, 'medium', first) })
      : say('pages.until', { date: dayIn(language, 'medium', last) })
  const names = shown.map(
    ({ event, span }) =>
      html`<span class="dot ${colourOf(event)}">${briefTitle(event, scene)} <small>${timeOf(span)}</small></span>`,
  )
  const items = shown.map(
    ({ event, span }) => html`<li>${link(event, { scene })} <small>${timeOf(span)}</small></li>\n`,
  )
  return html`<details><summary><b>${say('pages.stillOnCount', { count: long.length })}</b> <span class="names" aria-hidden="true">${names}</span></summary><ul>
${items}</ul></details>`
}

function barCells(lane: readonly MonthBar[], scene: MonthScene): Markup[] {
  const cells: Markup[] = []
  let column = 0
  for (const bar of lane) {
    for (; column < bar.column; column += 1) cells.push(html`<td></td>`)
    const event = scene.byId.get(bar.id)
    const ends = `${bar.isFrom ? ' from' : ''}${bar.isTo ? ' to' : ''}`
    cells.push(
      html`<td class="span${ends}" colspan="${bar.days}">${event === undefined ? NOTHING : link(event, { scene })}</td>`,
    )
    column += bar.days
  }
  for (; column < 7; column += 1) cells.push(html`<td></td>`)
  return cells
}

function lines({ day, lines: ids, hidden }: MonthDay, scene: MonthScene): Markup {
  const { view, byId } = scene
  const { say, language } = view.context
  const more = html`<li><a class="more" href="#${dayAnchor(day)}">${say('pages.moreCount', { count: hidden })}<span class="vh">, ${dayIn(language, 'long', day)}</span></a></li>`
  const items = ids.flatMap((id) => {
    const event = byId.get(id)
    return event === undefined ? [] : [line(event, scene)]
  })
  return when(ids.length > 0, () => html`<ul>${items}${when(hidden > 0, () => more)}</ul>`)
}

function line(event: EventBrief, scene: MonthScene): Markup {
  const { row } = event
  const isTimed = row.all_day === 0 && lastDay(row) === row.start_local.slice(0, 10)
  const before = isTimed ? html`<time>${clock(row.start_local)}</time> ` : NOTHING
  return html`<li${when(!isTimed, () => html` class="whole"`)}>${link(event, { scene, before })}</li>`
}
