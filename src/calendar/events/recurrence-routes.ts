import { recurrenceInWords } from '../../base/i18n/recurrence/in-words.ts'
import { datesInSteps, isEndless, type RecurringDates } from '../../base/time/recurrence/dates.ts'
import { type FirstDate, MOST_DATES, type Recurrence, readingSteps } from '../../base/time/recurrence/lines.ts'
import type { RuleProblem } from '../../base/time/recurrence/rule.ts'
import { inSteps } from '../../base/time/recurrence/steps.ts'
import { writingSteps } from '../../base/time/recurrence/write.ts'
import { list, moment, named, object, text } from '../../http/openapi/parts.ts'
import { type AnyRoute, type Call, type InvalidParam, type Reply, route } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { eventDate } from '../../model/kinds/date.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { recurrenceLines } from '../../model/kinds/recurrence.ts'
import { zone } from '../../model/kinds/zone.ts'
import type { Site } from '../../model/site.ts'
import { firstDateOf } from '../event-store/series/recurring.ts'
import type { Expansions } from './expansions.ts'
import { EVENTS_ABOUT } from './schema.ts'
import { datesHeld, type Holding } from './series/dates.ts'
import { type EventTimes, resolveTimes } from './write/rules.ts'

/** Dates that are shown by default. */
const SHOWN = 50
/** Dates that the words of a recurrence may need, however few are shown. */
const ENOUGH_FOR_WORDS = 6

const FIELDS = [
  field('start_date', eventDate, 'api.events.startFirstDate', { required: true, example: '2027-04-17 09:30:00' }),
  field('end_date', eventDate, 'api.events.endFirstDateDefaults', {
    example: '2027-04-17 11:00:00',
  }),
  field('timezone', zone, 'api.events.timeZoneEvent', { example: 'Europe/Berlin' }),
  field('all_day', boolean, 'api.events.whetherEventLastsAll', { default: false }),
  field('recurrence', recurrenceLines, 'api.events.rruleRdateExdateLines', {
    required: true,
    example: ['RRULE:FREQ=WEEKLY;COUNT=10', 'EXDATE:20270501T093000'],
  }),
  field('limit', positive, 'api.events.maximumNumberDatesReturn', { default: SHOWN }),
] as const

const LOCAL = '2027-04-17 09:30:00'

const DATES = named(
  'RecurrenceDates',
  object('api.events.datesRecurrence', {
    dates: list(
      'api.events.firstDatesOrder',
      object('api.events.dateOfPreview', {
        start_date: moment('api.events.localStart', LOCAL),
        end_date: moment('api.events.localEnd', '2027-04-17 11:00:00'),
        utc_start_date: moment('api.startInUtc', '2027-04-17 07:30:00'),
        utc_end_date: moment('api.events.endInUtc', '2027-04-17 09:00:00'),
      }),
    ),
    total: {
      type: ['integer', 'null'],
      minimum: 1,
      description: 'api.events.totalNumberDatesNull',
      examples: [9],
    },
    text: text('api.events.recurrenceWordsLanguageRequest', 'every Tuesday, 10 times'),
    recurrence: list('api.events.theNormalizedLines', text('api.events.lineRfc5545', 'RRULE:FREQ=WEEKLY;COUNT=10')),
  }),
)

/** What is sent of the first date of an event. */
type FirstDateValues = Pick<PreviewCall['values'], 'start_date' | 'end_date' | 'timezone' | 'all_day'>

type PreviewCall = Call<ValuesOf<typeof FIELDS>>

/** A recurrence preview. */
interface Preview {
  readonly first: FirstDate
  readonly recurrence: Recurrence
  readonly found: Extract<RecurringDates, { ok: true }>
  /** In normal form. */
  readonly lines: readonly string[]
  readonly limit: number
}

/** What lines of a recurrence are checked with. */
interface RecurrenceDeps {
  readonly site: Site
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
  readonly expansions: Expansions
}

/** The routes that evaluate a recurrence without storing anything; open to everybody, their work is bounded. */
export function recurrenceRoutes(deps: RecurrenceDeps): AnyRoute[] {
  return [previewRoute('GET', deps), previewRoute('POST', deps)]
}

