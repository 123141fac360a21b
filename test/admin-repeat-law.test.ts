import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'

/* What the form of an event says about its dates before it is saved is what they are afterwards. */

const site = await openTestApp({ after })
const ada = await visitor(site, 'editor')

type Form = Readonly<Record<string, string>>

/** A series that a program has stored: the second Tuesday of December 2026 unless told, from ten to twelve. */
async function stored(recurrence: readonly string[], more: object = {}): Promise<number> {
  const times = { start_date: '2026-12-08 10:00:00', end_date: '2026-12-08 12:00:00', timezone: 'Europe/Berlin' }
  const json = { title: 'Yoga', status: 'publish', ...times, recurrence, ...more }
  const { status, body } = await site.call('editor', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify([recurrence, body]))
  return body.id
}

/** The first dates of a series, six at most, to the minute. */
async function datesOf(id: number): Promise<string[]> {
  const query = { series: id, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 6 }
  const { body } = await site.call('editor', 'GET', '/events', { query })
  return (body.events ?? []).map((one: { start_date: string; all_day: boolean }) =>
    one.start_date.slice(0, one.all_day ? 10 : 16).replace(' ', 'T'),
  )
}

async function linesOf(id: number): Promise<string[]> {
  return (await site.call('editor', 'GET', `/events/${id}`)).body.recurrence
}

