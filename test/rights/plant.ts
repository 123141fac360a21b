import assert from 'node:assert/strict'
import { addUser } from '../../src/accounts/users/index.ts'
import { ROLES, type Role } from '../../src/http/auth/rights.ts'
import { STATUSES, type Status } from '../../src/model/status.ts'
import type { TestApp } from '../support/app.ts'
import { sampleImage } from '../support/sample-image.ts'
import { submit } from '../support/submissions.ts'
import { upload } from '../support/upload.ts'
import { type Entry, SecretWords } from './secrets.ts'

/** Flags of a calendar that can be planted. Nobody listens at the addresses that it calls. */
export const FLAGS = { submissions: 'yes', fetchAllow: '127.0.0.1', perPageMax: '500' } as const

/** A calendar with an entry of every status by everybody, and with everything else that not all may see. */
export interface Planted {
  readonly app: TestApp
  readonly words: SecretWords
  readonly entries: Entry[]
  /** A cursor of changes from before everything. */
  readonly cursor: string
}

/** Where nobody listens. */
const NOBODY = 'http://127.0.0.1:9'

const TIMES = { start_date: '2026-12-05 10:00:00', end_date: '2026-12-05 12:00:00', timezone: 'America/New_York' }

/** The texts of venues and organizers beside their names. */
const TEXTS = {
  venue: (word: string) => ({ venue: `Fair ${word}`, description: `Fair ${word}`, city: word, address: `1 ${word}` }),
  organizer: (word: string) => ({ organizer: `Fair ${word}`, description: `Fair ${word}`, email: `${word}@e.example` }),
} as const

/** Fills a calendar. What is withdrawn had been published before, and read by everybody. */
export async function plant(app: TestApp): Promise<Planted> {
  const { headers } = await app.call('administrator', 'GET', '/events')
  const cursor = headers.get('x-kalends-cursor') ?? ''
  const planted: Planted = { app, words: new SecretWords(), entries: [], cursor }
  for (const owner of ROLES) {
    const links = await plantLinked(planted, owner)
    for (const status of STATUSES) await plantEvent(planted, { owner, status, more: links })
    await plantEvent(planted, { owner, veil: 'password', more: { password: 'sesame' } })
    await plantEvent(planted, { owner, veil: 'hidden', more: { hide_from_listings: true } })
  }
  for (const entry of planted.entries.filter(({ kind, status }) => kind !== 'event' && status === 'trash'))
    await written(planted, 'DELETE', `/${entry.kind}s/${entry.id}`)
  for (const status of ['draft', 'private'] as const)
    await plantEvent(planted, { owner: 'editor', status, more: { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] } })
  await plantWithdrawn(planted)
  await plantPast(planted)
  await plantOthers(planted)
  return planted
}

