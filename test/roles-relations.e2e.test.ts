import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type CallerRole, ROLES, type Role } from '../src/http/auth/rights.ts'
import { STATUSES, type Status } from '../src/model/status.ts'
import { openTestApp } from './support/app.ts'
import { IS_FULL } from './support/draws.ts'
import { CALLERS, isListed, type Meeting, mayChange, mayRead } from './support/rights.ts'

/*
 * Whoever may not read an entry learns nothing of it where others lead to it: not from an event that embeds it, not
 * from lists and totals that are filtered by it, not from flags that count it (decisions: Rights). What is expected is
 * written down in test/support/rights.ts, from the documents.
 */

const { app, call } = await openTestApp({ after })
const users = await app.storage.all(app.storage.db.selectFrom('user').select(['id', 'name']))

/** Somebody's entry in some state. */
interface Case {
  readonly owner: Role
  readonly status: Status
}

const CASES: readonly Case[] = ROLES.flatMap((owner) => STATUSES.map((status) => ({ owner, status })))

async function make(path: string, json: object, { owner, status }: Case): Promise<number> {
  const author = users.find((one) => one.name === owner)?.id
  const later = status === 'future' ? { date: '2027-01-01 00:00:00' } : {}
  const answer = await call('administrator', 'POST', path, { json: { ...json, author, status, ...later } })
  assert.deepEqual([answer.status, answer.body.status], [201, status], JSON.stringify(answer.body))
  return answer.body.id
}

async function makeTerm(path: string, name: string): Promise<number> {
  return (await call('administrator', 'POST', path, { json: { name } })).body.id
}

const PUBLIC: Case = { owner: 'administrator', status: 'publish' }
const COMING = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** An event in some state with a venue, an organizer and terms that nothing else has and everybody may read. */
interface HiddenEvent extends Case {
  readonly id: number
  readonly venue: number
  readonly organizer: number
  readonly category: number
  readonly tag: number
}

const events: HiddenEvent[] = []
/** A published event for each state of a venue and an organizer. */
const shows: (Case & { readonly id: number; readonly venue: number; readonly organizer: number })[] = []
for (const one of CASES) {
  const name = `${one.owner} ${one.status}`
  const venue = await make('/venues', { venue: `Of ${name}` }, PUBLIC)
  const organizer = await make('/organizers', { organizer: `Of ${name}` }, PUBLIC)
  const [category, tag] = [await makeTerm('/categories', name), await makeTerm('/tags', name)]
  const related = { venue, organizer, categories: [category], tags: [tag] }
  const id = await make('/events', { title: name, ...COMING, ...related }, one)
  events.push({ ...one, id, venue, organizer, category, tag })
  // What lies in the trash cannot be named: it goes there afterwards.
  const before: Case = one.status === 'trash' ? { ...one, status: 'publish' } : one
  const hall = await make('/venues', { venue: name }, before)
  const body = await make('/organizers', { organizer: name }, before)
  const shown = await make('/events', { title: `Shows ${name}`, ...COMING, venue: hall, organizer: body }, PUBLIC)
  if (one.status === 'trash')
    for (const path of [`/venues/${hall}`, `/organizers/${body}`]) await call('administrator', 'DELETE', path)
  shows.push({ ...one, id: shown, venue: hall, organizer: body })
}

function meetingOf(caller: CallerRole, { owner, status }: Case): Meeting {
  return { caller, whose: owner === caller ? 'own' : "others'", status }
}

/** Ids of a whole list; its total must be their number. */
async function idsOf(
  as: CallerRole,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Promise<number[]> {
  const ids: number[] = []
  const sent = { per_page: 50, ...query }
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await call(as, 'GET', next, next === path ? { query: sent } : {})
    if (status !== 200) return [-status]
    ids.push(...body[path.slice(1)].map((one: { id: number }) => one.id))
    next = body.next_rest_url
    if (next === undefined) assert.equal(body.total, ids.length)
  }
  return ids.sort((a, b) => a - b)
}

const LINKED = ['venue', 'organizer'] as const
const TERMS = [
  ['/categories', 'category'],
  ['/tags', 'tag'],
] as const

