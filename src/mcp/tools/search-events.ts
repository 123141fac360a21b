import { z } from 'zod'
import { type Failure, fail } from '../../base/errors.ts'
import { parseDate } from '../../base/time/parse.ts'
import { addToLocal, localFromMillis, toLocal, utcFromMillis } from '../../base/time/zones.ts'
import type { RawInput } from '../../http/request/body.ts'
import { EVENT_STATUSES } from '../../model/attendance.ts'
import { momentOf, rowOf } from '../project.ts'
import { areDays, cursor, id, next, row, term, when } from '../schemas.ts'
import { EVENTS, readTool, type ToolContext } from '../tool.ts'
import { readRows } from './pages.ts'

const NAME = 'search_events'

const INPUT = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Words in the title or text, or in names of venue, organizers, categories or tags'),
  from: when.optional().describe('Start of the span, by default now'),
  to: when.optional().describe('End of the span, by default 24 months after its start; a date includes that day'),
  venue: id.optional().describe('ID, see find_references'),
  organizer: id.optional().describe('ID, see find_references'),
  category: term.optional().describe('ID, slug or name'),
  tag: term.optional().describe('ID, slug or name'),
  near: z
    .strictObject({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180), km: z.number().positive() })
    .optional(),
  event_status: z.enum(EVENT_STATUSES).optional(),
  status: z
    .enum(['publish', 'future', 'draft', 'pending', 'private'])
    .default('publish')
    .describe('Others than publish need a token'),
  series: z.enum(['dates', 'first']).default('dates').describe('first gives one date of each recurring event'),
  limit: z.int().min(1).max(50).default(20),
  cursor: cursor.optional(),
})

/** The arguments of a search. */
export type SearchArguments = z.infer<typeof INPUT>

/** The result of a search. */
export const SEARCH_RESULT = z.strictObject({
  events: z.array(row),
  total: z.int(),
  cursor: next,
  now: z.string(),
  timezone: z.string(),
})

/** Finds events. */
export const SEARCH_EVENTS = readTool({
  name: NAME,
  title: 'Search events',
  description:
    'Finds events that overlap a span of time, in the order of their starts. Each date of a recurring event is an event.',
  input: INPUT,
  output: SEARCH_RESULT,
  run: searchEvents,
})

/** The events that overlap a span and meet the other arguments. */
export async function searchEvents(
  context: ToolContext,
  args: SearchArguments,
): Promise<z.infer<typeof SEARCH_RESULT>> {
  const query = (now: number): RawInput => queryOf(context, args, now)
  const list = { tool: NAME, path: EVENTS, member: 'events', query, names: ARGUMENTS, rowOf }
  const { rows, ...page } = await readRows(context, list, args)
  return { events: [...rows], ...page, now: siteMoment(context), timezone: context.site.zone }
}

const ARGUMENTS = {
  ...{ ends_after: 'from', starts_before: 'to', about: 'text', categories: 'category', tags: 'tag' },
  ...{ geoloc_lat: 'near', geoloc_lng: 'near', geoloc_radius: 'near' },
}

/** The present moment on the clock of the site. */
export function siteMoment(context: ToolContext): string {
  return momentOf(localNow(context), utcFromMillis(context.now), context.site.zone)
}

/** The same as a reading of that clock. */
export function localNow({ now, site }: Pick<ToolContext, 'now' | 'site'>): string {
  return localFromMillis(now, site.zone)
}

function queryOf({ site }: ToolContext, args: SearchArguments, now: number): RawInput {
  const { from, to, near, status, series } = args
  const start = from === undefined ? localNow({ now, site }) : siteClock(from, site.zone, 'start')
  const end = to === undefined ? start && addToLocal(start, { months: 24 }) : siteClock(to, site.zone, 'end')
  // A span of one moment is one; a day ends where the next one starts.
  if (start !== undefined && end !== undefined && (end < start || (areDays(to) && end === start))) throw reversed(from)
  // As the member of an object a name may have a comma.
  const term = (named: number | string | undefined) => (named === undefined ? undefined : { named })
  return {
    ...{ about: args.text, venue: args.venue, organizer: args.organizer, event_status: args.event_status },
    ...{ status, strict_dates: true, ends_after: start ?? from, starts_before: end ?? to },
    ...{ categories: term(args.category), tags: term(args.tag) },
    ...(near && { geoloc_lat: near.lat, geoloc_lng: near.lng, geoloc_radius: near.km }),
    ...(series === 'first' && { hide_subsequent_recurrences: true }),
  }
}

/** Nothing would be found, and a program would take that for an answer. */
function reversed(from: string | undefined): Failure {
  const params = { to: `Must not be before from${from === undefined ? ', which is now if it is not sent' : ''}` }
  return fail('rest_invalid_param', { params: 'to' }, { params })
}

/** A moment on the clock of the site; a date is its first second, or the first one after it. Undefined if there is no such date. */
function siteClock(sent: string, zone: string, edge: 'start' | 'end'): string | undefined {
  const parsed = parseDate(sent, { now: 0, zone })
  if (!parsed.ok) return undefined
  if (parsed.kind === 'instant') return toLocal(parsed.utc, zone)
  return edge === 'start' || parsed.hasTime ? parsed.local : addToLocal(parsed.local, { days: 1 })
}
