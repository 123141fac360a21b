import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { readClock, writeClock } from '../../src/base/time/clock.ts'
import { toLocal, toUtc } from '../../src/base/time/zones.ts'
import { openTestApp } from '../support/app.ts'
import { draws } from '../support/draws.ts'
import { tecClient } from '../support/tec.ts'

/*
 * Some of the times that GET answers are sent back, one of them changed: the others mean what they say, so that whoever sends
 * them gets the event that they describe.
 */

const app = await openTestApp({ after }, { siteZone: 'Europe/Berlin' })
const tec = tecClient(app)

const NAMES = ['start_date', 'start_date_utc', 'end_date', 'end_date_utc', 'timezone', 'duration', 'all_day'] as const

type Name = (typeof NAMES)[number]
type Times = Readonly<Record<Name, string | boolean>>

/** Another value for each time. */
const CHANGED: Times = {
  start_date: '2031-05-06 09:15:00',
  start_date_utc: '2031-05-06 05:45:00',
  end_date: '2031-05-09 20:00:00',
  end_date_utc: '2031-05-09 21:30:00',
  timezone: 'America/New_York',
  duration: '5400',
  all_day: true,
}

/** When an event takes place. */
interface Meant {
  readonly start: string
  readonly end: string
  readonly timezone: string
}

/** What a client means that sends some times, one of which it changed. */
function meant(stored: Times, sent: readonly Name[], changed: Name): Meant {
  const text = (name: Name): string => String(name === changed ? CHANGED[name] : stored[name])
  const zone = text('timezone')
  /** One end of the event on its clock, in the form that counts. */
  const edge = (local: Name, utc: Name): string | undefined => {
    if (changed === utc) return toLocal(text(utc), zone)
    if (sent.includes(local)) return text(local)
    return sent.includes(utc) ? toLocal(text(utc), zone) : undefined
  }
  const start = edge('start_date', 'start_date_utc') ?? String(stored.start_date)
  const asLong = toLocal(writeClock(readClock(toUtc(start, zone)) + Number(text('duration'))), zone)
  const end = changed === 'duration' ? undefined : edge('end_date', 'end_date_utc')
  const isMoved = ['start_date', 'start_date_utc', 'timezone', 'duration'].includes(changed)
  const fallback = isMoved && sent.includes('duration') ? asLong : String(stored.end_date)
  return days({ start, end: end ?? fallback, timezone: zone }, changed === 'all_day')
}

function days({ start, end, timezone }: Meant, isAllDay: boolean): Meant {
  if (!isAllDay) return { start, end, timezone }
  return { start: `${start.slice(0, 10)} 00:00:00`, end: `${end.slice(0, 10)} 23:59:59`, timezone }
}

test('times that are sent back beside one that changed mean what they say', async () => {
  const choices = fc.record({
    others: fc.subarray([...NAMES]),
    changed: fc.constantFrom(...NAMES),
    isForm: fc.boolean(),
    method: fc.constantFrom('PUT', 'PATCH'),
    hours: fc.constantFrom(0, 2, 60),
  })
  await fc.assert(
    fc.asyncProperty(choices, async ({ others, changed, isForm, method, hours }) => {
      const start = '2031-05-06 17:00:00'
      const json = { title: 'Walk', start_date: start, end_date: writeClock(readClock(start) + hours * 3600) }
      const stored = await tec.create('/events', json)
      const sent = NAMES.filter((name) => name === changed || others.includes(name))
      const values = Object.fromEntries(sent.map((name) => [name, name === changed ? CHANGED[name] : stored[name]]))
      const words = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
      const sending = isForm ? { form: words } : { json: values }
      const { status, body } = await tec.call('editor', method, `/events/${stored.id}`, sending)
      const expected = meant(stored as unknown as Times, sent, changed)
      if (toUtc(expected.end, expected.timezone) < toUtc(expected.start, expected.timezone))
        return assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(body))
      const { start_date, end_date, timezone } = body
      assert.deepEqual({ start: start_date, end: end_date, timezone }, expected, JSON.stringify({ sent: values, body }))
    }),
    { numRuns: draws(400, 40) },
  )
})
