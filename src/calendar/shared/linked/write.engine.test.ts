import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestEvent, TEST_NOW, TEST_SITE } from '../../../../test/support/linked-server.ts'
import { ENGINES, openTestStorage } from '../../../../test/support/test-storage.ts'
import { Failure } from '../../../base/errors.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'
import { lineagesOf } from '../../../storage/entry-texts.ts'
import { readSince } from '../../../storage/journal/read.ts'
import { ORGANIZERS } from '../../organizers/index.ts'
import { openVenues, VENUES, type VenueContent } from '../../venues/index.ts'
import { NO_IMAGES } from '../image.ts'
import { firstDate } from '../store-dates.ts'
import type { NewLinked } from './row.ts'
import { draftOf } from './rules.ts'
import { type CreateOptions, createLinked } from './write.ts'

const AT = '2026-11-20 18:00:00'
const EDITOR: Caller = { id: 2, role: 'editor', name: 'editor' }
const AUTHOR: Caller = { id: 3, role: 'author', name: 'author' }
const CONTRIBUTOR: Caller = { id: 4, role: 'contributor', name: 'contributor' }

const FRAME = {
  author_id: 1,
  status: 'publish' as const,
  trashed_from: null,
  slug: '',
  published_at: AT,
  modified_at: AT,
  excerpt: '',
  image_id: null,
  image_recorded: null,
  extra: null,
}

const createVenue = (tx: Transaction, columns: NewLinked<VenueContent>, options: CreateOptions) =>
  createLinked(tx, VENUES, { columns, options })

function draftOfVenue(values: Record<string, unknown>) {
  return draftOf(VENUES, values, values)
}

function venueOf(columns: Partial<NewLinked<VenueContent>>): NewLinked<VenueContent> {
  return { ...FRAME, ...VENUES.blank, name: 'Town Hall', ...columns }
}

function lookupOf(storage: Storage) {
  return openVenues({ pictures: NO_IMAGES, storage, site: TEST_SITE, isUser: async () => true }).lookup
}

