import { parseDate } from '../../base/time/parse.ts'
import type { Resource } from '../tool.ts'
import { searchEvents } from '../tools/search-events.ts'

/** The events of one day, as `search_events` lists them. */
export const DAY: Resource = {
  uri: 'kalends://day/{date}',
  name: 'day',
  title: 'A day',
  description: 'The first 50 events of a day (YYYY-MM-DD) on the clock of the calendar',
  mimeType: 'application/json',
  read: async (context, { date = '' }) => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(date) && parseDate(date, { now: 0, zone: 'UTC' }).ok
    if (!isDay) return undefined
    const args = { from: date, to: date, status: 'publish', series: 'dates', limit: 50 } as const
    return JSON.stringify(await searchEvents(context, args))
  },
}
