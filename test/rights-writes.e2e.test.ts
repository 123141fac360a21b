import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CallerRole } from '../src/http/auth/rights.ts'
import { filled, kindOf, type Operation, operationsOf, pagesOf, share } from './rights/addresses.ts'
import { type ProbeCaller, people, programs } from './rights/callers.ts'
import { changedRows, rowOf, type Snapshot, snapshotOf } from './rights/changes.ts'
import { crawl, type Form, formsIn } from './rights/crawl.ts'
import { FLAGS, plant } from './rights/plant.ts'
import { isCurious, leaksIn, textOf } from './rights/reading.ts'
import { openTestApp } from './support/app.ts'
import { EDITORS, isAmong, PUBLISHERS, WRITERS } from './support/rights.ts'

/*
 * Whoever sends whatever, nothing changes that they may not change, and no refusal has a word of what they may not see.
 * Who may is written down in test/support/rights.ts and test/rights/callers.ts, from the documents.
 */

const app = await openTestApp({ after }, FLAGS)
const planted = await plant(app)
const { entries } = planted
const { storage } = app.app
const operations = await operationsOf(app)
const users = await storage.all(storage.db.selectFrom('user').select(['id', 'name']))

/** Roles that write what is no event, venue or organizer, by the name of its collection (docs/security.md: Roles). */
const ROLES_THAT_WRITE: Readonly<Record<string, string>> = {
  ...{
    events: WRITERS,
    venues: WRITERS,
    organizers: WRITERS,
    categories: PUBLISHERS,
    tags: PUBLISHERS,
    media: PUBLISHERS,
  },
  ...{ webhooks: 'administrator', 'webhook-deliveries': 'administrator', subscriptions: 'administrator' },
}

/** What only previews: it changes nothing for anybody. */
const PREVIEWS = ['recurrence', 'batch']

interface Write {
  readonly method: string
  readonly path: string
}

/** The name of a collection: `venues` of `/cal/events/v1/venues/{id}`. */
function collectionOf(path: string): string {
  return /^\/(?:cal\/events|kalends|wp|tec)\/v\d\/([\w-]+)/.exec(path)?.[1] ?? ''
}

/** Every documented write that a caller may not make. */
function forbiddenTo(caller: ProbeCaller): Write[] {
  const writes = operations.filter(({ method, path }) => method !== 'GET' && !PREVIEWS.includes(collectionOf(path)))
  return writes.flatMap((operation, turn) => {
    const { method, path } = operation
    if (isOfEntry(operation)) {
      const others = entries.filter((entry) => entry.kind === kindOf(operation) && !caller.mayChange(entry))
      return share(others, turn).map((entry) => ({ method, path: filled(path, entry) }))
    }
    if (isAmong(ROLES_THAT_WRITE[collectionOf(path)] ?? '', caller.role) && !isOfAnother(path, caller)) return []
    return idsOf(path).map((id) => ({ method, path: path.replace('{id}', String(id)) }))
  })
}

function isOfEntry(operation: Operation): boolean {
  return operation.path.includes('{') && entries.some(({ kind }) => kind === kindOf(operation))
}

/** The image is the administrator's, and editors change those of others. */
function isOfAnother(path: string, { role }: ProbeCaller): boolean {
  return path.includes('/media/{') && !isAmong(EDITORS, role)
}

const ids: Record<string, number[]> = {}
for (const [name, table] of [
  ['categories', 'category'],
  ['tags', 'tag'],
  ['media', 'media'],
  ['webhooks', 'webhook'],
  ['subscriptions', 'source'],
] as const)
  ids[name] = (await storage.all(storage.db.selectFrom(table).select('id').limit(3))).map(({ id }) => id)

function idsOf(path: string): readonly number[] {
  return path.includes('{') ? (ids[collectionOf(path)] ?? [1]) : [0]
}