for (const engine of ENGINES) {
  test(`${engine}: an added venue has an id, a free slug, search text, lineage and a journal entry`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const options = { actor: null, at: AT, lineage: ['old.example?id=7'] }
    const row = await storage.write((tx) => createVenue(tx, venueOf({ city: 'Zürich' }), options))
    assert.equal(row.slug, 'town-hall')
    assert.equal(row.name_folded, 'town hall')
    assert.equal(row.revision, 1)
    const text = await storage.first(storage.db.selectFrom('entry_text').select('body').where('id', '=', row.id))
    assert.equal(text?.body, 'town hall\nzurich')
    assert.deepEqual(await lineagesOf(storage, [row.id]), new Map([[row.id, ['old.example?id=7']]]))
    const [entry] = await readSince(storage, 0, 10)
    assert.deepEqual(
      [entry?.resource, entry?.id, entry?.revision, entry?.action, entry?.actor],
      ['venue', row.id, 1, 'create', null],
    )
    assert.deepEqual(entry?.snapshot, { ...row })
  })

  test(`${engine}: a wished id is taken where it was never used, else the next one`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const options = { actor: null, at: AT, wishedId: 40 }
    const wished = await storage.write((tx) => createVenue(tx, venueOf({}), options))
    const refused = await storage.write((tx) => createVenue(tx, venueOf({}), options))
    assert.deepEqual([wished.id, refused.id], [40, 41])
    assert.deepEqual([wished.slug, refused.slug], ['town-hall', 'town-hall-2'])
  })

  test(`${engine}: a slug is the one given, else of the name, else the id, and ends in the trash as such`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const options = { actor: null, at: AT }
    const rows = await storage.write(async (tx) => [
      await createVenue(tx, venueOf({ slug: 'hall-of-old' }), options),
      await createVenue(tx, venueOf({ name: '!!!' }), options),
      await createVenue(tx, venueOf({ name: 'Gone', status: 'trash' }), options),
    ])
    assert.deepEqual(
      rows.map((row) => row.slug),
      ['hall-of-old', String(rows[1]?.id), 'gone__trashed'],
    )
  })

  test(`${engine}: the same slug may belong to a venue and to an organizer`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const options = { actor: null, at: AT }
    const content = { name: 'Town Hall', description: '', phone: '', website: '', email: '', language: '' }
    await storage.write((tx) => createVenue(tx, venueOf({}), options))
    const organizer = await storage.write((tx) =>
      createLinked(tx, ORGANIZERS, { columns: { ...FRAME, ...content }, options }),
    )
    assert.equal(organizer.slug, 'town-hall')
  })

  test(`${engine}: two equal creates at once give one venue`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const lookup = lookupOf(storage)
    const cause = { caller: EDITOR, at: AT }
    const save = () =>
      storage.write((tx) => lookup.saveInline(tx, draftOfVenue({ venue: 'Hall', city: 'Rome' }), cause))
    const saved = await Promise.all([save(), save(), save()])
    assert.equal(new Set(saved.map(({ row }) => row.id)).size, 1)
    assert.deepEqual(
      saved.map(({ isNew }) => isNew),
      [true, false, false],
    )
    for (const { row } of saved) assert.deepEqual(row, (await lookup.byIds(storage, [row.id])).get(row.id))
    assert.equal((await readSince(storage, 0, 10)).length, 1)
  })

  test(`${engine}: a create means the lowest readable item outside the trash that contradicts nothing sent`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const lookup = lookupOf(storage)
    const add = (columns: Partial<NewLinked<VenueContent>>): Promise<number> =>
      storage.write(async (tx) => (await createVenue(tx, venueOf(columns), { actor: null, at: AT })).id)
    await add({ status: 'trash', city: 'Rome' })
    const draft = await add({ status: 'draft', author_id: 1, city: 'Rome' })
    const first = await add({ city: 'Rome', phone: '1' })
    await add({ city: 'Rome', phone: '1' })
    const save = (caller: Caller, values: Record<string, unknown>): Promise<number> =>
      storage.write(async (tx) => {
        const draft = draftOfVenue({ venue: 'TOWN  hall', ...values })
        return (await lookup.saveInline(tx, draft, { caller, at: AT })).row.id
      })
    assert.equal(await save(EDITOR, { city: 'Rome' }), draft)
    assert.equal(await save(AUTHOR, { city: 'Rome' }), first)
    assert.equal(await save(AUTHOR, { city: 'Rome', phone: '', geo_lat: null }), first)
    assert.equal(await save(AUTHOR, { phone: '1' }), first)
    assert.ok((await save(AUTHOR, { city: 'rome' })) > first + 1)
    assert.ok((await save(AUTHOR, { city: 'Rome', show_map: false })) > first + 1)
  })

  test(`${engine}: inline data may name only an author and a status that are open to the caller`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const lookup = lookupOf(storage)
    const user = { name: 'u', name_folded: 'u', email: 'u', email_folded: 'u', role: 'author', display_name: 'u' }
    await storage.write((tx) =>
      tx.run(tx.db.insertInto('user').values({ id: 9, ...user, created_at: AT, disabled_at: null })),
    )
    const save = (caller: Caller, values: Record<string, unknown>): Promise<number> =>
      storage.write(async (tx) => {
        const draft = draftOfVenue({ venue: 'Hall', ...values })
        return (await lookup.saveInline(tx, draft, { caller, at: AT })).row.id
      })
    const refused = (code: string) => (error: unknown) => error instanceof Failure && error.code === code
    await assert.rejects(save(EDITOR, { author: 99 }), refused('rest_invalid_param'))
    await assert.rejects(save(AUTHOR, { author: 9 }), refused('rest_forbidden'))
    await assert.rejects(save(CONTRIBUTOR, { status: 'private' }), refused('rest_forbidden'))
    assert.ok((await save(EDITOR, { author: 9 })) > 0)
    const row = (await lookup.byIds(storage, [await save(CONTRIBUTOR, { phone: '2', status: 'publish' })]))
      .values()
      .next().value
    assert.deepEqual([row?.status, row?.author_id], ['pending', CONTRIBUTOR.id])
  })

  test(`${engine}: inline data is read by the fields of a create`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const lookup = lookupOf(storage)
    const context = { now: TEST_NOW, siteZone: 'UTC' }
    const read = (data: Record<string, unknown>) => lookup.readInline(storage, data, { caller: EDITOR, context })
    const reading = await read({ venue: ' A <b>B</b> ', zip: 12345, unknown: 1 })
    assert.deepEqual(reading.ok && reading.draft.content, { name: 'A B', zip: '12345' })
    for (const data of [{ venue: '' }, { venue: '  ' }, { venue: '<p></p>' }]) {
      assert.deepEqual(await read(data), { ok: false, problem: 'blank' }, JSON.stringify(data))
    }
    const refused = [
      { city: 'x' },
      { venue: null },
      { venue: true },
      { venue: 'A', website: 'foo' },
      { venue: '', website: 'foo' },
    ]
    for (const data of [...refused, { venue: 'A', image: 7 }, { venue: 'A', geo_lat: 1 }]) {
      assert.deepEqual(await read(data), { ok: false, problem: 'refused' }, JSON.stringify(data))
    }
  })

  test(`${engine}: what is due is published with a journal entry of the program, what is not due stays`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const room = openVenues({ pictures: NO_IMAGES, storage, site: TEST_SITE, isUser: async () => true })
    const add = (published_at: string): Promise<{ id: number }> =>
      storage.write((tx) => createVenue(tx, venueOf({ status: 'future', published_at }), { actor: null, at: AT }))
    const due = await add('2026-11-21 00:00:00')
    const later = await add('2026-11-22 00:00:00')
    assert.equal(await firstDate(storage), '2026-11-21 00:00:00')
    assert.equal(await room.schedule.publishDue('2026-11-21 00:00:00'), 1)
    assert.equal(await room.schedule.publishDue('2026-11-21 00:00:00'), 0)
    const rows = await room.lookup.byIds(storage, [due.id, later.id, 999])
    assert.deepEqual([...rows.values()].map((row) => row.status).sort(), ['future', 'publish'])
    const last = (await readSince(storage, 2, 10))[0]
    assert.deepEqual([last?.id, last?.action, last?.actor, last?.revision], [due.id, 'update', null, 2])
  })

  test(`${engine}: relations of an event are found by the ids of a lookup in any state`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const lookup = lookupOf(storage)
    const row = await storage.write((tx) => createVenue(tx, venueOf({ status: 'trash' }), { actor: null, at: AT }))
    const links = [{ key: 'venue', id: row.id } as const]
    await storage.write((tx) => addTestEvent(tx, { start: AT, end: AT, links }))
    assert.deepEqual([...(await lookup.byIds(storage, [row.id])).keys()], [row.id])
    assert.equal((await lookup.find(storage, { by: 'slug', slug: 'town-hall__trashed' }))?.id, row.id)
    assert.equal((await lookup.byIds(storage, [])).size, 0)
  })
}
