import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TokenScope } from '../../src/http/auth/rights.ts'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { STATUSES } from '../../src/model/status.ts'
import { type ProbeCaller, programs } from '../rights/callers.ts'
import { changedRows, snapshotOf } from '../rights/changes.ts'
import { FLAGS, plant } from '../rights/plant.ts'
import { isCurious, leaksIn } from '../rights/reading.ts'
import type { Entry } from '../rights/secrets.ts'
import { openTestApp } from '../support/app.ts'
import { type Called, type ToolCaller, toolCaller } from '../support/mcp-tools.ts'
import { tokenOf } from '../support/tokens.ts'

/*
 * For each role and scope, tools show and change only what the routes allow that caller. Who may is written down in
 * test/support/rights.ts and test/rights/callers.ts, from the documents.
 */

const app = await openTestApp({ after }, { ...FLAGS, limitMcp: 'none', limitMcpWrites: 'none' })
const planted = await plant(app)
const { entries, words } = planted
const events = entries.filter(({ kind }) => kind === 'event')
const venues = entries.filter(({ kind }) => kind === 'venue')

const ALL_TOOLS = TOOLS.map(({ name }) => name)
const READ_TOOLS = TOOLS.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name)

/** Names of the tools that were called. */
const called = new Set<string>()

function noting(tool: ToolCaller): ToolCaller {
  const note = <Result>(
    call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Result>,
  ): typeof call => {
    return (name, args) => {
      called.add(name)
      return call(name, args)
    }
  }
  return { ...tool, call: note(tool.call), result: note(tool.result) }
}

/** Somebody who calls tools, each once for all tests. */
const callers = new Map<ProbeCaller, ToolCaller>()
for (const caller of programs(app)) callers.set(caller, noting(await toolCaller({ after }, app, caller.headers)))

/** Fails with what a result has that its caller may not see. */
function assertNoLeak(
  caller: ProbeCaller,
  { body }: Pick<Called, 'body'>,
  address: { path: string; named?: Entry },
): void {
  assert.deepEqual(leaksIn(planted, JSON.stringify(body), { caller, address }), [])
}

/** All results of a list, page by page. */
async function allPages(
  tool: ToolCaller,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Called['body'][]> {
  const pages: Called['body'][] = []
  for (let cursor: string | undefined; ; ) {
    const page = await tool.result(name, { ...args, ...(cursor !== undefined && { cursor }) })
    pages.push(page)
    cursor = page.cursor
    if (cursor === undefined) return pages
  }
}

for (const [caller, tool] of callers) {
  test(`${caller.name}: lists of tools show what the lists of routes show`, async () => {
    const seen = new Set<string>()
    for (const status of ['publish', 'future', 'draft', 'pending', 'private']) {
      const span = { from: '2026-01-01', to: '2027-12-31', limit: 50 }
      const { isError, body } = await tool.call('search_events', { ...span, status })
      const query = { status, start_date: '2026-01-01', end_date: '2027-12-31', per_page: '500' }
      const answer = await fetch(`${app.origin}/cal/events/v1/events?${new URLSearchParams(query)}`, {
        headers: caller.headers,
      })
      const route = (await answer.json()) as { events?: { id: number }[] }
      assert.equal(isError, answer.status !== 200, `${status}: ${JSON.stringify(body)}`)
      if (isError) continue
      const pages = await allPages(tool, 'search_events', { ...span, status })
      const ids = pages.flatMap((page) => page.events.map(({ id }: { id: number }) => id))
      assert.deepEqual(
        ids,
        route.events?.map(({ id }) => id),
      )
      for (const page of pages) {
        assertNoLeak(caller, { body: page }, { path: `search ${status}` })
        for (const [word] of words.in(JSON.stringify(page))) seen.add(word)
      }
    }
    for (const kind of ['venue', 'organizer', 'category', 'tag'])
      for (const page of await allPages(tool, 'find_references', { kind, limit: 50 })) {
        assertNoLeak(caller, { body: page }, { path: kind })
        for (const [word] of words.in(JSON.stringify(page))) seen.add(word)
      }
    const isListed = ([, secret]: ReturnType<typeof words.all>[number]): boolean =>
      secret.part === 'name' && secret.entry.status === 'publish' && secret.entry.veil !== 'hidden'
    const missed = words.all().filter((one) => isListed(one) && !seen.has(one[0]))
    assert.deepEqual(missed, [])
  })

  test(`${caller.name}: single results show what the route shows, and refusals nothing`, async () => {
    for (const entry of entries) {
      const address = { path: `get ${entry.kind} ${entry.id} ${entry.slug}`, named: entry }
      for (const [path, named] of [
        [entry.id, { id: entry.id }],
        [`by-slug/${entry.slug}`, { slug: entry.slug }],
      ] as const) {
        const answer = await fetch(`${app.origin}/cal/events/v1/events/${path}`, { headers: caller.headers })
        const route = (await answer.json()) as { id?: number; code?: string }
        const { isError, body } = await tool.call('get_event', { ...named, dates: 5 })
        assertNoLeak(caller, { body }, address)
        if (answer.status === 200) assert.deepEqual([isError, body.id], [false, route.id])
        else assert.deepEqual([isError, body.code, body.status], [true, route.code, answer.status])
      }
      const resource = await tool.read(`kalends://event/${entry.id}`).catch((error: Error) => error.message)
      assertNoLeak(caller, { body: resource }, address)
    }
    for (const { id } of venues) {
      const planned = { venue: id, start: '2026-12-05T00:00', end: '2026-12-05T23:00' }
      assertNoLeak(caller, await tool.call('check_conflicts', planned), { path: `conflicts ${id}` })
    }
    const { changes } = await tool.result('list_changes', { since: planted.cursor, limit: 200 })
    const byRoute = await fetch(`${app.origin}/kalends/v1/changes?since=${planted.cursor}&limit=200`, {
      headers: caller.headers,
    })
    const route = (await byRoute.json()) as { changes: { seq: number }[] }
    assert.deepEqual(
      changes.map(({ seq }: { seq: number }) => seq),
      route.changes.map(({ seq }) => seq),
    )
    assertNoLeak(caller, { body: await tool.read('kalends://day/2026-12-05') }, { path: 'day' })
    assertNoLeak(caller, { body: await tool.read('kalends://site') }, { path: 'site' })
  })
}

/** The version of every event, as the administrator reads it. */
async function versions(): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  for (const { id } of events) {
    const { headers } = await app.call('administrator', 'GET', `/events/${id}`)
    found.set(id, headers.get('etag') ?? '')
  }
  return found
}

