import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SiteReport } from '../../src/cli/types.ts'
import { openTestApp, type TestApp } from './app.ts'
import { importMade } from './site-import.ts'

/** What differs between a site and its copy: members that name the site or its users, and the page of the item. */
const OF_THE_SITE = /^(?:author|url|rest_url|website|global_id|global_id_lineage|urls|json_ld|count|_links)$/

/** When an event of these tests is. */
export const TIMES = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00', status: 'publish' }

/** Everything outside the trash, without what names the site. */
async function contentOf({ call }: TestApp): Promise<unknown> {
  const content: Record<string, unknown> = {}
  for (const list of ['categories', 'tags', 'venues', 'organizers', 'events']) {
    const isTerm = list === 'categories' || list === 'tags'
    const window = list === 'events' ? { start_date: '2000-01-01', end_date: '2099-12-31' } : {}
    const extent = isTerm ? { hide_empty: 'false' } : { status: 'publish,draft,private', ...window }
    const { status, body } = await call('administrator', 'GET', `/${list}`, { query: { per_page: 50, ...extent } })
    content[list] = status === 200 ? body[list] : []
  }
  return JSON.parse(JSON.stringify(content, (name, one: unknown) => (OF_THE_SITE.test(name) ? undefined : one)))
}

/** A Kalends, and a copy of it. */
export interface SiteCopy {
  readonly source: TestApp
  readonly copy: TestApp
  send(method: string, path: string, json?: object): Promise<TestAnswer>
  /** Imports the site again. */
  bring(): Promise<SiteReport>
  /** The same, and compares the copy. */
  follow(): Promise<SiteReport>
}

type TestAnswer = Awaited<ReturnType<TestApp['call']>>['body']

/** Opens two empty ones. */
export async function openSiteCopy(t: TestContext): Promise<SiteCopy> {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  const copy = await openTestApp(t, { siteHost: 'second.example' })
  const header = source.authorization('administrator').replace('Basic ', '')
  const [user = '', password = ''] = Buffer.from(header, 'base64').toString().split(':')
  const site = { origin: source.origin } as Parameters<typeof importMade>[1]
  const send: SiteCopy['send'] = async (method, path, json = {}) => {
    const { status, body } = await source.call('administrator', method, path, { json })
    assert.ok(status < 300, `${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
  const bring = () => importMade(copy, site, { user, password, vanished: 'trash' })
  const follow = async (): Promise<SiteReport> => {
    const report = await bring()
    assert.deepEqual(await contentOf(copy), await contentOf(source))
    return report
  }
  return { source, copy, send, bring, follow }
}