/** A write of the administrator. */
async function written({ app }: Pick<Planted, 'app'>, method: string, ...[path, json]: [string, object?]) {
  const address = path.startsWith('/kalends') ? `${app.origin}${path}` : path
  const answer = await app.call('administrator', method, address, { json })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function idOf({ app }: Planted, role: Role): Promise<number> {
  const [user] = await app.app.storage.all(
    app.app.storage.db.selectFrom('user').select(['id']).where('name', '=', role),
  )
  return user?.id ?? 0
}

/** Venues and organizers of every status; IDs that an event of the same owner links to, trashed when it has been made. */
async function plantLinked(planted: Planted, owner: Role): Promise<Record<string, number[]>> {
  const links: Record<string, number[]> = {}
  const author = await idOf(planted, owner)
  for (const kind of ['venue', 'organizer'] as const) {
    for (const status of STATUSES) {
      const word = planted.words.next()
      const made = { ...TEXTS[kind](word), author, ...(status === 'trash' ? {} : dated(status)) }
      const { id, slug } = await written(planted, 'POST', `/${kind}s`, made)
      const entry: Entry = { kind, id, slug, owner, status }
      planted.entries.push(entry)
      planted.words.tell(word, { part: 'name', entry })
      links[kind] = [...(links[kind] ?? []), id]
    }
  }
  return links
}

function dated(status: Status): object {
  return { status, ...(status === 'future' && { date: '2026-11-30 00:00:00' }) }
}

interface EventPlan {
  readonly owner: Role
  readonly status?: Status
  readonly veil?: Entry['veil']
  readonly more?: object
}

async function plantEvent(planted: Planted, { owner, status = 'publish', veil, more }: EventPlan): Promise<Entry> {
  const { words } = planted
  const [name, text, term] = [words.next(), words.next(), words.next()]
  const json = {
    ...TIMES,
    ...textsOf(name, text),
    ...{ categories: [`Fair c${term}`], tags: [`Fair t${term}`], author: await idOf(planted, owner) },
    ...dated(status),
    ...more,
  }
  const { id, slug } = await written(planted, 'POST', '/events', json)
  const entry: Entry = { kind: 'event', id, slug, owner, status, veil }
  planted.entries.push(entry)
  words.tell(name, { part: 'name', entry })
  words.tell(text, { part: 'text', entry })
  words.tell(term, { part: 'term', entry })
  return entry
}

function textsOf(name: string, text: string): object {
  return {
    title: `Fair ${name}`,
    ...{ description: `<p>Fair ${text}</p>`, excerpt: text, website: `https://e.example/${text}`, cost: `5 ${text}` },
    ...{ custom_fields: { stage: text }, tickets: [{ name: text, price: '5', currency: 'EUR' }] },
    ...{ event_status: 'postponed', event_status_reason: text, virtual_url: `https://v.example/${text}` },
  }
}

/** Events that everybody has read before they were withdrawn: whatever was kept of them shows them no longer. */
async function plantWithdrawn(planted: Planted): Promise<void> {
  const { app, entries } = planted
  const withdrawn: Entry[] = []
  for (let count = 0; count < 4; count += 1) withdrawn.push(await plantEvent(planted, { owner: 'editor' }))
  const own = withdrawn.flatMap(({ id, slug }) => [`/cal/events/v1/events/${id}`, `/event/${slug}/`])
  const lists = ['/cal/events/v1/events?per_page=500', '/kalends/v1/events.ics', '/kalends/v1/events.rss']
  const pages = ['/', '/events/', '/events/2026-12/', '/events/2026-12-05/', '/search/?q=fair', '/sitemap.xml']
  for (const address of [...own, ...lists, ...pages]) await (await fetch(`${app.origin}${address}`)).text()
  for (const [index, status] of (['draft', 'pending', 'private', 'trash'] as const).entries()) {
    const entry = withdrawn[index] as Entry
    await written(planted, 'PATCH', `/events/${entry.id}`, { status })
    // Words know their entry by reference.
    Object.assign(entry, { status })
  }
  assert.ok(entries.length > 0)
}

/** An event of the author whose texts were others until it was published. */
async function plantPast(planted: Planted): Promise<void> {
  const word = planted.words.next()
  const author = await idOf(planted, 'author')
  const draft = { ...TIMES, ...textsOf(word, word), slug: 'open-day', status: 'draft', author }
  const { id, slug } = await written(planted, 'POST', '/events', draft)
  const plain = { title: 'Open day', description: '', excerpt: '', website: '', cost: '', custom_fields: null }
  const nothing = { tickets: null, event_status: 'scheduled', event_status_reason: null, virtual_url: null }
  await written(planted, 'PATCH', `/events/${id}`, { ...plain, ...nothing, status: 'publish' })
  const entry: Entry = { kind: 'event', id, slug, owner: 'author', status: 'publish' }
  planted.entries.push(entry)
  planted.words.tell(word, { part: 'past', entry })
}

/** What belongs to no entry: an account, a webhook, a subscription, an image that only a draft shows, someone who sends an event. */
async function plantOthers(planted: Planted): Promise<void> {
  const { app, words } = planted
  const [account, webhook, subscription, image, sender] = Array.from({ length: 5 }, () => words.next())
  await addUser(app.app, { name: 'dora', email: `${account}@example.org`, role: 'author', displayName: 'Dora' })
  const hook = { url: `${NOBODY}/${webhook}`, events: ['event.deleted'], description: `For ${webhook}` }
  await written(planted, 'POST', '/kalends/v1/webhooks', hook)
  const followed = { url: `${NOBODY}/${subscription}.ics`, name: `Diary ${subscription}` }
  await written(planted, 'POST', '/kalends/v1/subscriptions', followed)
  const file = {
    bytes: await sampleImage(1),
    name: `${image}.png`,
    texts: { title: `Sky ${image}`, alt_text: `${image}` },
  }
  const { body } = await upload(app, 'administrator', file)
  const drafted = planted.entries.find(
    ({ kind, status, owner }) => kind === 'event' && status === 'draft' && owner === 'administrator',
  )
  await written(planted, 'PATCH', `/events/${drafted?.id}`, { image: body.id })
  const day = { start_date: '2026-12-05', start_date_time: '17:00', end_date: '2026-12-05', end_date_time: '18:30' }
  const form = {
    title: `Fair ${sender}`,
    ...day,
    submitter_name: `Ms ${sender}`,
    submitter_email: `${sender}@example.net`,
  }
  assert.equal((await submit(app, form)).status, 303)
  for (const [word, part] of [
    [account, 'account'],
    [webhook, 'webhook'],
    [subscription, 'subscription'],
    [image, 'image'],
    [sender, 'sender'],
  ] as const)
    words.tell(word ?? '', { part })
}
