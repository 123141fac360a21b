import type { EventWithRelations, ListedMoments } from '../../calendar/events/index.ts'
import type { Dependency } from '../../http/cache/versions.ts'
import type { Paging } from '../../http/paging.ts'
import type { Freshness } from '../../http/route.ts'
import { EVENT_STATUSES } from '../../model/attendance.ts'
import { booleanOf } from '../../model/kinds/boolean.ts'
import { lastDay, todayIn } from '../dates.ts'
import { type DayRange, isStillOn, periodBounds, periodOf } from './period.ts'
import { ask, type FoundEvents, hasDates, past, upcoming } from './question.ts'
import { questionOf, type ViewRequest } from './view.ts'

/** Events of a page unless a request says how many. */
const PAGE_SIZE = 30

/** Events on a page that have started before the days of the list. */
const RUNNING_MOST = 100

/** All of these: more are not shown. */
const ALL_RUNNING: Paging = { page: 1, perPage: 5_000, offset: 0 }

/** The statuses of events that take place. */
const TAKES_PLACE = EVENT_STATUSES.filter((status) => status !== 'canceled').join(',')

/** The events of a page of a list. */
export interface Listed {
  /** What has started before the first day and belongs to it: a festival of the weekend. */
  readonly begun: readonly EventWithRelations[]
  readonly dated: readonly EventWithRelations[]
  /** What runs longer than the days of the list. */
  readonly stillOn: readonly EventWithRelations[]
  /** On all pages; a repeating event counts once. */
  readonly total: number
  readonly paging: Paging
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** Undefined where it is rebuilt each time. */
  readonly freshness: Freshness | undefined
}

/** What a list of events is asked for. */
export interface ListQuestion {
  /** Words that were searched for; '' for none. */
  readonly words: string
  /** The days; absent for everything that is to come. */
  readonly period?: DayRange
}

/** The order and the size of a list that was not asked for another, and one date of each repeating event. */
export function listDefaults({ incoming, scope }: ViewRequest, words: string): Record<string, string> {
  const { per_page, hide_subsequent_recurrences: first } = incoming.query
  return {
    ...(words !== '' && { about: words }),
    ...((per_page ?? '') === '' && { per_page: String(PAGE_SIZE) }),
    // The dates of a series are what its own list is about.
    ...(first === undefined && scope.filter['series'] === undefined && { hide_subsequent_recurrences: 'true' }),
  }
}

/** Whether a request says which statuses it wants events of. */
export function choosesStatus({ incoming: { query } }: Pick<ViewRequest, 'incoming'>): boolean {
  return (query['event_status'] ?? '') !== ''
}

/** What is to come, or takes place in a period: what starts then, page by page, and what has started before; each series once. */
export async function listEvents(view: ViewRequest, asked: ListQuestion): Promise<Listed> {
  const { days, earlier, running, set } = await runningThen(view, asked)
  const found = await datedOnce(view, { running, set })
  const { page, perPage } = found.paging
  const start = (page - 1) * RUNNING_MOST
  const begun = await earlier.events(running.slice(start, start + RUNNING_MOST).map(({ id }) => id))
  const isLong = ({ row }: EventWithRelations): boolean => isStillOn(row, days)
  return {
    begun: begun.filter((event) => !isLong(event)),
    dated: await found.events(found.ids),
    stillOn: begun.filter(isLong),
    total: found.total + running.length,
    paging: found.paging,
    hasMore: page * perPage < found.total || page * RUNNING_MOST < running.length,
    freshness: bothFresh(found.freshness, earlier.freshness),
  }
}

/** The first events of a list that have a place, as many as a map shows: each series once. */
export async function listOnMap(view: ViewRequest, most: number) {
  const { deps, incoming } = view
  const period = periodOf(incoming, todayIn(deps.site.zone, incoming.now))
  const first: Paging = { page: 1, perPage: most, offset: 0 }
  const placed = { geoloc: 'true' }
  if (period === undefined && hasDates(incoming)) {
    const found = await ask(questionOf(view, { ...listDefaults(view, ''), ...placed, page: '1' }, true), first)
    return { period, events: await found.events(found.ids), freshness: found.freshness }
  }
  const { earlier, running, set } = await runningThen(
    view,
    { words: '', ...(period !== undefined && { period }) },
    placed,
  )
  const found = await datedOnce(view, { running, set }, first)
  const events = await found.events([...running.map(({ id }) => id), ...found.ids].slice(0, most))
  return { period, events, freshness: bothFresh(found.freshness, earlier.freshness) }
}

/** What is on when a list starts, each series once, and how to ask for what starts later; `also` narrows both. */
async function runningThen(
  view: ViewRequest,
  { words, period }: ListQuestion,
  also: Readonly<Record<string, string>> = {},
) {
  const { deps, incoming } = view
  const days = period ?? { from: todayIn(deps.site.zone, incoming.now) }
  const bounds = periodBounds(days)
  const notOver = period === undefined ? upcoming(deps.site.zone, incoming.now).set : {}
  // What a search finds of canceled events stands behind them, unless it says itself which it wants.
  const set = {
    ...listDefaults(view, words),
    ...(words !== '' && !choosesStatus(view) && { event_status: TAKES_PLACE }),
    ...also,
  }
  const earlier = await ask(questionOf(view, { ...set, ...bounds.running, ...notOver, page: '1' }), ALL_RUNNING)
  // A night of the day before is none of the days that were asked for; in the list of what is to come it is still on.
  const running = (await view.queries.moments(earlier.ids)).filter(
    (one) => period === undefined || lastDay(one) >= period.from,
  )
  return { days, earlier, running, set: { ...set, ...bounds.dated, ...notOver } }
}