function previewRoute(method: 'GET' | 'POST', deps: RecurrenceDeps): AnyRoute {
  return route({
    method,
    path: '/recurrence',
    operation: method === 'GET' ? 'getRecurrenceDates' : 'previewRecurrence',
    summary: 'api.events.previewDatesRecurrence',
    description: 'api.events.returnsFirstDatesEvent',
    group: { name: 'events', about: EVENTS_ABOUT },
    pathFields: [],
    fields: FIELDS,
    hasBody: method === 'POST',
    fillsDefaults: true,
    response: { status: 200, schema: DATES },
    isCostly: true,
    errors: [],
    scope: method === 'GET' ? 'read' : 'events:write',
    open: () => true,
    resolve: (call, _item, refusals) => previewOf(call, deps, refusals),
    handle: async (call, _item, preview) => {
      if (preview === undefined) throw new Error('a refused recurrence got past its refusal')
      return replyOf(preview, call.language)
    },
  })
}

/** Undefined where something was refused, which ends the request. */
async function previewOf(
  call: PreviewCall,
  deps: RecurrenceDeps,
  refusals: InvalidParam[],
): Promise<Preview | undefined> {
  const { limit = SHOWN, recurrence: lines } = call.values
  if (limit > MOST_DATES) refusals.push({ name: 'limit', code: 'rest_invalid_param', reason: 'out_of_range' })
  const times = timesAsked(call.values, deps.site, refusals)
  if (times === undefined || lines === undefined) return undefined
  return deps.expansions.run(call.caller, async (pause) => {
    const checked = await checkedRecurrence(times, lines, { ...deps, now: call.now, pause })
    const found = checked.ok
      ? await datesInSteps(checked.recurrence, checked.first, { limit: Math.max(ENOUGH_FOR_WORDS, limit), pause })
      : checked
    if (!found.ok) refusals.push(refusedRecurrence(found.problem))
    if (!checked.ok || !found.ok) return undefined
    const { first, recurrence } = checked
    return { first, recurrence, found, limit, lines: await inSteps(writingSteps(recurrence, first), pause) }
  })
}

/** A recurrence that an event may be created with, or what is wrong with it. */
type CheckedRecurrence =
  | { readonly ok: true; readonly first: FirstDate; readonly recurrence: Recurrence }
  | { readonly ok: false; readonly problem: RuleProblem }

/** Reads the lines of an event that is being planned, in steps; what its creation would refuse is refused. */
export async function checkedRecurrence(
  times: EventTimes,
  lines: readonly string[],
  { pause, ...holding }: Holding & { readonly pause: () => Promise<void> },
): Promise<CheckedRecurrence> {
  const first = firstDateOf(times)
  const read = await inSteps(readingSteps(lines, first), pause)
  if (!read.ok) return read
  const held = await datesInSteps(read.recurrence, first, { ...datesHeld(times, read.recurrence, holding), pause })
  return held.ok ? { ...read, first } : held
}

/** When the first date that is sent takes place; undefined where something was refused. */
export function timesAsked(values: FirstDateValues, site: Site, refusals: InvalidParam[]): EventTimes | undefined {
  const { start_date, end_date = start_date, timezone = '', all_day = false } = values
  if (start_date === undefined || end_date === undefined) return undefined
  const resolved = resolveTimes(undefined, { start_date, end_date, timezone, all_day }, site.zone)
  if (resolved.ok) return resolved.times
  refusals.push({ name: resolved.name, code: 'rest_invalid_param', reason: resolved.reason })
  return undefined
}

function replyOf({ first, recurrence, found, lines, limit }: Preview, language: string): Reply {
  const dates = found.dates.slice(0, limit).map(({ start, end, utcStart, utcEnd }) => ({
    start_date: start,
    end_date: end,
    utc_start_date: utcStart,
    utc_end_date: utcEnd,
  }))
  const total = isEndless(recurrence) ? null : (found.total ?? null)
  const text = recurrenceInWords({ recurrence, first, dates: () => found.dates }, language)
  return { status: 200, body: { dates, total, text, recurrence: lines } }
}

/** The refusal of a recurrence, which names the part that is wrong. */
export function refusedRecurrence({ part, reason }: RuleProblem): InvalidParam {
  return { name: 'recurrence', code: 'rest_invalid_param', reason: 'bad_recurrence', detail: `${part} ${reason}` }
}
