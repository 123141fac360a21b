import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { EngineName, Reader } from './engine.ts'
import type { Database } from './schema.ts'

type Base<Held> = [Held] extends [number] ? 'number' : 'text'
type Column<Held> = null extends Held ? `${Base<NonNullable<Held>>} or null` : Base<Held>
type Tables = { readonly [T in keyof Database]: { readonly [C in keyof Database[T]]: Column<Database[T][C]> } }

const ENTRY = {
  id: 'number',
  author_id: 'number',
  status: 'text',
  trashed_from: 'text or null',
  slug: 'text',
  published_at: 'text',
  modified_at: 'text',
  description: 'text',
  excerpt: 'text',
  image_id: 'number or null',
  image_recorded: 'text or null',
  extra: 'text or null',
  revision: 'number',
} as const

const LINKED = {
  ...ENTRY,
  name: 'text',
  name_folded: 'text',
  phone: 'text',
  website: 'text',
  language: 'text',
} as const

const TERM = {
  id: 'number',
  name: 'text',
  name_folded: 'text',
  name_key: 'text',
  slug: 'text',
  description: 'text',
  parent: 'number',
  color: 'text',
  shade: 'number',
  count: 'number',
  search_text: 'text',
  extra: 'text or null',
  revision: 'number',
} as const

const RELATION = { event_id: 'number', position: 'number' } as const

const MOMENTS = { start_local: 'text', end_local: 'text', start_utc: 'text', end_utc: 'text' } as const