/** What is on when a list starts, and how to ask for what starts later. */
interface Later {
  readonly running: readonly ListedMoments[]
  readonly set: Readonly<Record<string, string>>
}

/** A page of what starts in a period, without the next dates of series that are on at its start: these are shown already. */
async function datedOnce(view: ViewRequest, { running, set }: Later, window?: Paging): Promise<FoundEvents> {
  const found = await ask(questionOf(view, set), window)
  const again = await datesAgain(view, { running, set })
  if (again.size === 0) return found
  const { page, perPage } = found.paging
  const end = Math.min(page * perPage, found.total) + again.size
  const { ids } = await ask(questionOf(view, { ...set, page: '1' }), { page: 1, perPage: end, offset: 0 })
  const once = ids.filter((id) => !again.has(id))
  return { ...found, ids: once.slice((page - 1) * perPage, page * perPage), total: found.total - again.size }
}

/** The dates that a list has of repeating events which are on at the moment, where it has one of each. */
async function datesAgain(view: ViewRequest, { running, set }: Later): Promise<ReadonlySet<number>> {
  const sent = { ...view.incoming.query, ...set }
  if (booleanOf(sent['hide_subsequent_recurrences']) !== true) return new Set()
  const series = new Set(running.flatMap(({ series_id }) => series_id ?? []))
  const dates = [...series].map(async (id) => {
    const { ids } = await ask(questionOf(view, { ...set, series: String(id), page: '1', per_page: '1' }))
    return ids
  })
  return new Set((await Promise.all(dates)).flat())
}

function bothFresh(one: Freshness | undefined, other: Freshness | undefined): Freshness | undefined {
  if (one === undefined || other === undefined) return undefined
  const until = Math.min(one.until ?? Number.POSITIVE_INFINITY, other.until ?? Number.POSITIVE_INFINITY)
  const dependencies: readonly Dependency[] = [...one.dependencies, ...other.dependencies]
  return { dependencies, ...(until < Number.POSITIVE_INFINITY && { until }) }
}

/** A list in another order than that of time, or of the moments that a program asked for. */
export async function listOrdered(view: ViewRequest, { words, period }: ListQuestion, keepsDates: boolean) {
  const { deps, incoming } = view
  const isNear = incoming.query['geoloc_lat'] !== undefined && incoming.query['orderby'] === undefined
  const bounds = period === undefined ? upcoming(deps.site.zone, incoming.now).set : overlapSet(period)
  const set = { ...listDefaults(view, words), ...(isNear && { orderby: 'distance' }) }
  return listedOf(await ask(questionOf(view, keepsDates ? set : { ...set, ...bounds }, keepsDates)))
}

function overlapSet(period: DayRange): Record<string, string> {
  const { dated, running } = periodBounds(period)
  const { start_date: _, ...ends } = dated
  return { ...ends, ends_after: running['ends_after'] ?? '' }
}

/** How many events a list has that is asked with the parameters of a request. */
export async function countEvents(view: ViewRequest): Promise<number> {
  const { deps, incoming } = view
  const period = periodOf(incoming, todayIn(deps.site.zone, incoming.now))
  const isExact = period === undefined && hasDates(incoming)
  const bounds = period === undefined ? upcoming(deps.site.zone, incoming.now).set : overlapSet(period)
  const set = { ...listDefaults(view, ''), ...(!isExact && bounds), per_page: '1', page: '1' }
  return (await ask(questionOf(view, set, isExact))).total
}

/** What is over, the latest first: a page of the list counted from its end. */
export async function listBackwards(view: ViewRequest, words: string): Promise<Listed> {
  const { set } = past(view.deps.site.zone, view.incoming.now)
  const asked = Number(view.incoming.query['page'] ?? 1)
  const page = Number.isInteger(asked) && asked > 0 && asked < 1e9 ? asked : 1
  const { hide_subsequent_recurrences: _, ...defaults } = listDefaults(view, words)
  let size = 0
  const found = await ask(questionOf(view, { ...defaults, ...set, page: '1' }), (total, perPage): Paging => {
    size = perPage
    const end = Math.max(0, total - (page - 1) * size)
    const offset = Math.max(0, end - size)
    return { page, perPage: end - offset, offset }
  })
  const paging = { page, perPage: size, offset: (page - 1) * size }
  return listedOf({ ...found, ids: found.ids.toReversed(), paging })
}

async function listedOf(found: FoundEvents): Promise<Listed> {
  const { total, paging, freshness } = found
  const dated = await found.events(found.ids)
  const hasMore = paging.page * paging.perPage < total
  return { begun: [], dated, stillOn: [], total, paging, hasMore, freshness }
}
