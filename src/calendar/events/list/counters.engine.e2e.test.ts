import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../../test/support/draws.ts'
import { type content, KINDS, type LinkKind, question, step } from '../../../../test/support/events.ts'
import { ENGINES, openTestStorage } from '../../../../test/support/test-storage.ts'
import { addToLocal } from '../../../base/time/zones.ts'
import { BLANK_EVENT } from '../../../model/event.ts'
import type { Status } from '../../../model/status.ts'
import type { Compilable, Storage, Transaction } from '../../../storage/engine.ts'
import { fillEventCounts } from '../../../storage/event-counts.ts'
import { nextEntryId, nextTermId } from '../../../storage/identifiers.ts'
import { changeRow } from '../../../storage/row-writes.ts'
import type { EventState } from '../../event-store/copies.ts'
import { type EventLinks, type EventRow, NO_LINKS } from '../../event-store/event-row.ts'
import { categoriesDownFrom, categoriesUpFrom } from '../../event-store/terms.ts'
import { deleteEvent, insertEvent, takeEventId, updateEvent } from '../../event-store/write.ts'
import { removeRow } from '../../shared/linked/store.ts'
import { changeTerm, removeTerm } from '../../terms/write.ts'
import { EVERYTHING, type EventQuery } from './filters.ts'
import { planOf, readPage } from './plan.ts'

type Targets = Record<LinkKind, number[]>

const EVERYBODY = { ofAll: ['publish'], ofOwn: [], ownerId: 0 } as const

const PARTS = { venue: 'venue', organizer: 'organizer', category: 'categories', tag: 'tags' } as const

for (const engine of ENGINES) {
  test(`totals and pages are those of a plain count after any writes (${engine})`, async (t) => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60 }),
      fc.array(question, { minLength: 40, maxLength: 40 }),
      async (steps, questions) => {
        const storage = await openTestStorage(engine, t)
        const targets = await makeTargets(storage)
        const events = new Map<number, EventState>()
        for (const one of steps) await storage.write((tx) => take(tx, one, { events, targets }))
        await assertCounters(storage)
        for (const one of questions) await assertAnswers(storage, one, { events, targets })
      },
    )
    await fc.assert(property, { numRuns: draws(12, 4), endOnFailure: true })
  })

  test(`what lasts longer than a window is counted to the second, be it few or many (${engine})`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const targets = await makeTargets(storage)
    const events = new Map<number, EventState>()
    const end = addToLocal(LONG.start, { seconds: LONG.length })
    const around = (moment: string): string[] => [-1, 0, 1].map((seconds) => addToLocal(moment, { seconds }))
    const windows = around(LONG.start).flatMap((start_date) =>
      [...around(end), '2027-03-01 00:00:00'].map((end_date) => ({ start_date, end_date })),
    )
    const asked: Question['target'][] = [undefined, { kind: 'venue', at: [0] }, { kind: 'venue', at: [1] }]
    for (const more of [1, 9, 40]) {
      for (let n = 0; n < more; n += 1)
        await storage.write((tx) => take(tx, { does: 'create', content: LONG }, { events, targets }))
      for (const target of asked) {
        for (const bounds of windows) await assertAnswers(storage, { ...REST, target, bounds }, { events, targets })
      }
    }
  })

  test(`windows that end between the events of their first page hold what ends in them (${engine})`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const targets = await makeTargets(storage)
    const events = new Map<number, EventState>()
    const at = (hours: number, seconds = 0): string => addToLocal(LONG.start, { seconds: hours * 3_600 + seconds })
    for (let n = 0; n < 24; n += 1) {
      const length = [3_600, -3_600, 86_399, 3 * 86_400][n % 4] ?? 0
      const content = { ...LONG, start: at(6 * Math.floor(n / 2)), length }
      await storage.write((tx) => take(tx, { does: 'create', content }, { events, targets }))
    }
    for (let from = 0; from < 80; from += 6) {
      for (const hours of [-5, -1, 0, 1, 6, 24, 30, 48, 200]) {
        for (const seconds of [-1, 0]) {
          const bounds = { start_date: at(from), end_date: at(from + hours, seconds) }
          await assertAnswers(storage, { ...REST, target: undefined, bounds }, { events, targets })
        }
      }
    }
  })
}

const LONG: Content = {
  start: '2027-02-01 10:00:00',
  length: 200 * 86_400,
  status: 'publish',
  hidden: 0,
  featured: 0,
  tickets: null,
  links: { venue: [0], organizer: [], category: [], tag: [] },
}

/** Targets that no event has. */
const NOBODY = Array.from({ length: 25 }, (_none, n) => 1_000_000 + n)

const REST = { trait: undefined, statuses: ['publish'] as const, offset: 0 }

interface World {
  readonly events: Map<number, EventState>
  readonly targets: Targets
}

