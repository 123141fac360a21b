import { ANONYMOUS } from '../../auth/caller.ts'
import { visibilityOf } from '../../entries/listing.ts'
import { eventsByIds } from '../../event-store/rows.ts'
import type { Urls } from '../../http/urls.ts'
import type { Site } from '../../model/site.ts'
import type { Reader } from '../../storage/engine.ts'
import { toLocal, utcFromMillis } from '../../time/zones.ts'
import { type Lookups, presentEvents } from '../show/load.ts'
import { EVERYTHING, type EventQuery } from './filters.ts'
import { planOf } from './plan.ts'

/** Which events a page wants to show next. */
export interface UpcomingQuestion {
  readonly site: Site
  readonly lookups: Lookups
  readonly urls: Urls
  /** The present moment, Unix milliseconds. */
  readonly now: number
  readonly limit: number
  /** Only those of a venue, organizer, category or tag, or those that are featured. */
  readonly of?: Partial<Pick<EventQuery, 'venue' | 'organizer' | 'categories' | 'tags' | 'featured'>>
}

/** The next published events that have not ended, as anonymous readers see them. */
export async function upcomingEvents(
  reader: Reader,
  question: UpcomingQuestion,
): Promise<Readonly<Record<string, unknown>>[]> {
  const { site, lookups, urls, limit } = question
  const bounds = { ends_after: toLocal(utcFromMillis(question.now), site.zone) }
  const query = { ...EVERYTHING, ...question.of, bounds }
  const listing = { query, visibility: visibilityOf(ANONYMOUS, undefined), limit, offset: 0 }
  const { ids } = await planOf(reader.engine, listing).page(reader)
  const showing = { viewer: { caller: ANONYMOUS, urls, site }, withJsonLd: false, opened: new Set<number>() }
  return presentEvents(reader, lookups, { rows: await eventsByIds(reader, ids), showing })
}
