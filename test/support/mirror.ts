import assert from 'node:assert/strict'
import { spanClass } from '../../src/base/time/ranges.ts'
import type { Reader } from '../../src/storage/engine.ts'
import { LINK_KIND, TRAIT } from '../../src/storage/schema.ts'
import { type Row, rowsOf } from './storage.ts'

const RESOURCES = ['event', 'venue', 'organizer', 'category', 'tag', 'media'] as const
const RELATIONS = ['venue', 'organizer', 'category', 'tag'] as const

type Links = Readonly<Record<(typeof RELATIONS)[number], readonly unknown[]>>

async function linksOf(reader: Reader, event: unknown): Promise<Links> {
  const found: [string, unknown[]][] = []
  for (const kind of RELATIONS) {
    const sql = `select ${kind}_id as target from event_${kind} where event_id = ? order by position`
    found.push([kind, (await rowsOf(reader, sql, Number(event))).map((row) => row['target'])])
  }
  return Object.fromEntries(found) as unknown as Links
}

/**
 * The last journal entry of every item has the revision and the content of its row, each item has the revisions 1, 2, 3
 * without a gap (further dates of a series leave it as it is), and what is gone ends with a deletion. A term's count follows its events and is no change of the term.
 */
export async function assertJournalMirrors(reader: Reader): Promise<void> {
  for (const resource of RESOURCES) {
    const entries = await rowsOf(reader, 'select * from journal where resource = ? order by seq', resource)
    const rows = new Map((await rowsOf(reader, `select * from ${resource}`)).map((row) => [row['id'], row]))
    for (const [id, own] of Map.groupBy(entries, (entry) => entry['id'])) {
      const revisions = own.filter((entry) => entry['action'] !== 'extend').map((entry) => entry['revision'])
      assert.deepEqual(
        revisions,
        revisions.map((_one, index) => index + 1),
        `revisions of ${resource} ${id}`,
      )
      const last = own.at(-1) as Row
      const row = rows.get(id)
      rows.delete(id)
      assert.equal(last['action'] === 'delete', row === undefined, `${resource} ${id}`)
      if (row === undefined) assert.equal(last['snapshot'], null)
      else await assertSnapshot(reader, { resource, row, last })
    }
    assert.deepEqual([...rows.keys()], [], `${resource} without an entry`)
  }
}

async function assertSnapshot(
  reader: Reader,
  { resource, row, last }: { readonly resource: string; readonly row: Row; readonly last: Row },
): Promise<void> {
  const place = `${resource} ${row['id']}`
  assert.equal(last['revision'], row['revision'], place)
  const snapshot = JSON.parse(String(last['snapshot']))
  const { password_hash, count: _count, ...columns } = { ...row }
  const links = resource === 'event' ? { links: await linksOf(reader, row['id']) } : {}
  const has_password = resource === 'event' ? { has_password: password_hash !== null } : {}
  const { count: _copied, ...kept } = snapshot
  assert.deepEqual(kept, { ...columns, ...has_password, ...links }, place)
}

const COPIED = ['start_local', 'end_local', 'start_utc', 'end_utc', 'published_at', 'status', 'author_id', 'featured']

/**
 * Every event has one occurrence with its own ID, which has everything that lists filter and order by; the narrow
 * copies name each relation, category above and trait once; the counts of terms are those of published events; the search text is there.
 */
export async function assertCopiesFollow(reader: Reader): Promise<void> {
  const events = await rowsOf(reader, 'select * from event order by id')
  const expected = events.map((event) => ({
    id: event['id'],
    event_id: event['id'],
    span: spanClass(String(event['start_local']), String(event['end_local'])),
    listed: event['hide_from_listings'] === 1 ? 0 : 1,
    ...Object.fromEntries(COPIED.map((column) => [column, event[column]])),
  }))
  assert.deepEqual(await rowsOf(reader, 'select * from occurrence order by id'), expected)
  await assertNarrowCopies(reader, events)
  const texts = await rowsOf(reader, 'select id from entry_text order by id')
  const entries = await rowsOf(
    reader,
    `select id from event union all select id from venue union all select id from organizer
      union all select -id from event where password_hash is not null order by id`,
  )
  assert.deepEqual(texts, entries)
  for (const kind of ['category', 'tag']) {
    const sql = `select id, count, (select count(*) from event_${kind} as link
      inner join event on event.id = link.event_id where link.${kind}_id = ${kind}.id and event.status = 'publish') as real
      from ${kind}`
    for (const row of await rowsOf(reader, sql)) assert.equal(row['count'], row['real'], `${kind} ${row['id']}`)
  }
}

/** Each category with all those above it. */
async function lineagesOf(reader: Reader): Promise<Map<number, readonly number[]>> {
  const rows = await rowsOf(reader, 'select id, parent from category')
  const parents = new Map(rows.map((row) => [Number(row['id']), Number(row['parent'])]))
  const lineageOf = (id: number): number[] => {
    const parent = parents.get(id) ?? 0
    return parent === 0 ? [id] : [id, ...lineageOf(parent)]
  }
  return new Map([...parents.keys()].map((id) => [id, lineageOf(id)]))
}

/** What an event stands under in lists, by kind: what it names, all categories above its own, and what it is. */
function targetsOf(event: Row, links: Links, lineages: ReadonlyMap<number, readonly number[]>): [number, number][] {
  const named = RELATIONS.flatMap((kind) => {
    const own = links[kind].map(Number)
    const all = kind === 'category' ? new Set(own.flatMap((id) => lineages.get(id) ?? [])) : own
    return [...all].map((target): [number, number] => [LINK_KIND[kind], target])
  })
  const traits = [event['featured'] === 1 && TRAIT.featured, event['tickets'] !== null && TRAIT.ticketed]
  const real = traits.filter((trait) => trait !== false)
  return [...named, ...real.map((trait): [number, number] => [LINK_KIND.trait, trait])]
}

async function assertNarrowCopies(reader: Reader, events: readonly Row[]): Promise<void> {
  const lineages = await lineagesOf(reader)
  const expected: Row[] = []
  for (const event of events) {
    for (const [kind, target] of targetsOf(event, await linksOf(reader, event['id']), lineages)) {
      expected.push({
        kind,
        target_id: target,
        listed: event['hide_from_listings'] === 1 ? 0 : 1,
        status: event['status'] ?? '',
        start_local: event['start_local'] ?? '',
        published_at: event['published_at'] ?? '',
        occurrence_id: event['id'] ?? 0,
        event_id: event['id'] ?? 0,
      })
    }
  }
  const order = (rows: readonly Row[]): string[] =>
    rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()
  assert.deepEqual(order(await rowsOf(reader, 'select * from occurrence_link')), order(expected))
}