async function makeTargets(storage: Storage): Promise<Targets> {
  return storage.write(async (tx) => {
    const targets: Targets = { venue: [], organizer: [], category: [], tag: [] }
    for (const kind of KINDS) {
      for (let n = 0; n < 3; n += 1) {
        const isTerm = kind === 'category' || kind === 'tag'
        const id = isTerm ? await nextTermId(tx, kind) : await nextEntryId(tx, kind)
        const columns = {
          id,
          name: `${kind} ${n}`,
          name_folded: `${kind} ${n}`,
          slug: `${kind}-${n}`,
          description: '',
          revision: 1,
          extra: null,
        }
        const term = { ...columns, name_key: '', parent: 0, color: '', shade: 0, count: 0, search_text: '' }
        const entry = { ...columns, ...ENTRY, phone: '', website: '', language: '' }
        if (kind === 'venue') await tx.run(tx.db.insertInto('venue').values({ ...entry, ...PLACE, exclusive: 0 }))
        if (kind === 'organizer') await tx.run(tx.db.insertInto('organizer').values({ ...entry, email: '' }))
        if (isTerm) await tx.run(tx.db.insertInto(kind).values(term))
        targets[kind].push(id)
      }
    }
    return targets
  })
}

const ENTRY = {
  author_id: 1,
  status: 'publish',
  trashed_from: null,
  published_at: '2026-01-01 00:00:00',
  modified_at: '2026-01-01 00:00:00',
  excerpt: '',
  image_id: null,
  image_recorded: null,
} as const

const PLACE = {
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  zip: '',
  stateprovince: '',
  show_map: 1,
  show_map_link: 1,
  geo_lat: null,
  geo_lng: null,
} as const

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
type Content = typeof content extends fc.Arbitrary<infer One> ? One : never

async function take(tx: Transaction, one: Step, { events, targets }: World): Promise<void> {
  if (one.does === 'create') {
    const id = await takeEventId(tx)
    const state = stateOf({ id, revision: 1 }, one.content, targets)
    await insertEvent(tx, state, { actor: 1, action: 'create' })
    events.set(id, state)
    return
  }
  if (one.does === 'forget') return forget(tx, one, { events, targets })
  if (one.does === 'move') return move(tx, one, targets)
  if (one.does === 'place') return place(tx, one, targets)
  const before = [...events.values()][one.which % Math.max(events.size, 1)]
  if (before === undefined) return
  const { id } = before.row
  if (one.does === 'delete') {
    await deleteEvent(tx, before, { actor: 1, at: '2027-01-01 00:00:00' })
    events.delete(id)
    return
  }
  const next = { id, revision: before.row.revision + 1 }
  const changed = {
    row: { ...before.row, ...next, status: one.does === 'status' ? one.to : before.row.status },
    links: before.links,
  }
  const after = one.does === 'status' ? changed : stateOf(next, one.content, targets)
  await updateEvent(tx, { before, after }, { actor: 1, action: 'update' })
  events.set(id, after)
}

/** Deletes a venue, organizer, category or tag permanently; it is no target any more. */
async function forget(
  tx: Transaction,
  { kind, at }: { readonly kind: LinkKind; readonly at: number },
  { events, targets }: World,
): Promise<void> {
  const id = targets[kind][at]
  if (id === undefined) return
  if (kind === 'venue' || kind === 'organizer') await removeRow(tx, kind, id)
  else await removeTerm(tx, kind, { id, ...WRITER })
  targets[kind].splice(at, 1)
  for (const [key, { row, links: own }] of events)
    events.set(key, { row, links: { ...own, [kind]: own[kind].filter((one) => one !== id) } })
}

const WRITER = { actor: 1, at: '2027-01-01 00:00:00' }

/** Moves a category below another one, or to the top, unless it would come to stand below itself. */
async function move(
  tx: Transaction,
  { at, below }: { readonly at: number; readonly below: number },
  targets: Targets,
): Promise<void> {
  const id = targets.category[at]
  const parent = targets.category[below] ?? 0
  if (id === undefined || (await categoriesUpFrom(tx, [parent])).includes(id)) return
  await changeTerm(tx, 'category', { id, sent: { parent }, ...WRITER })
}

/** Gives a venue another place, or none, and status. */
async function place(
  tx: Transaction,
  { at, status, lat }: { readonly at: number; readonly status: Status; readonly lat: number | null },
  targets: Targets,
): Promise<void> {
  const id = targets.venue[at]
  if (id !== undefined) await changeRow(tx, 'venue', { id, status, geo_lat: lat, geo_lng: lat })
}