/** The types of schema.ts written out: the compiler refuses a column too many, one that is missing or another kind. */
const TABLES: Tables = {
  meta: { key: 'text', value: 'text' },
  counter: { name: 'text', value: 'number' },
  entry: { id: 'number', kind: 'text' },
  term: { id: 'number', taxonomy: 'text' },
  entry_text: { id: 'number', body: 'text', terms: 'text or null' },
  event: {
    ...ENTRY,
    ...MOMENTS,
    title: 'text',
    all_day: 'number',
    timezone: 'text',
    cost: 'text',
    cost_symbol: 'text',
    cost_position: 'text',
    website: 'text or null',
    show_map: 'number',
    show_map_link: 'number',
    hide_from_listings: 'number',
    sticky: 'number',
    featured: 'number',
    password_hash: 'text or null',
    post_parent: 'number',
    tickets: 'text or null',
    custom_fields: 'text or null',
    recurrence: 'text or null',
    exception: 'text or null',
    event_status: 'text',
    event_status_reason: 'text',
    previous_start: 'text or null',
    address_start: 'text or null',
    is_virtual: 'number',
    virtual_url: 'text',
    virtual_type: 'text',
    language: 'text',
  },
  venue: {
    ...LINKED,
    address: 'text',
    city: 'text',
    country: 'text',
    province: 'text',
    state: 'text',
    zip: 'text',
    stateprovince: 'text',
    show_map: 'number',
    show_map_link: 'number',
    geo_lat: 'number or null',
    geo_lng: 'number or null',
    exclusive: 'number',
  },
  organizer: { ...LINKED, email: 'text' },
  category: TERM,
  tag: TERM,
  event_venue: { ...RELATION, venue_id: 'number' },
  event_organizer: { ...RELATION, organizer_id: 'number' },
  event_category: { ...RELATION, category_id: 'number' },
  event_tag: { ...RELATION, tag_id: 'number' },
  ticket: { ...RELATION, id: 'number' },
  occurrence: {
    ...MOMENTS,
    id: 'number',
    event_id: 'number',
    span: 'number',
    published_at: 'text',
    status: 'text',
    listed: 'number',
    author_id: 'number',
    featured: 'number',
  },
  occurrence_link: {
    kind: 'number',
    target_id: 'number',
    listed: 'number',
    status: 'text',
    start_local: 'text',
    published_at: 'text',
    occurrence_id: 'number',
    event_id: 'number',
  },
  series_date: {
    id: 'number',
    series_id: 'number',
    recurrence_id: 'text',
    position: 'number',
    of_day: 'number',
    exception_id: 'number or null',
    address: 'text or null',
  },
  former_slug: { entry_id: 'number', number: 'number', slug: 'text', at: 'text' },
  media: {
    id: 'number',
    author_id: 'number',
    created_at: 'text',
    title: 'text',
    alt: 'text',
    mime: 'text',
    width: 'number',
    height: 'number',
    filesize: 'number',
    file: 'text',
    sizes: 'text',
    source_url: 'text or null',
    revision: 'number',
    slug: 'text or null',
    caption: 'text',
    post_id: 'number',
    modified_at: 'text or null',
  },
  event_count: {
    kind: 'number',
    target_id: 'number',
    status: 'text',
    level: 'number',
    period: 'text',
    starts: 'number',
    ends: 'number',
  },
  journal: {
    seq: 'number',
    at: 'text',
    actor: 'number or null',
    resource: 'text',
    id: 'number',
    revision: 'number',
    action: 'text',
    snapshot: 'text or null',
    agent: 'text or null',
  },
  journal_head: { id: 'number', seq: 'number' },
  submission: {
    ...{ event_id: 'number', name: 'text', email: 'text', created_at: 'text', language: 'text', state: 'text' },
    ...{ reason: 'text', decided_at: 'text or null', link: 'text', sealed_link: 'text' },
    ...{ question: 'text', answer: 'text', into_id: 'number or null' },
  },
  decline_reason: { id: 'number', reason: 'text' },
  redirect: { source: 'text', target: 'text', created_at: 'text' },
  webhook: {
    ...{ id: 'number', url: 'text', description: 'text', events: 'text', audience: 'text', active: 'number' },
    ...{ secret: 'text', former_secret: 'text', former_until: 'text or null', seq: 'number', failures: 'number' },
    ...{ problem: 'text', succeeded_at: 'text or null', created_at: 'text', modified_at: 'text or null' },
  },
  webhook_delivery: {
    ...{ id: 'number', webhook_id: 'number', message: 'text', event: 'text', seq: 'number', at: 'text' },
    ...{ resource: 'text', item_id: 'number', revision: 'number', state: 'text', attempts: 'number', unmade: 'number' },
    ...{ queued_at: 'text', next_at: 'text or null', attempted_at: 'text or null', finished_at: 'text or null' },
    ...{ status: 'number', problem: 'text' },
  },
  long_work: {
    ...{ id: 'number', kind: 'text', lane: 'text', state: 'text', by_id: 'number', by_name: 'text', about: 'text' },
    ...{ done: 'number', total: 'number', started_at: 'text', seen_at: 'text', ended_at: 'text or null' },
    ...{ is_stopping: 'number', follows: 'number', outcome: 'text or null', problem: 'text or null' },
  },
  long_work_item: {
    ...{ work_id: 'number', position: 'number', item_id: 'number', status: 'text', scope: 'text', state: 'text' },
    ...{ title: 'text', problem: 'text or null' },
  },
  removed_item: {
    ...{ id: 'number', kind: 'text', item_id: 'number', title: 'text', author_id: 'number' },
    ...{ actor: 'number or null', at: 'text', kept: 'text' },
  },
  idempotency_key: {
    id: 'text',
    owner: 'number',
    place: 'number',
    bytes: 'number',
    created_at: 'text',
    fingerprint: 'text',
    status: 'number',
    headers: 'text',
    body: 'text',
  },
  user: {
    id: 'number',
    name: 'text',
    name_folded: 'text',
    email: 'text',
    email_folded: 'text',
    role: 'text',
    display_name: 'text',
    created_at: 'text',
    disabled_at: 'text or null',
  },
  application_password: {
    id: 'number',
    user_id: 'number',
    name: 'text',
    hash: 'text',
    created_at: 'text',
    revoked_at: 'text or null',
    used_at: 'text or null',
  },
  token: {
    id: 'text',
    user_id: 'number',
    name: 'text',
    scopes: 'text',
    hash: 'text',
    created_at: 'text',
    expires_at: 'text or null',
    used_at: 'text or null',
    networks: 'text',
  },
  user_password: { user_id: 'number', hash: 'text', changed_at: 'text' },
  session: {
    id: 'text',
    user_id: 'number',
    created_at: 'text',
    expires_at: 'text',
    agent: 'text',
    address: 'text',
    used_at: 'text or null',
    authenticated_at: 'text',
    language: 'text',
    ...{ identity_id: 'text or null', provider_session: 'text or null', id_token: 'text or null' },
  },
  passkey: {
    ...{ id: 'text', user_id: 'number', user_handle: 'text', public_key: 'text', counter: 'number', name: 'text' },
    ...{ created_at: 'text', used_at: 'text or null' },
  },
  challenge: {
    ...{ id: 'text', kind: 'text', bound_to: 'text', user_id: 'number or null', user_handle: 'text' },
    ...{ expires_at: 'text' },
  },
  recovery_code: { user_id: 'number', hash: 'text' },
  sign_in_link: {
    ...{ id: 'text', user_id: 'number', purpose: 'text', created_at: 'text', expires_at: 'text', detail: 'text' },
  },
  mail: {
    ...{ id: 'number', kind: 'text', user_id: 'number or null', address: 'text', address_folded: 'text' },
    ...{ cause: 'text or null', message_id: 'text', content: 'text or null', state: 'text', attempts: 'number' },
    ...{ next_at: 'text', created_at: 'text', settled_at: 'text or null', problem: 'text' },
  },
  mail_choice: { user_id: 'number', topic: 'text', choice: 'text' },
  review_notice: { user_id: 'number', event_id: 'number' },
  identity: {
    ...{ id: 'text', issuer: 'text', subject: 'text', user_id: 'number', name: 'text', created_at: 'text' },
    used_at: 'text or null',
  },
  pending_sign_in: {
    ...{ id: 'text', browser: 'text', provider: 'text', nonce: 'text', verifier: 'text', next: 'text' },
    ...{ user_id: 'number or null', link_id: 'text or null', expires_at: 'text' },
  },
  used_logout_token: { id: 'text', expires_at: 'text' },
  provenance: {
    ...{ origin: 'text', kind: 'text', external_id: 'text', item_id: 'number', digest: 'text', is_gone: 'number' },
  },
  source: {
    ...{ id: 'number', name: 'text', url: 'text', every: 'number', status: 'text', categories: 'text', zone: 'text' },
    ...{ login: 'text', is_webcal: 'number', failing_since: 'text or null' },
    ...{ paused: 'number', etag: 'text', last_modified: 'text', digest: 'text', refresh: 'number', next_at: 'text' },
    ...{ checked_at: 'text or null', synced_at: 'text or null', failures: 'number', problem: 'text' },
    ...{ report: 'text or null', created_at: 'text', visiting_since: 'text or null', modified_at: 'text or null' },
  },
  source_visit: {
    ...{ source_id: 'number', number: 'number', first_at: 'text', last_at: 'text', times: 'number', outcome: 'text' },
    ...{ created: 'number', updated: 'number', unchanged: 'number', trashed: 'number', skipped: 'number' },
    ...{ kept: 'number', problem: 'text' },
  },
}

