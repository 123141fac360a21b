import type { EventsRoom, Lookups } from '../calendar/events/index.ts'
import type { AnyRoute } from '../http/route.ts'
import type { Site } from '../model/site.ts'
import type { Reader } from '../storage/engine.ts'

/** Dependencies of the pages. */
export interface PagesDeps {
  readonly reader: Reader
  readonly site: Site
  readonly lookups: Lookups
  /** All namespaces of the API by name, further names included: pages show their readers where these are. */
  readonly namespaces: readonly string[]
  /** The list of events, which every view asks. */
  readonly queries: EventsRoom['queries']
  /** Where faults of security are to be reported, a URI; '' for nowhere. It may change. */
  readonly contact: { readonly securityContact: string }
  /** The routes of iCalendar files. */
  readonly calendarFiles: readonly AnyRoute[]
}

/** What every page says of its site. */
export type SiteDeps = Pick<PagesDeps, 'site' | 'namespaces'>
