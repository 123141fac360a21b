import { datesInSteps } from '../../../base/time/recurrence/dates.ts'
import { MOST_DATES } from '../../../base/time/recurrence/lines.ts'
import { NAMESPACE } from '../../../http/address.ts'
import { ANONYMOUS, type Caller, mayRead } from '../../../http/auth/rights.ts'
import { list, moment, named, object, text } from '../../../http/openapi/parts.ts'
import { type AnyRoute, type Call, type InvalidParam, type Reply, route } from '../../../http/route.ts'
import { boolean } from '../../../model/kinds/boolean.ts'
import { eventDate } from '../../../model/kinds/date.ts'
import { field, type ValuesOf } from '../../../model/kinds/field.ts'
import { positive } from '../../../model/kinds/integer.ts'
import { recurrenceLines } from '../../../model/kinds/recurrence.ts'
import { zone } from '../../../model/kinds/zone.ts'
import type { Site } from '../../../model/site.ts'
import type { Storage } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { findEvent } from '../../event-store/rows.ts'
import { firstDateOf } from '../../event-store/series/recurring.ts'
import { storedEvents } from '../../event-store/series/rows.ts'
import type { Expansions } from '../expansions.ts'
import { checkedRecurrence, refusedRecurrence, timesAsked } from '../recurrence-routes.ts'
import { EVENTS_ABOUT } from '../schema.ts'
import type { Lookups } from '../show/load.ts'
import { overlapsInSlices } from './overlaps-in-slices.ts'
import { placementsOf } from './placements.ts'
import type { TakenTime } from './store.ts'
import type { Overlap, VenueTime } from './taken.ts'

/** Overlaps that a response shows. */
const SHOWN = 500
/** Overlaps that are counted at most. */
const COUNTED = 10_000

const FIELDS = [
  field('venue', positive, 'common.id', { required: true, example: 12 }),
  field('start_date', eventDate, 'api.events.startFirstDate', { required: true, example: '2027-04-17 09:30:00' }),
  field('end_date', eventDate, 'api.events.endFirstDateDefaults', {
    example: '2027-04-17 11:00:00',
  }),
  field('timezone', zone, 'api.events.timeZoneEvent', { example: 'Europe/Berlin' }),
  field('all_day', boolean, 'api.events.whetherEventLastsAll', { default: false }),
  field('recurrence', recurrenceLines, 'api.events.rruleRdateExdateLines'),
  field('exclude', positive, 'api.events.idEventIgnoreAll'),
] as const

const ABOUT = 'api.events.eventsVenueSameTime'

/** Of an event that does not recur. */
const ONCE = { ok: true, recurrence: { rule: undefined, added: [], excluded: [] } } as const

const START = moment('api.events.localStart', '2027-04-17 09:30:00')
const END = moment('api.events.localEnd', '2027-04-17 11:00:00')

const CONFLICTS = named(
  'VenueConflicts',
  object(ABOUT, {
    conflicts: list(
      'api.events.firstOverlaps',
      object(
        'api.events.dateEventOverlaps',
        {
          start_date: START,
          end_date: END,
          event: object('api.events.eventOmittedCallerRead', {
            id: { type: 'integer', description: 'common.id', examples: [12] },
            title: text('api.events.titleEvent', 'Spring Regatta'),
            url: text('api.events.urlEventApi', 'https://calendar.example/cal/events/v1/events/12'),
            utc_start_date: moment('api.startInUtc', '2027-04-17 07:30:00'),
            utc_end_date: moment('api.events.endInUtc', '2027-04-17 09:00:00'),
          }),
        },
        ['start_date', 'end_date'],
      ),
    ),
    total: { type: 'integer', minimum: 0, description: 'api.events.totalNumberOverlapsMost', examples: [1] },
    dates: { type: 'integer', minimum: 1, description: 'api.events.numberDatesChecked', examples: [1] },
    exclusive: { type: 'boolean', description: 'api.whetherVenueRejectsOverlapping' },
  }),
)

type ConflictsCall = Call<ValuesOf<typeof FIELDS>>

/** What the route needs. */
interface ConflictDeps {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: Lookups
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
  readonly expansions: Expansions
}

interface AskedTime extends VenueTime {
  readonly local: { readonly start_date: string; readonly end_date: string }
}

/** A question that has been understood. */
interface Question {
  readonly asked: readonly AskedTime[]
  readonly isExclusive: boolean
  /** An event that does not count, with all its dates. */
  readonly excluded: EventRow | undefined
}