interface Found {
  readonly table: string
  readonly name: string
  readonly type: string
  /** 1 when the column is never null. */
  readonly required: number
}

/** Tables and columns that the migrations made, apart from what the engine keeps for itself. */
const COLUMNS: Record<EngineName, string> = {
  sqlite: `select main.name as "table", info.name, info.type, info."notnull" or info.pk > 0 as required
    from sqlite_master as main, pragma_table_info(main.name) as info
    where main.type = 'table' and main.name not like 'sqlite%' and main.name not like 'entry_text_fts%'
      and main.name not like 'entry_word_fts%' and main.name not like 'known_word%'`,
  postgres: `select table_name as "table", column_name as name, data_type as type, is_nullable = 'NO' as required
    from information_schema.columns where table_schema = current_schema()`,
}

/** What in the schema lets text be compared in another way than as bytes. */
const OTHER_ORDERS: Record<EngineName, string> = {
  sqlite: `select sql from sqlite_master
    where sql like '%collate%' or sql like '%nocase%' or sql like '%unaccent%'`,
  postgres: `select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and table_name <> 'migration'
      and data_type not in ('bigint', 'double precision') and collation_name is distinct from 'C'`,
}

async function columnsFound(reader: Reader): Promise<Map<string, Found[]>> {
  const rows = await reader.all<Found>({ compile: () => ({ sql: COLUMNS[reader.engine], parameters: [] }) })
  return Map.groupBy(rows, (row) => row.table)
}

function described({ type, required }: Found): string {
  const base = /^(integer|bigint|double precision)$/i.test(type) ? 'number' : type.toLowerCase()
  return required === 1 ? base : `${base} or null`
}

for (const engine of ENGINES) {
  test(`${engine}: the migrations make the columns that the types name, and no others`, async (t) => {
    const found = await columnsFound(await openTestStorage(engine, t))
    found.delete('migration')
    assert.deepEqual([...found.keys()].sort(), Object.keys(TABLES).sort())
    for (const [table, columns] of Object.entries(TABLES)) {
      const actual = Object.fromEntries((found.get(table) ?? []).map((one) => [one.name, described(one)]))
      assert.deepEqual(actual, { ...columns }, table)
    }
  })

  test(`${engine}: text is compared as bytes, and nothing in the schema says otherwise`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const others = await storage.all({ compile: () => ({ sql: OTHER_ORDERS[engine], parameters: [] }) })
    assert.deepEqual(others, [])
    const words = ['z', 'Z', 'é', 'e', '~', ' ', '大', '😀', 'ﬀ', 'ä']
    await storage.write(async (tx) => {
      for (const [id, body] of words.entries())
        await tx.run(tx.db.insertInto('entry_text').values({ id, body, terms: null }))
    })
    const stored = await storage.all(storage.db.selectFrom('entry_text').select('body').orderBy('body'))
    const byBytes = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    assert.deepEqual(
      stored.map((row) => row.body),
      byBytes,
    )
  })
}

test('a migration imports nothing of the program but the type of migrations, so history stays when the model changes', () => {
  const folder = new URL('migrations/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const steps = files.filter((name) => /(^|\/)\d{4}-|^initial\//.test(name))
  assert.ok(steps.length > 0)
  for (const name of steps) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path)
    for (const path of imported) assert.match(path ?? '', /^\.\/(migration|initial\/[a-z]+)\.ts$/, name)
  }
})

test('no statement of the program leans on NOCASE, unaccent, ICU or a collation but that of bytes', () => {
  const folder = new URL('../', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  assert.ok(sources.length > 100)
  for (const name of sources) {
    const code = readFileSync(new URL(name, folder), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    assert.doesNotMatch(code, /\b(nocase|unaccent|icu_load_collation|collate(?! "C"))\b/i, name)
  }
})
