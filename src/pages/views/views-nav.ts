import { subscribeMenu } from '../calendar-links.ts'
import { endsMonth, endsWeek, todayIn } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { feedFilters } from './filters.ts'
import { type DayRange, periodQuery } from './period.ts'
import { sentDates } from './question.ts'
import { feedsOf, type ViewName, type ViewRequest, viewAddress, weekStart } from './view.ts'

/**
 * The navigation between the views of one scope, which keeps filters and dates, and the way to subscribe to its events. `day` is the day that the other views show,
 * `days` those of this one, which the list shows unless today is one of them.
 */
// biome-ignore lint/complexity/useMaxParams: what is shown, and as which view
export async function viewsNav(
  view: ViewRequest,
  current: ViewName,
  day: string,
  days?: Required<DayRange>,
): Promise<Markup> {
  const dates = sentDates(view.incoming)
  const today = todayIn(view.deps.site.zone, view.incoming.now)
  const isPresent = days === undefined || (days.from <= today && today <= days.to)
  const listed = dates.length > 0 || isPresent ? dates : periodQuery(days)
  const { say } = view.context
  const isToday = day === today
  const tabs = [
    ['list', say('common.list'), ''],
    ['month', say('common.month'), isToday && endsMonth(day) ? 'month/' : `${day.slice(0, 7)}/`],
    ['week', say('pages.week'), isToday && endsWeek(weekStart(view), day) ? 'week/' : `week/${day}/`],
    ['day', say('common.day'), `${day}/`],
    ...((view.deps.site.map?.tiles ?? '') === '' ? [] : [['map', say('pages.map'), 'map/'] as const]),
  ] as const
  return html`<nav class="views" aria-label="${say('pages.views')}"><ul>
${tabs.map(
  ([name, label, tail]) =>
    html`<li><a href="${viewAddress(view, tail, name === 'list' ? listed : dates)}"${when(name === current, () => html` aria-current="page"`)}>${label}</a></li>\n`,
)}</ul></nav>${await subscription(view)}`
}

/** The menu that subscribes to the events that the filters of a view leave; nothing where not everybody may read them. */
async function subscription(view: ViewRequest): Promise<Markup> {
  const { deps, context, scope } = view
  if (scope.isPrivate) return NOTHING
  const labels = (await feedFilters(view)).map(({ label }) => label)
  const name = [scope.name || deps.site.name, ...labels].join(' · ')
  return subscribeMenu(context, { file: feedsOf(view).calendar, name })
}

/** The head of a view: its heading, and the other views. `day` is the day that these show. */
export async function viewHead(
  view: ViewRequest,
  {
    current,
    day,
    days,
    title,
  }: { readonly current: ViewName; readonly day: string; readonly days?: Required<DayRange>; readonly title: Markup },
): Promise<Markup> {
  return html`<div class="head">${title}${await viewsNav(view, current, day, days)}</div>\n`
}
