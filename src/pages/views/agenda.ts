import type { EventBrief } from '../../calendar/events/index.ts'
import { addressOf, colourOf, placeText } from '../cards.ts'
import { dayIn, hoursText, lastDay, machineTime } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import type { MonthDay } from './month-grid.ts'
import { briefTitle, dayAnchor, type MonthScene, numberAnchor } from './month-table.ts'

/**
 * Everything of each day: below the small month on phones, over the month elsewhere for a day that was chosen, and all of it on
 * paper. `chosen` is the day that is there before anybody chooses.
 */
export function monthAgenda(days: readonly MonthDay[], chosen: string, scene: MonthScene): Markup {
  return html`<div class="agenda">
${days.map((day) => section(day, { ...scene, chosen }))}</div>`
}

function section({ day, own, long }: MonthDay, scene: MonthScene & { readonly chosen: string }): Markup {
  const { view, today, chosen } = scene
  const { say, language } = view.context
  const date = dayIn(language, 'long', day)
  const classes = [
    own.length + long.length === 0 ? 'free' : '',
    own.length === 0 ? 'quiet' : '',
    day === chosen ? 'chosen' : '',
  ].filter((name) => name !== '')
  const heading = day === today ? say('pages.todayDate', { date }) : date
  return html`<section id="${dayAnchor(day)}" class="${classes.join(' ')}" aria-labelledby="h-${day}"><div class="name"><h2 id="h-${day}">${heading}</h2><a class="close" href="#${numberAnchor(day)}">${say('pages.close')}</a></div>
${when(own.length > 0, () => html`<ol>${rows(own, day, scene)}</ol>\n`)}${when(long.length > 0, () => html`<h3>${say('pages.stillOn')}</h3>\n<ul>${rows(long, day, scene)}</ul>\n`)}${when(own.length + long.length === 0, () => html`<p>${say('pages.noneOnDay')}</p>\n`)}</section>
`
}

function rows(ids: readonly number[], day: string, scene: MonthScene): Markup[] {
  return ids.flatMap((id) => {
    const event = scene.byId.get(id)
    return event === undefined ? [] : [row(event, day, scene)]
  })
}

function row(event: EventBrief, day: string, scene: MonthScene): Markup {
  const { context } = scene.view
  const { row: times, categories } = event
  const place = placeText(event, context)
  const name = html`<a href="${addressOf(event, context)}">${briefTitle(event, scene)}</a>`
  const [category] = categories
  const kind =
    category === undefined ? NOTHING : html`<span class="kind dot ${colourOf(event)}">${category.name}</span>`
  const isLong = lastDay(times) > times.start_local.slice(0, 10)
  return html`<li${when(isLong, () => html` class="long"`)}><time datetime="${machineTime(times)}">${hoursText(context, times, day)}</time><div>${name}${when(place !== '', () => html`<p>${place}</p>`)}${kind}</div></li>
`
}
