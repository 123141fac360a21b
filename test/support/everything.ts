import assert from 'node:assert/strict'
import { makeLink } from '../../src/accounts/sessions/index.ts'
import { addToken } from '../../src/accounts/tokens/index.ts'
import { addRedirect } from '../../src/calendar/redirects/store.ts'
import { visitor } from './admin.ts'
import { openTestApp, type TestApp } from './app.ts'
import type { TestScope } from './at-end.ts'
import type { Place } from './exports.ts'
import { openRemoteSite } from './images.ts'
import { sampleImage } from './sample-image.ts'
import { numbersOf } from './storage.ts'
import { upload } from './upload.ts'
import { eventually } from './webhook-receiver.ts'

const NAMES = ['Łódź "quoted"', 'back\\slash', '東京 ジャズ', '=1+1', "rock'n'roll", 'a\u2028b', '../../up', '<b>&amp;']

const FLAGS = { fetchAllow: '127.0.0.1', submissions: 'yes' } as const

/** A calendar, open, in which people have done everything that they can do: each of its tables has rows. */
export async function openEverything(t: TestScope, { data, database }: Place): Promise<TestApp> {
  const app = await openTestApp(t, { data, database, ...FLAGS })
  const elsewhere = await openElsewhere(t)
  const { body: picture } = await upload(app, 'administrator', { bytes: await sampleImage(1), name: 'x"y\n.png' })
  await addHook(app, elsewhere.origin)
  const ids = await addEvents(app, picture)
  await changeDates(app, ids[5] ?? 0)
  await done(app.call('author', 'PATCH', `/events/${ids[0]}`, { json: { slug: 'another-name' } }))
  await done(app.call('author', 'DELETE', `/events/${ids[6]}`))
  await bring(app, elsewhere.origin)
  await addPeople(app)
  await addWaysIn(app)
  await addRedirect(app.app, { from: '/old/path', to: '/events/' })
  const { storage } = app.app
  await eventually(
    'a message',
    async () => (await numbersOf(storage, 'select count(*) as n from webhook_delivery'))[0] !== 0,
  )
  return app
}

async function done(response: Promise<{ readonly status: number; readonly body: unknown }>): Promise<void> {
  const { status, body } = await response
  assert.ok(status < 300, JSON.stringify(body))
}

/** What this calendar follows, and who follows it. */
async function openElsewhere(t: TestScope) {
  const bytes = await sampleImage(2)
  const times = ['DTSTART:20270105T100000Z', 'DTEND:20270105T110000Z']
  const site = await openRemoteSite(t, {
    '/p.png': (response) => response.end(bytes),
    '/hook': (response) => response.writeHead(204).end(),
    '/diary.ics': (response, { headers }) => {
      const image = `IMAGE;VALUE=URI:http://${headers.host}/p.png`
      const event = ['BEGIN:VEVENT', 'UID:talk', ...times, 'SUMMARY:Talk', image, 'X-ROOM;X-A="b:c":Blue', 'END:VEVENT']
      response.end(['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n'))
    },
  })
  return site
}

async function addHook({ call, origin }: TestApp, elsewhere: string): Promise<void> {
  const json = { url: `${elsewhere}/hook`, events: ['event.created'], description: 'Search' }
  const hooks = `${origin}/kalends/v1/webhooks`
  await done(call('administrator', 'POST', hooks, { json }))
  const { body } = await call('administrator', 'POST', hooks, { json })
  await done(call('administrator', 'DELETE', `${hooks}/${body.id}`))
}

async function addEvents(
  app: TestApp,
  picture: { readonly id: number; readonly source_url: string },
): Promise<number[]> {
  const ids: number[] = []
  for (const [index, title] of NAMES.entries()) {
    const image = `<img src="${picture.source_url}" alt="${index}" />`
    const { status, body } = await app.call('author', 'POST', '/events', {
      headers: { 'idempotency-key': `event-${index}` },
      json: {
        ...{ title, description: `<p>${title}\nsecond line ${image}</p>`, start_date: `2027-01-1${index} 10:00:00` },
        ...{ end_date: `2027-01-1${index} 12:30:00`, timezone: 'Europe/Warsaw', image: picture.id, language: 'pl' },
        ...{ venue: { venue: title, geo_lat: index / 7, geo_lng: -index / 3 }, tags: [title, 'all'] },
        ...{ organizer: { organizer: title, email: 'o@example.org' }, custom_fields: { stage: title } },
        ...{ tickets: [{ name: title, price: '5' }], categories: [title], password: index === 4 ? 'secret' : '' },
        ...(index === 5 && { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }),
      },
    })
    assert.equal(status, 201, JSON.stringify(body))
    ids.push(body.id)
  }
  return ids
}

