import type { Config } from '../base/config.ts'
import { datesOf } from '../base/time/recurrence/dates.ts'
import { readRecurrence } from '../base/time/recurrence/lines.ts'
import { type Mount, NAMESPACE, urlsOf } from '../http/address.ts'
import { ANONYMOUS } from '../http/auth/rights.ts'
import { callOf, dispatch } from '../http/dispatch.ts'
import { NOTHING, type RawInput } from '../http/request/body.ts'
import type { AnyRoute, Incoming } from '../http/route.ts'
import { readAssets } from '../pages/assets.ts'

/**
 * Likely first requests: the list reads every relation of an event and its time zones, the search starts a reading
 * process, the document covers all routes.
 */
const FIRST: readonly { readonly path: string; readonly query: RawInput }[] = [
  { path: '/events', query: NOTHING },
  { path: '/events', query: { search: 'warm' } },
  { path: '/venues', query: NOTHING },
  { path: '/categories', query: NOTHING },
  { path: '/doc', query: NOTHING },
]

const MOUNT: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/**
 * Runs the most common routes, so that no request waits for modules, time zones and processes to be loaded: a first
 * page took up to a second. Nothing is sent, cached or counted. A route that fails now reports that to its next caller.
 * @throws Error where a file for browsers is missing
 */
export async function warm(routes: readonly AnyRoute[], config: Config, now: () => number): Promise<void> {
  readAssets()
  warmDates(config.siteZone)
  for (const { path, query } of FIRST) {
    const route = routes.find((one) => one.method === 'GET' && one.path === path)
    if (route === undefined) continue
    await dispatch(route, callOf(route, anonymous(query, config, now()))).catch(() => undefined)
  }
}

/** Rules of the kinds that people write most: their steps are compiled once they have run some thousand times. */
const RULES = [
  ...['RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=1200', 'RRULE:FREQ=DAILY;COUNT=800', 'RRULE:FREQ=MONTHLY;COUNT=300'],
  ...['RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=200', 'RRULE:FREQ=YEARLY;COUNT=100'],
]

/** Works out some dates, so that the first recurring event takes no longer than others. */
function warmDates(zone: string): void {
  const first = { start: '2027-01-04 10:00:00', end: '2027-01-04 11:00:00', zone, isAllDay: false }
  for (const rule of RULES) {
    const read = readRecurrence([rule], first)
    if (read.ok) datesOf(read.recurrence, first)
  }
}

function anonymous(query: RawInput, { siteZone, iframeHosts, language, baseUrl }: Config, now: number): Incoming {
  return {
    caller: ANONYMOUS,
    now,
    context: { now, siteZone, iframeHosts },
    language,
    mount: MOUNT,
    urls: urlsOf(baseUrl, MOUNT),
    path: {},
    query,
    body: NOTHING,
  }
}