function stateOf(
  { id, revision }: { readonly id: number; readonly revision: number },
  made: Content,
  targets: Targets,
): EventState {
  const start_local = made.start
  const end_local = addToLocal(start_local, { seconds: made.length })
  const row: EventRow = {
    ...BLANK_EVENT,
    ...ENTRY,
    id,
    revision,
    slug: `event-${id}`,
    status: made.status,
    title: `Event ${id}`,
    all_day: 0,
    start_local,
    end_local,
    start_utc: start_local,
    end_utc: end_local,
    timezone: 'UTC',
    hide_from_listings: made.hidden,
    featured: made.featured,
    tickets: made.tickets,
  }
  const linked = (kind: LinkKind): number[] => made.links[kind].flatMap((at) => targets[kind][at] ?? [])
  const own: EventLinks = { ...NO_LINKS, ...Object.fromEntries(KINDS.map((kind) => [kind, linked(kind)])) }
  return { row, links: own }
}

/** The counters are those that the migration would make of what is stored. */
async function assertCounters(storage: Storage): Promise<void> {
  const counters = text(`select kind, target_id, status, level, period, starts, ends from event_count
    where starts <> 0 or ends <> 0 order by kind, target_id, status, level, period`)
  const kept = await storage.all(counters)
  await storage.write(async (tx) => {
    for (const statement of fillEventCounts()) await tx.run(text(statement))
  })
  assert.deepEqual(kept, await storage.all(counters))
}

function text(statement: string): Compilable<unknown> {
  return { compile: () => ({ sql: statement, parameters: [] }) }
}

type Question = typeof question extends fc.Arbitrary<infer One> ? One : never

async function assertAnswers(storage: Storage, asked: Question, { events, targets }: World): Promise<void> {
  const ids = asked.target?.at.flatMap((at) => (asked.target && targets[asked.target.kind][at]) ?? []) ?? []
  const [target] = ids
  const meant = asked.target?.kind === 'category' ? await categoriesDownFrom(storage, ids) : ids
  const { trait } = asked
  const placed = await storage.all(storage.db.selectFrom('venue').select(['id', 'status', 'geo_lat']))
  const located = new Set(placed.filter((one) => one.status === 'publish' && one.geo_lat !== null).map((one) => one.id))
  const part = {
    ...(asked.target && target !== undefined && { [PARTS[asked.target.kind]]: ids }),
    ...(trait && {
      [trait.name]: trait.name === 'geoloc' ? { wanted: trait.wanted, venues: EVERYBODY } : trait.wanted,
    }),
  }
  const visibility = { ofAll: asked.statuses, ofOwn: [], ownerId: 1 }
  const query: EventQuery = { ...EVERYTHING, bounds: asked.bounds, ...part }
  const found = [...events.values()]
    .filter(({ row, links: own }) => {
      if (row.hide_from_listings === 1 || !asked.statuses.includes(row.status)) return false
      const has = {
        featured: row.featured === 1,
        ticketed: row.tickets !== null,
        geoloc: own.venue.some((id) => located.has(id)),
      }
      return (
        lies(row, asked.bounds) &&
        (trait === undefined || has[trait.name] === trait.wanted) &&
        (asked.target === undefined || target === undefined || own[asked.target.kind].some((id) => meant.includes(id)))
      )
    })
    .map(({ row }) => row)
    .sort((one, other) =>
      one.start_local === other.start_local ? one.id - other.id : one.start_local < other.start_local ? -1 : 1,
    )
  const listing = { query, visibility, limit: 50, offset: asked.offset }
  const plan = planOf(listing)
  assert.equal(await plan.total(storage), found.length, JSON.stringify(asked))
  const page = found.slice(asked.offset, asked.offset + 50).map((row) => row.id)
  assert.deepEqual((await plan.page(storage)).ids, page, JSON.stringify(asked))
  for (const limit of [2, 3]) {
    const first = { ids: found.slice(0, limit).map((row) => row.id), total: found.length }
    assert.deepEqual(await readPage(storage, { ...listing, limit, offset: 0 }), first, JSON.stringify(asked))
  }
  const past = { ...listing, offset: found.length + 1 }
  assert.deepEqual(await readPage(storage, past), { ids: [], total: found.length }, JSON.stringify(asked))
  if (asked.target !== undefined && ids.length > 1) {
    // More than those whose pages are merged.
    const many = { ...query, [PARTS[asked.target.kind]]: [...ids, ...NOBODY] }
    const first = { ids: found.slice(0, 3).map((row) => row.id), total: found.length }
    assert.deepEqual(await readPage(storage, { ...listing, query: many, limit: 3, offset: 0 }), first)
    assert.deepEqual(await readPage(storage, { ...past, query: many }), { ids: [], total: found.length })
  }
}

function lies({ start_local: start, end_local: end }: EventRow, within: EventQuery['bounds']): boolean {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after } = within
  return (
    (start_date === undefined || start >= start_date) &&
    (end_date === undefined || end <= end_date) &&
    (starts_before === undefined || start < starts_before) &&
    (starts_after === undefined || start > starts_after) &&
    (ends_before === undefined || end < ends_before) &&
    (ends_after === undefined || end > ends_after)
  )
}