/** Which events overlap the dates of an event that is being planned; open to everybody, its work is bounded. */
export function conflictRoutes(deps: ConflictDeps): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/conflicts',
      operation: 'listConflicts',
      summary: ABOUT,
      description: 'api.events.checksOneDateDates',
      group: { name: 'events', about: EVENTS_ABOUT },
      pathFields: [],
      fields: FIELDS,
      hasBody: false,
      fillsDefaults: true,
      response: { status: 200, schema: CONFLICTS },
      isCostly: true,
      errors: [],
      scope: 'read',
      open: () => true,
      resolve: (call, _item, refusals) => questionOf(deps, call, refusals),
      handle: async (call, _item, question) => {
        if (question === undefined) throw new Error('a refused question got past its refusal')
        return deps.expansions.compare(call.caller, () => answer(deps, call, question))
      },
    }),
  ]
}

/** Undefined where something was refused, which ends the request. */
async function questionOf(
  { storage, site, lookups, recurrenceYears, expansions }: ConflictDeps,
  { caller, values, now }: ConflictsCall,
  refusals: InvalidParam[],
): Promise<Question | undefined> {
  const { venue = 0, exclude } = values
  const row = (await lookups.venue.byIds(storage, [venue])).get(venue)
  if (row === undefined || !mayRead(caller, { authorId: row.author_id, status: row.status }))
    refusals.push({ name: 'venue', code: 'rest_invalid_param', reason: 'unknown_id' })
  const excluded = exclude === undefined ? undefined : await findEvent(storage, { by: 'id', id: exclude })
  const asked = await expansions.run(caller, (pause) =>
    datesAsked(values, { venue, site, now, recurrenceYears, pause }, refusals),
  )
  return asked && { asked, excluded, isExclusive: row?.exclusive === 1 }
}

async function datesAsked(
  values: ConflictsCall['values'],
  {
    venue,
    site,
    ...holding
  }: Pick<ConflictDeps, 'site' | 'recurrenceYears'> & { venue: number; now: number; pause: () => Promise<void> },
  refusals: InvalidParam[],
): Promise<readonly AskedTime[] | undefined> {
  const times = timesAsked(values, site, refusals)
  if (times === undefined) return undefined
  const { recurrence: lines = [] } = values
  const read = lines.length === 0 ? ONCE : await checkedRecurrence(times, lines, holding)
  const wanted = { limit: MOST_DATES, pause: holding.pause }
  const found = read.ok ? await datesInSteps(read.recurrence, firstDateOf(times), wanted) : read
  if (!found.ok) {
    refusals.push(refusedRecurrence(found.problem))
    return undefined
  }
  return found.dates.slice(0, MOST_DATES).map(({ start, end, utcStart, utcEnd }, id) => ({
    id,
    venue,
    start: utcStart,
    end: utcEnd,
    local: { start_date: start, end_date: end },
  }))
}

async function answer(
  { storage }: ConflictDeps,
  { caller, urls }: ConflictsCall,
  { asked, excluded, isExclusive }: Question,
): Promise<Reply> {
  const overlaps: Overlap<AskedTime, TakenTime>[] = []
  let total = 0
  const own = excluded === undefined ? [] : await placementsOf(storage, excluded)
  const others = { without: new Set(own.map(({ id }) => id)), pending: [], limit: COUNTED, lane: 'offloaded' } as const
  for await (const found of overlapsInSlices(storage, asked, others)) {
    overlaps.push(...found.slice(0, SHOWN - overlaps.length))
    total = Math.min(total + found.length, COUNTED)
    if (total === COUNTED) break
  }
  const isReadable = ({ author, status }: TakenTime): boolean => mayRead(caller, { authorId: author, status })
  const titles = await titlesOf(storage, caller, overlaps.map(({ taken }) => taken).filter(isReadable))
  const conflicts = overlaps.map(({ asked: { local }, taken }) => {
    const { id, event, start, end } = taken
    const title = isReadable(taken) ? titles.get(event) : undefined
    if (title === undefined) return local
    const data = { id, title, url: urls.root(`/${NAMESPACE}/events/${id}`) }
    return { ...local, event: { ...data, utc_start_date: start, utc_end_date: end } }
  })
  const body = { conflicts, total, dates: asked.length, exclusive: isExclusive }
  return { status: 200, body }
}

/** By the ID of the event; to those without credentials not of events that no list shows. */
async function titlesOf(
  storage: Storage,
  { id: caller }: Caller,
  taken: readonly TakenTime[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(taken.map(({ event }) => event))]
  const rows = await storedEvents(storage, ids)
  const shown = rows.filter(({ hide_from_listings: isHidden }) => caller !== ANONYMOUS.id || isHidden !== 1)
  return new Map(shown.map(({ id, title }) => [id, title]))
}