/** The dates that a page of the form, or its part for scripts, names. */
function named(text: string): string[] {
  const list = /<ol class="dates">([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? ''
  return [...list.matchAll(/datetime="([^"]*)"/g)].map(([, moment = '']) => moment)
}

/** What the form says with some changes, without scripts and with them; and the dates once it was saved. */
async function changed(id: number, form: Form): Promise<Record<'said' | 'told' | 'saved', string[]>> {
  const path = `/admin/events/${id}`
  const { text } = await ada.show(path)
  const said = named((await ada.send(path, text, { ...form, action: 'dates' })).text)
  const told = named((await ada.send('/admin/recurrence', text, form)).text)
  const { to } = await ada.send(path, text, { ...form, action: 'update' })
  assert.match(to, /done=saved/, `${JSON.stringify(form)} was not saved`)
  return { said, told, saved: await datesOf(id) }
}

const at = (day: string, time = '10:00'): Form => {
  const end = `${String(Number(time.slice(0, 2)) + 2).padStart(2, '0')}${time.slice(2)}`
  return { start_date: day, start_date_time: time, end_date: day, end_date_time: end }
}

test('a rule that names the day of its start moves with the start, as the form says before', async () => {
  const week = await stored(['RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU'])
  const weekly = await changed(week, at('2026-12-11'))
  assert.deepEqual(weekly.said, ['2026-12-11T10:00', '2026-12-18T10:00', '2026-12-25T10:00'])
  assert.deepEqual([weekly.told, weekly.saved], [weekly.said, weekly.said])
  const month = await stored(['RRULE:FREQ=MONTHLY;COUNT=3;BYMONTHDAY=8'])
  const monthly = await changed(month, at('2026-12-09'))
  assert.deepEqual(monthly.said, ['2026-12-09T10:00', '2027-01-09T10:00', '2027-02-09T10:00'])
  assert.deepEqual([monthly.told, monthly.saved], [monthly.said, monthly.said])
})

test('what was taken out stays out when the second Tuesday becomes the first Friday', async () => {
  const id = await stored(['RRULE:FREQ=MONTHLY;COUNT=4;BYDAY=2TU', 'EXDATE:20270112T100000'])
  const { said, told, saved } = await changed(id, at('2026-12-04', '18:00'))
  assert.deepEqual(said, ['2026-12-04T18:00', '2027-02-05T18:00', '2027-03-05T18:00'])
  assert.deepEqual([told, saved], [said, said])
  // What is typed with the new start is meant as it stands.
  const again = await changed(id, { ...at('2026-12-11', '18:00'), repeat_except: '2027-02-12' })
  assert.deepEqual(again.said, ['2026-12-11T18:00', '2027-01-08T18:00', '2027-03-12T18:00'])
  assert.deepEqual([again.told, again.saved], [again.said, again.said])
})

test('what was taken out stays out where the rule gives it after the move, too', async () => {
  const daily = await stored(['RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20261212T100000'])
  const { said, told, saved } = await changed(daily, at('2026-12-09'))
  assert.deepEqual(
    said,
    ['09', '10', '11', '13', '14'].map((day) => `2026-12-${day}T10:00`),
  )
  assert.deepEqual([told, saved], [said, said])
  const weekly = await stored(['RRULE:FREQ=WEEKLY', 'EXDATE:20261222T100000'])
  const earlier = await changed(weekly, at('2026-12-01'))
  assert.deepEqual(
    earlier.said.slice(0, 4),
    ['01', '08', '15', '29'].map((day) => `2026-12-${day}T10:00`),
  )
  assert.deepEqual([earlier.told, earlier.saved], [earlier.said, earlier.said])
  const days = await changed(await stored(['RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20261209T100000']), {
    ...at('2026-12-07'),
    all_day: 'true',
  })
  assert.deepEqual(
    days.said,
    ['07', '08', '10', '11', '12'].map((day) => `2026-12-${day}`),
  )
  assert.deepEqual([days.told, days.saved], [days.said, days.said])
})

test('a first date that is moved alone leaves the others where the form says, and moves with all again', async () => {
  const id = await stored(['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20261222T100000'])
  const alone = await changed(id, { ...at('2026-12-09'), scope: 'this' })
  assert.deepEqual(alone.said, ['2026-12-08T10:00', '2026-12-15T10:00', '2026-12-29T10:00'])
  assert.deepEqual(alone.saved, ['2026-12-09T10:00', '2026-12-15T10:00', '2026-12-29T10:00'])
  assert.deepEqual(alone.told, alone.said)
  const all = await changed(id, { ...at('2026-12-10'), scope: 'all' })
  assert.deepEqual(all.said, ['2026-12-09T10:00', '2026-12-16T10:00', '2026-12-30T10:00'])
  assert.deepEqual([all.told, all.saved.slice(1)], [all.said, all.said.slice(1)])
})

const RULES = [
  ...['DAILY', 'WEEKLY', 'WEEKLY;BYDAY=TU', 'WEEKLY;BYDAY=TU,TH', 'WEEKLY;BYDAY=SA', 'MONTHLY', 'MONTHLY;BYMONTHDAY=8'],
  ...[
    'MONTHLY;BYDAY=2TU',
    'MONTHLY;BYMONTHDAY=-1',
    'YEARLY',
    'MONTHLY;BYDAY=-1FR',
    'WEEKLY;WKST=SU',
    'DAILY;BYHOUR=10,15',
  ],
]

test('whatever is moved, the dates are those that the form has said, and none comes back', async () => {
  const days = fc.constantFrom(
    '2026-12-01',
    '2026-12-07',
    '2026-12-08',
    '2026-12-09',
    '2026-12-15',
    '2026-12-31',
    '2027-01-12',
  )
  const asked = fc.record({
    rule: fc.constantFrom(...RULES),
    interval: fc.constantFrom('', ';INTERVAL=2'),
    end: fc.constantFrom('', ';COUNT=7', ';UNTIL=20271231', ';UNTIL=20280101T090000Z'),
    out: fc.subarray([1, 2, 4]),
    added: fc.constantFrom([], ['RDATE:20261224T153000'], ['RDATE:20270501T100000']),
    day: days,
    time: fc.constantFrom('10:00', '08:30'),
    more: fc.constantFrom<Form>({}, { timezone: 'America/New_York' }, { all_day: 'true' }),
  })
  const property = fc.asyncProperty(asked, async ({ rule, interval, end, out, added, day, time, more }) => {
    const written = [`RRULE:FREQ=${rule}${end}${interval}`, ...added]
    const json = { start_date: '2026-12-08 10:00:00', end_date: '2026-12-08 12:00:00', timezone: 'Europe/Berlin' }
    const query = { ...json, recurrence: written, limit: 6 }
    const whole = (await site.call('editor', 'POST', `${site.origin}/kalends/v1/recurrence`, { json: query })).body
    const dates: string[] = whole.dates.map((one: { start_date: string }) => one.start_date)
    const taken = out.flatMap((index) => dates[index] ?? [])
    const except = taken.map((one) => `EXDATE:${one.replaceAll(/[-:]/g, '').replace(' ', 'T')}`)
    const id = await stored([...written, ...except])
    const before = [await linesOf(id), await datesOf(id)]
    await changed(id, { title: 'Quiet yoga' })
    assert.deepEqual([await linesOf(id), await datesOf(id)], before, 'nothing of the rule was touched')
    const { said, told, saved } = await changed(id, { ...at(day, time), ...more })
    // A rule without an end has dates for five years; the form looks further.
    const reached = end === '' ? said.filter((one) => one < '2031-11-20') : said
    assert.deepEqual([told, saved], [said, reached], written.join())
    const from = (one: string): string => one.slice(0, more['all_day'] === 'true' ? 10 : 16).replace(' ', 'T')
    const added16 = new Set([from(`${day} ${time}`)])
    const back = taken.map(from).filter((one) => saved.includes(one) && !added16.has(one))
    assert.deepEqual(added.length === 0 ? back : [], [], `${written.join()} came back`)
  })
  await fc.assert(property, { numRuns: draws(120, 3), seed: SEED })
})