/** What every kind of item would take over. */
function takenBy({ role }: ProbeCaller): object {
  const title = { title: 'Taken', venue: 'Taken', organizer: 'Taken', name: 'Taken', alt_text: 'Taken' }
  const times = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  const hook = { url: 'http://127.0.0.1:9/taken', events: ['event.created'] }
  return { ...title, ...times, ...hook, description: 'Taken', status: 'publish', password: 'taken', author: idOf(role) }
}

function idOf(role: CallerRole): number {
  return users.find(({ name }) => name === role)?.id ?? 0
}

/** Sends JSON; what is wrong with the answer of someone who may not. */
async function attempt(caller: ProbeCaller, { method, path }: Write, json: object): Promise<string[]> {
  const headers = { ...caller.headers, 'content-type': 'application/json' }
  const answer = await fetch(app.origin + path, { method, headers, body: JSON.stringify(json), redirect: 'manual' })
  const { status, text } = await textOf(answer)
  const entry = entries.find(({ id, slug }) => path.endsWith(`/${id}`) || path.endsWith(`/${slug}`))
  const leaks = leaksIn(planted, text, { caller, address: { path: `${method} ${path}`, named: entry } })
  return status >= 400 && status < 500 ? leaks : [...leaks, `${status} for ${caller.name}: ${method} ${path}`]
}

for (const caller of programs(app).filter(isCurious)) {
  test(`${caller.name} changes nothing by the API that belongs to others, and is told nothing of it`, async () => {
    const before = await snapshotOf(storage)
    const writes = forbiddenTo(caller)
    const wrong: string[] = []
    for (const write of writes) wrong.push(...(await attempt(caller, write, takenBy(caller))))
    assert.ok(writes.length > 5)
    assert.deepEqual(wrong, [])
    assert.deepEqual(changedRows(before, await snapshotOf(storage)), [])
  })

  test(`${caller.name} changes nothing that belongs to others with a batch`, async () => {
    const before = await snapshotOf(storage)
    const writes = forbiddenTo(caller).filter(({ path }) => path.startsWith('/cal/'))
    for (let from = 0; from < writes.length; from += 100) {
      const requests = writes.slice(from, from + 100).map((write) => ({ ...write, body: takenBy(caller) }))
      const body = JSON.stringify({ atomic: false, requests })
      const headers = { ...caller.headers, 'content-type': 'application/json' }
      const { text } = await textOf(await fetch(`${app.origin}/kalends/v1/batch`, { method: 'POST', headers, body }))
      const said = leaksIn(planted, text, { caller, address: { path: JSON.stringify(requests) } })
      assert.deepEqual(said, [])
      assert.ok(!/"status":2\d\d/.test(text), text.slice(0, 500))
    }
    assert.deepEqual(changedRows(before, await snapshotOf(storage)), [])
  })
}