/** A call of each tool that changes an event. */
function writesOf(id: number, version: string): [string, Record<string, unknown>][] {
  const named = { id, if_match: version }
  return [
    ['update_event', { ...named, changes: { title: 'Taken', status: 'publish' } }],
    ['cancel_event', { ...named, reason: 'Taken' }],
    ['trash_event', named],
    ['restore_event', { id, publish: true }],
  ]
}

for (const [caller, tool] of callers) {
  if (!isCurious(caller)) continue
  test(`${caller.name}: no tool changes what the caller may not change, and refusals say nothing of it`, async () => {
    const [before, tags] = [await snapshotOf(app.app.storage), await versions()]
    const others = events.filter((entry) => !caller.mayChange(entry))
    for (const entry of others)
      for (const [name, args] of writesOf(entry.id, tags.get(entry.id) ?? '')) {
        // Without credentials the request itself is refused.
        const called = await tool.call(name, args).catch((error: Error) => ({ isError: true, body: error.message }))
        const isUnchanged =
          name === 'restore_event' && entry.status !== 'trash' && caller.mayRead({ part: 'name', entry })
        assert.equal(called.isError || isUnchanged, true, `${name} ${JSON.stringify(entry)}`)
        assertNoLeak(caller, called, { path: `${name} ${entry.id}`, named: entry })
      }
    assert.deepEqual(changedRows(before, await snapshotOf(app.app.storage)), [])
  })
}

test('what a caller may change, its tools change, as its role allows', async () => {
  for (const [caller, tool] of callers) {
    const own = events.filter(
      (entry) => caller.mayChange(entry) && entry.owner === caller.role && entry.veil === undefined,
    )
    for (const status of STATUSES.filter((one) => one !== 'trash')) {
      const entry = own.find((one) => one.status === status)
      if (entry === undefined) continue
      const { version } = await tool.result('get_event', { id: entry.id })
      const changed = await tool.result('update_event', { id: entry.id, if_match: version, changes: { cost: '€1' } })
      assert.deepEqual([changed.cost, changed.status], ['€1', status])
    }
  }
})

test('credentials decide which tools are listed, and a token never allows more than its scopes', async () => {
  const meeting = { title: 'Scoped', start: '2028-01-01T10:00', end: '2028-01-01T12:00' }
  for (const [caller, { tools }] of callers) {
    const isWriter = ['contributor', 'author', 'editor', 'administrator'].includes(caller.role)
    assert.deepEqual(tools, isWriter ? ALL_TOOLS : READ_TOOLS, caller.name)
  }
  const withScopes = async (role: 'editor' | 'subscriber', ...scopes: TokenScope[]): Promise<ToolCaller> => {
    const { token } = await tokenOf(app, role, ...scopes)
    return noting(await toolCaller({ after }, app, { authorization: `Bearer ${token}` }))
  }
  const reader = await withScopes('editor', 'read')
  assert.deepEqual(reader.tools, READ_TOOLS)
  const before = await snapshotOf(app.app.storage)
  await assert.rejects(reader.call('create_event', meeting), /403|scope|allow/i)
  const nobody = await withScopes('subscriber', 'read', 'events:write')
  assert.deepEqual(nobody.tools, READ_TOOLS)
  assert.equal(await nobody.code('create_event', meeting), 'rest_forbidden')
  const writer = await withScopes('editor', 'read', 'events:write')
  assert.deepEqual(writer.tools, ALL_TOOLS)
  assert.equal(await writer.code('create_event', { ...meeting, tags: ['of this test'] }), 'insufficient_scope')
  assert.deepEqual(changedRows(before, await snapshotOf(app.app.storage), ['event', 'tag']), [])
  const { may } = JSON.parse(await writer.read('kalends://site'))
  assert.deepEqual([may.tools, may.publish, may.name_new_terms], [writer.tools, true, false])
  const namer = await withScopes('editor', 'read', 'events:write', 'terms:write')
  assert.deepEqual((await namer.result('create_event', { ...meeting, tags: ['of this test'] })).tags, ['of this test'])
})

test('every tool was called here', () => {
  // It shows nothing of anybody: what it shows was sent.
  assert.deepEqual([...called, 'preview_recurrence'].sort(), [...ALL_TOOLS].sort())
})