for (const caller of CALLERS) {
  test(`${caller}: lists of what an event has are open where the event is, and refused like an unknown one`, async () => {
    for (const one of events) {
      const isOpen = mayRead(meetingOf(caller, one))
      const what = `${one.owner} ${one.status}`
      for (const key of LINKED)
        assert.deepEqual(await idsOf(caller, `/${key}s`, { event: one.id }), isOpen ? [one[key]] : [-400], what)
      for (const [path, key] of TERMS)
        for (const name of ['event', 'post'])
          assert.deepEqual(await idsOf(caller, path, { [name]: one.id }), isOpen ? [one[key]] : [-400], what)
    }
  })

  test(`${caller}: has_events and only_with_upcoming count the events that a list would show`, async () => {
    for (const key of LINKED) {
      const counted = events.filter((one) => isListed(meetingOf(caller, one))).map((one) => one[key])
      const linked = shows.filter((one) => isListed(meetingOf(caller, one))).map((one) => one[key])
      const used = [...counted, ...linked].sort((a, b) => a - b)
      for (const filter of ['has_events', 'only_with_upcoming'])
        assert.deepEqual(await idsOf(caller, `/${key}s`, { [filter]: 'true' }), used, `${key} ${filter}`)
      const unused = events.map((one) => one[key]).filter((id) => !counted.includes(id))
      assert.deepEqual(await idsOf(caller, `/${key}s`, { has_events: 'false' }), unused, key)
    }
  })

  test(`${caller}: an event shows the venue and the organizers that its reader may read, the trash apart`, async () => {
    const listed = await call(caller, 'GET', '/events', { query: { search: 'Shows', per_page: 50 } })
    for (const one of shows) {
      const isShown = mayRead(meetingOf(caller, one)) && one.status !== 'trash'
      const single = (await call(caller, 'GET', `/events/${one.id}`)).body
      const inList = listed.body.events.find((event: { id: number }) => event.id === one.id)
      for (const { venue, organizer } of [single, inList]) {
        const what = `${one.owner} ${one.status}`
        assert.deepEqual(isShown ? venue.id : venue, isShown ? one.venue : [], what)
        assert.deepEqual(
          organizer.map((other: { id: number }) => other.id),
          isShown ? [one.organizer] : [],
          what,
        )
      }
      const named = JSON.stringify(single.json_ld).includes(`"${one.owner} ${one.status}"`)
      assert.equal(named, isShown, 'json_ld')
    }
  })

  test(`${caller}: events are filtered by what the caller may read and by nothing else`, async () => {
    for (const one of shows) {
      const isOpen = mayRead(meetingOf(caller, one))
      for (const key of LINKED)
        assert.deepEqual(await idsOf(caller, '/events', { [key]: one[key] }), isOpen ? [one.id] : [-400])
    }
    for (const one of events) {
      const expected = isListed(meetingOf(caller, one)) ? [one.id] : []
      for (const [filter, id] of [
        ['venue', one.venue],
        ['organizer', one.organizer],
        ['categories', one.category],
        ['tags', one.tag],
        ['include', one.id],
      ] as const)
        assert.deepEqual(
          await idsOf(caller, '/events', { [filter]: id }),
          expected,
          `${filter} ${one.owner} ${one.status}`,
        )
    }
  })
}

test('terms count the published events, whoever asks, and are shown to those who read an event of theirs', async () => {
  for (const [path, key] of TERMS) {
    const used = events.filter((one) => one.status === 'publish').map((one) => one[key])
    for (const caller of CALLERS) {
      assert.deepEqual(await idsOf(caller, path, {}), used, caller)
      const { body } = await call(caller, 'GET', path, { query: { hide_empty: 0, per_page: 50 } })
      const terms: { id: number; count: number }[] = body[path.slice(1)]
      const shown = events.filter((one) => mayRead(meetingOf(caller, one))).map((one) => one[key])
      assert.deepEqual(new Set(terms.map(({ id }) => id)), new Set(shown), caller)
      assert.equal(body.total, shown.length)
      for (const term of terms) assert.equal(term.count, used.includes(term.id) ? 1 : 0)
    }
  }
})

test('a password opens what is published; who may change the event needs none, and nobody opens the rest with it', async () => {
  const met = new Set<string>()
  for (const one of CASES) {
    const title = `Locked ${one.owner} ${one.status}`
    const id = await make('/events', { title, ...COMING, password: 'sesame' }, one)
    const { slug } = (await call('administrator', 'GET', `/events/${id}`)).body
    for (const caller of CALLERS) {
      const meeting = meetingOf(caller, one)
      // Each password that is tried is stretched: events of different others are the same unless everything is asked for.
      const key = !IS_FULL ? JSON.stringify(meeting) : `${caller} ${title}`
      if (met.has(key)) continue
      met.add(key)
      const refused = mayRead(meeting) ? '403 event-password-protected' : '403 event-not-accessible'
      for (const path of [`/events/${id}`, `/events/by-slug/${slug}`]) {
        const without = await call(caller, 'GET', path)
        const opened = await call(caller, 'GET', path, { query: { password: 'sesame' } })
        const outcomes = [without, opened].map(({ status, body }) =>
          status === 200 ? '200' : `${status} ${body.code}`,
        )
        assert.deepEqual(
          outcomes,
          [mayChange(meeting) ? '200' : refused, mayRead(meeting) ? '200' : refused],
          `${caller} ${title}`,
        )
      }
    }
  }
})