for (const caller of programs(app).filter(({ role }) => role === 'contributor' || role === 'author')) {
  test(`${caller.name} changes nothing that belongs to others through an event of their own`, async () => {
    const times = { start_date: '2027-04-01 10:00:00', end_date: '2027-04-01 12:00:00' }
    const role = caller.role as 'contributor' | 'author'
    const { body: own } = await app.call(role, 'POST', '/events', { json: { title: 'Own', ...times, status: 'draft' } })
    const before = await snapshotOf(storage)
    const others = entries.filter((entry) => !caller.mayRead({ part: 'name', entry }))
    const leaks: string[] = []
    for (const { kind, id } of others) {
      const named = kind === 'event' ? { post_parent: id } : { [kind]: { id, [kind]: 'Taken', description: 'Taken' } }
      for (const json of [named, { ...named, id, title: 'Taken' }, { image: ids['media']?.[0], author: 1, ...named }]) {
        const headers = { ...caller.headers, 'content-type': 'application/json' }
        const answer = await fetch(`${app.origin}/cal/events/v1/events/${own.id}?id=${id}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify(json),
        })
        leaks.push(
          ...leaksIn(planted, (await textOf(answer)).text, { caller, address: { path: `through ${kind} ${id}` } }),
        )
      }
    }
    assert.deepEqual(leaks, [])
    assertOthersStay(caller, before, await snapshotOf(storage))
  })
}

/** Asserts that what a caller may not change is as it was. */
function assertOthersStay(caller: ProbeCaller, before: Snapshot, now: Snapshot): void {
  const isPublisher = isAmong(PUBLISHERS, caller.role)
  const changed = changedRows(before, now, [
    ...(['user', 'user_password', 'webhook', 'source', 'meta', 'redirect', 'sign_in_link'] as const),
    ...(isPublisher ? [] : (['category', 'tag'] as const)),
    ...(isAmong(EDITORS, caller.role) ? [] : (['media'] as const)),
  ])
  assert.deepEqual(changed, [], caller.name)
  const rows = new Set(changedRows(before, now, ['event', 'venue', 'organizer']))
  const taken = entries.filter((entry) => !caller.mayChange(entry) && rows.has(rowOf(entry)))
  assert.deepEqual(taken, [], caller.name)
  const known = new Set(entries.map(rowOf))
  const made = [...rows].filter((row) => !known.has(row)).map((row) => row.split(' ') as ['event', string])
  const authors = made.map(([table, id]) => now.get(table)?.get(id)?.['author_id'])
  if (!isAmong(EDITORS, caller.role))
    assert.deepEqual(
      authors.filter((id) => id !== idOf(caller.role) && id !== undefined),
      [],
    )
}

/** Where people change only themselves. */
const OF_THEMSELVES = /^\/admin\/(?:log|profile|link|setup)|^\/submit/

/** All forms that an administrator is shown. */
async function formsOfAdministrator({ headers }: ProbeCaller): Promise<Form[]> {
  const { forms } = await crawl(app.origin, ['/admin'], headers)
  for (const { path } of share(pagesOf(planted), 0).filter((one) => one.path.startsWith('/admin/'))) {
    const text = await (await fetch(app.origin + path, { headers })).text()
    forms.push(...formsIn(text, path))
  }
  return forms.filter(({ action }) => action.startsWith('/admin') && !OF_THEMSELVES.test(action))
}

const TAKEN = /^(?:title|name|venue|organizer|description|site_name)$/

/** Sends a form as someone else with their own token. */
async function sendForm(
  { headers }: ProbeCaller,
  form: Form,
  sent: { readonly csrf: string; readonly button: readonly [string, string] },
) {
  const body = new FormData()
  for (const [name, value] of form.fields) body.append(name, TAKEN.test(name) ? 'Taken' : value)
  body.set('_csrf', sent.csrf)
  if (sent.button[0] !== '') body.append(...sent.button)
  const answer = await fetch(app.origin + form.action, {
    method: 'POST',
    headers: { ...headers, origin: app.origin },
    body,
    redirect: 'manual',
  })
  return textOf(answer)
}

test('nobody changes what belongs to others with the forms of an administrator', async () => {
  const callers = await people(app)
  const forms = await formsOfAdministrator(callers.at(-1) as ProbeCaller)
  assert.ok(forms.length > 50, String(forms.length))
  for (const caller of callers.filter(isCurious)) {
    const before = await snapshotOf(storage)
    const profile = await (await fetch(`${app.origin}/admin/profile`, { headers: caller.headers })).text()
    const csrf = /name="_csrf" value="([^"]+)"/.exec(profile)?.[1] ?? ''
    assert.equal(csrf === '', caller.role === 'anonymous')
    const leaks: string[] = []
    for (const form of forms) {
      for (const button of form.buttons.length === 0 ? [['', ''] as const] : form.buttons) {
        const { status, text } = await sendForm(caller, form, { csrf, button })
        const own = form.fields.map(([, value]) => value).join()
        leaks.push(...leaksIn(planted, text, { caller, address: { path: `${form.action} ${button} ${own}` } }))
        if (status >= 500) leaks.push(`${status} for ${caller.name}: ${form.action} ${button}`)
      }
    }
    assert.deepEqual(leaks, [])
    assertOthersStay(caller, before, await snapshotOf(storage))
  }
})
