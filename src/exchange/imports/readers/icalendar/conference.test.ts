import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { calendar, event, listed, send } from '../../../../../test/support/icalendar-import.ts'

const PHONE = 'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+43-1-555-0101'
const MEETING = 'CONFERENCE;VALUE=URI;FEATURE=VIDEO,AUDIO;LABEL="Join, please":https://meet.example/a?x=1;y=2'

/** The lines of an event that say how to take part. */
async function conferencesOf({ origin }: TestApp, id: number): Promise<string[]> {
  const response = await fetch(`${origin}/kalends/v1/events/${id}.ics`)
  const lines = (await response.text()).replaceAll('\r\n ', '').split('\r\n')
  return lines.filter((one) => one.startsWith('CONFERENCE'))
}

test('ways to take part are given back as they were, and the address as it is here', async (t) => {
  const app = await openTestApp(t)
  const lines = ['DTSTART:20270228T100000Z', 'SUMMARY:Talk', PHONE, MEETING, 'CONFERENCE:javascript:alert(1)']
  await send(app, calendar(...event('talk@there.example', ...lines)))
  const [talk] = await listed(app)
  assert.equal(talk.virtual_url, 'https://meet.example/a?x=1;y=2')
  assert.deepEqual(await conferencesOf(app, talk.id), [PHONE, MEETING])
  await app.call('administrator', 'POST', `/events/${talk.id}`, { json: { virtual_url: 'https://other.example/b' } })
  assert.deepEqual(await conferencesOf(app, talk.id), ['CONFERENCE;VALUE=URI:https://other.example/b', PHONE])
  await app.call('administrator', 'POST', `/events/${talk.id}`, { json: { virtual_url: '', is_virtual: false } })
  assert.deepEqual(await conferencesOf(app, talk.id), [PHONE])
})

test('files in UTF-16 are read as others are', async (t) => {
  const app = await openTestApp(t)
  const fileOf = (uid: string) => `\uFEFF${calendar(...event(uid, 'DTSTART:20270301T100000Z', 'SUMMARY:Frühstück 茶'))}`
  await send(app, Buffer.from(fileOf('little'), 'utf16le'))
  await send(app, Buffer.from(fileOf('big'), 'utf16le').swap16())
  assert.deepEqual(
    (await listed(app)).map(({ title }: { title: string }) => title),
    ['Frühstück 茶', 'Frühstück 茶'],
  )
})
