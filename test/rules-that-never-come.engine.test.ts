import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/* The start is the first date of every rule, but a rule that never comes is refused wherever it is sent, whatever ends it. */

const app = await openTestApp({ after })
const NEVER = 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'
const ENDS = ['', ';COUNT=1', ';COUNT=3', ';UNTIL=20300101', ';UNTIL=20300101T000000Z']
const LEAST = { title: 'Never', start_date: '2027-01-05 18:00:00', end_date: '2027-01-05 19:00:00', timezone: 'UTC' }

const isRefused = ({ status, body }: Answer): void => {
  assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(body))
  assert.match(body.data.params.recurrence, /RRULE gives no date/)
}

for (const end of ENDS) {
  const recurrence = `${NEVER}${end}`
  test(`a rule that never comes is refused, previewed, created and changed alike: ${end}`, async () => {
    const { start_date, end_date, timezone } = LEAST
    const preview = `${app.origin}/kalends/v1/recurrence`
    isRefused(await app.call('anonymous', 'POST', preview, { json: { start_date, end_date, timezone, recurrence } }))
    const query = new URLSearchParams({ start_date, end_date, timezone, recurrence })
    isRefused(await app.call('anonymous', 'GET', `${preview}?${query}`))
    isRefused(await app.call('editor', 'POST', '/events', { json: { ...LEAST, recurrence } }))
    const made = await app.call('editor', 'POST', '/events', { json: { ...LEAST, recurrence: 'RRULE:FREQ=DAILY' } })
    for (const scope of ['all', 'following'])
      isRefused(await app.call('editor', 'PATCH', `/events/${made.body.id}`, { json: { recurrence, scope } }))
    await app.call('administrator', 'DELETE', `/events/${made.body.id}`, { query: { force: 'true' } })
  })

  test(`an import keeps the first date of a rule that never comes, and says so: ${end}`, async () => {
    const slug = `never${end.replaceAll(/\W/g, '-').toLowerCase()}`
    const event = {
      ...LEAST,
      id: 900 + ENDS.indexOf(end),
      global_id: `old.example?id=${slug}`,
      slug,
      recurrence: [recurrence],
    }
    const file = { name: 'never.json', bytes: Buffer.from(JSON.stringify({ events: [event] })) }
    const report = await app.app.importJson?.([file], { author: undefined, onProgress: () => undefined })
    assert.equal(report?.created, 1)
    assert.match(JSON.stringify(report?.notes), /RRULE gives no date/)
    const lines = ['BEGIN:VEVENT', 'DTSTAMP:20270101T000000Z', `UID:${slug}`, `SUMMARY:Never ${end}`].concat(
      ...['DTSTART:20270105T180000Z', 'DTEND:20270105T190000Z', recurrence, 'END:VEVENT'],
    )
    const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Harbour//Diary//EN', ...lines, 'END:VCALENDAR', '']
    const bytes = Buffer.from(calendar.join('\r\n'))
    const read = await app.app.importCalendars?.({ files: [{ name: 'never.ics', bytes }] }, () => undefined)
    assert.equal(read?.created, 1)
    // One date is what COUNT=1 asks for.
    if (end !== ';COUNT=1') assert.match(JSON.stringify(read?.notes), /import\.note\.ruleWithoutDates/)
  })
}
