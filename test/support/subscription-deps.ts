import { openTerms } from '../../src/calendar/terms/index.ts'
import type { CalendarDeps } from '../../src/exchange/index.ts'
import type { TestApp } from './app.ts'

/** What the subscriptions of a test application work with; images are none. */
export function partsOf({ app }: TestApp): CalendarDeps {
  const { storage, now, secret } = app
  const site = { host: 'calendar.example', zone: 'UTC' } as CalendarDeps['site']
  const { category, tag } = openTerms({ storage, site })
  const adoptImage: CalendarDeps['adoptImage'] = async () => ({ ok: false, reason: 'not_an_image' })
  const place = { storage, now, secret, site, lookups: { category, tag } }
  return { ...place, recurrenceYears: 5, gate: () => true, adoptImage, imageLimit: 1e6 }
}
