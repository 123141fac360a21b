import { kalends, plain, venuesOf, when } from '@kalends/client'

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })
const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The events that have not ended, in order, and the months in which they start. */
export default async function calendar() {
  const c = kalends(process.env.KALENDS_SITE ?? 'http://127.0.0.1:3000')
  const { name } = await c.site()
  const events = (await c.events.list({ ends_after: 'yesterday' }).toArray()).map(shown)
  const months = Map.groupBy(events, ({ month }) => month)
  return { name, events, months: [...months].map(([key, own]) => ({ key, title: own[0].monthName, events: own })) }
}

/** What the templates show of an event. Its description is HTML that the calendar has sanitized. */
function shown(event) {
  const start = clockOf(event.start_date)
  const [venue] = venuesOf(event)
  return {
    // Slugs of other scripts are percent-encoded; folders have the letters themselves.
    slug: decodeURIComponent(event.slug),
    title: plain(event.title),
    description: event.description,
    url: event.url,
    isCanceled: event.event_status === 'canceled',
    // Temporal adds the name of the zone, which HTML does not know.
    datetime: String(when(event).start).replace(/\[.*\]$/, ''),
    date: event.all_day ? DAY.format(start) : `${DAY.format(start)}, ${TIME.format(start)}`,
    month: event.start_date.slice(0, 7),
    monthName: MONTH.format(start),
    place: venue && [venue.venue, venue.city].filter(Boolean).map(plain).join(', '),
  }
}

/** A time on the clock of the event, to be formatted as it is. */
function clockOf(local) {
  return new Date(`${local.replace(' ', 'T')}Z`)
}