/** A date that differs, and one that is taken out. */
async function changeDates({ call }: TestApp, series: number): Promise<void> {
  const { body } = await call('author', 'GET', '/events', { query: { series, per_page: 10, start_date: '2027-01-01' } })
  const [, second, third] = body.events
  const json = { title: 'With guests', start_date: '2027-01-23 09:00:00', end_date: '2027-01-23 10:00:00' }
  await done(call('author', 'PATCH', `/events/${second.id}`, { json }))
  await done(call('author', 'DELETE', `/events/${third.id}`))
}

/** What comes from elsewhere: an event of another site with its lineage, and a calendar that is followed. */
async function bring({ app, call, origin }: TestApp, elsewhere: string): Promise<void> {
  const times = { start_date: '2027-02-01 10:00:00', end_date: '2027-02-01 11:00:00' }
  const lineage = ['first.example?id=7', 'harbour.example?id=9']
  const event = { id: 9, title: 'Fair', ...times, global_id: lineage[1], global_id_lineage: lineage, odd: { a: [1] } }
  const bytes = Buffer.from(JSON.stringify({ events: [event] }))
  const report = await app.importJson?.([{ name: 'a.json', bytes }], { author: undefined, onProgress: () => undefined })
  assert.equal(report?.created, 1)
  const json = { url: `${elsewhere}/diary.ics`, name: 'Diary' }
  const { body } = await call('administrator', 'POST', `${origin}/kalends/v1/subscriptions`, { json })
  await done(call('administrator', 'POST', `${origin}/kalends/v1/subscriptions/${body.id}/sync`))
}

/** A change of a whole list, once it has ended: each look is a request, and work takes as long as it takes. */
async function changeMany(editor: Awaited<ReturnType<typeof visitor>>): Promise<void> {
  const { to } = await editor.submit('/admin/venues', { all: 'true', action: 'publish' })
  assert.match(to, /^\/admin\/work\/\d+$/)
  while ((await editor.show(to)).text.includes('<work-progress')) await new Promise(setImmediate)
}

/** Someone who has signed in, someone who may, and a visitor who proposes an event. */
async function addPeople(app: TestApp): Promise<void> {
  await changeMany(await visitor(app, 'editor'))
  await makeLink(app.app, { name: 'author' })
  await addToken(app.app, { user: 'author', name: 'Search' })
  const form = new FormData()
  const sent = {
    ...{ title: 'Lantern walk', start_date: '2026-12-05', start_date_time: '17:00', end_date: '2026-12-05' },
    ...{ end_date_time: '18:30', timezone: 'America/New_York' },
    ...{ submitter_name: 'Grace Hopper', submitter_email: 'grace@example.net' },
  }
  for (const [name, value] of Object.entries(sent)) form.append(name, value)
  const { origin } = app
  const answer = await fetch(`${origin}/submit/`, {
    method: 'POST',
    headers: { origin },
    body: form,
    redirect: 'manual',
  })
  assert.equal(answer.status, 303, await answer.text())
}

/** What only browsers with an authenticator, other sites and their providers fill: rows as those leave them. */
async function addWaysIn({ app: { storage } }: TestApp): Promise<void> {
  const { id: user_id } = (await storage.first(storage.db.selectFrom('user').select('id'))) ?? { id: 1 }
  const [created_at, expires_at] = ['2026-11-20 18:00:00', '2026-11-20 18:10:00']
  const handle = { user_id, user_handle: 'handle' }
  const passkey = { id: 'key', ...handle, public_key: 'public', counter: 3, name: 'Łódź', created_at, used_at: null }
  const challenge = { id: 'asked', kind: 'get', bound_to: 'browser', ...handle, expires_at } as const
  const identity = { id: 'one', issuer: 'https://a.example/', subject: 'ada', user_id, name: 'Ada', created_at }
  const pending = { id: 'state', browser: 'b', provider: 'a', nonce: 'n', verifier: 'v', next: '', user_id, expires_at }
  await storage.write(async (tx) => {
    await tx.run(tx.db.insertInto('passkey').values(passkey))
    await tx.run(tx.db.insertInto('challenge').values(challenge))
    await tx.run(tx.db.insertInto('recovery_code').values({ user_id, hash: 'hash' }))
    await tx.run(tx.db.insertInto('mail_choice').values({ user_id, topic: 'site', choice: 'never' }))
    await tx.run(tx.db.insertInto('review_notice').values({ user_id, event_id: 1 }))
    await tx.run(tx.db.insertInto('identity').values({ ...identity, used_at: null }))
    await tx.run(tx.db.insertInto('pending_sign_in').values({ ...pending, link_id: null }))
    await tx.run(tx.db.insertInto('used_logout_token').values({ id: 'jti', expires_at }))
    await tx.run(tx.db.insertInto('decline_reason').values({ id: 1, reason: 'No room' }))
  })
}
