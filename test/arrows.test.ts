import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

// What Node makes of files in temporary folders is not kept among what it has made of ours.
delete process.env['NODE_COMPILE_CACHE']

/** A small house in which every arrow points down. */
const SOUND: Record<string, string> = {
  'src/errors.ts': '',
  'src/config.ts': "import './errors.ts'",
  'src/time/zones.ts': '',
  'src/time/zones.law.test.ts': "import 'temporal-polyfill'",
  'src/fields/date.ts': "import '../time/zones.ts'",
  'src/model/event.ts': "import '../fields/date.ts'",
  'src/storage/schema.ts': '',
  'src/storage/engines/sqlite/open.ts': "import 'node:sqlite'",
  'src/storage/open.ts': "import 'kysely'\nimport './engines/sqlite/open.ts'",
  'src/storage/testing.ts': "import './open.ts'",
  'src/journal/append.ts': "import '../storage/open.ts'",
  'src/http/route/router.ts': "import 'find-my-way'",
  'src/http/server.ts': "import './route/router.ts'",
  'src/http/route.ts': "import '../model/event.ts'",
  'src/entries/present.ts': "import type {} from '../storage/schema.ts'",
  'src/venues/filters.ts': "import 'kysely'",
  'src/venues/store.ts': "import './filters.ts'",
  'src/venues/rules.ts': '',
  'src/venues/present.ts': "import '../entries/present.ts'",
  'src/venues/routes.ts': "import './store.ts'\nimport './rules.ts'\nimport './present.ts'\nimport './filters.ts'",
  'src/venues/index.ts': "export * from './routes.ts'",
  'src/venues/store.test.ts':
    "import 'fast-check'\nimport './store.ts'\nimport '../storage/testing.ts'\nimport '../app.ts'",
  'src/events/present.ts': "import '../venues/index.ts'",
  'src/events/index.ts': "import './present.ts'",
  'src/feeds/ics.ts': "import '../events/index.ts'",
  'src/cli/serve.ts': "import '../feeds/ics.ts'",
  'src/app.ts':
    "import './events/index.ts'\nimport './storage/open.ts'\nimport './http/server.ts'\nimport './cli/serve.ts'",
  'src/main.ts': "import './app.ts'",
}

/** Rule, importing file, what it imports. */
const PLANTED: [rule: string, file: string, text: string][] = [
  ['layer-time', 'src/time/ranges.ts', "import '../errors.ts'"],
  ['layer-text', 'src/text/fold.ts', "import '../time/zones.ts'"],
  ['layer-errors', 'src/errors.ts', "import './config.ts'"],
  ['layer-fields', 'src/fields/list.ts', "import type {} from '../model/event.ts'"],
  ['layer-model', 'src/model/venue.ts', "import '../storage/schema.ts'"],
  ['layer-storage', 'src/storage/migrate.ts', "import '../journal/append.ts'"],
  ['layer-i18n', 'src/i18n/translate.ts', "import '../storage/open.ts'"],
  ['layer-auth', 'src/auth/caller.ts', "import '../journal/append.ts'"],
  ['layer-journal', 'src/journal/read.ts', "import '../http/route.ts'"],
  ['layer-http', 'src/http/response/http-response.ts', "import '../../cli/serve.ts'"],
  ['layer-entries', 'src/entries/load.ts', "import '../venues/index.ts'"],
  ['layer-venues', 'src/venues/other.ts', "import '../events/index.ts'"],
  ['layer-organizers', 'src/organizers/other.ts', "import '../venues/index.ts'"],
  ['layer-events', 'src/events/other.ts', "import '../feeds/ics.ts'"],
  ['layer-feeds', 'src/feeds/rss.ts', "import '../webhooks/send.ts'"],
  ['layer-cli', 'src/cli/user.ts', "const app = await import('../app.ts')"],
  ['layer-app', 'src/app.ts', "import './main.ts'"],
  ['layer-venues', 'src/venues/outside.ts', "import '../../scripts/tool.ts'"],
  ['room-store', 'src/terms/store-lists.ts', "import './present.ts'"],
  ['room-store', 'src/terms/store-lists.ts', "import './rules.ts'"],
  ['room-filters', 'src/terms/filters.ts', "import './store.ts'"],
  ['room-rules', 'src/terms/rules.ts', "import './filters.ts'"],
  ['room-present', 'src/terms/present-links.ts', "import './store.ts'"],
  ['no-cycle', 'src/text/a.ts', "import './b.ts'"],
  ['http-knows-no-rows', 'src/http/rows.ts', "import type {} from '../storage/schema.ts'"],
  ['http-knows-no-rows', 'src/http/room.ts', "export * from '../venues/index.ts'"],
  ['rooms-through-index', 'src/feeds/jsonld.ts', "import '../events/present.ts'"],
  ['events-enters-rooms-through-index', 'src/events/near.ts', "import '../venues/store.ts'"],
  ['pure-rules-and-present', 'src/terms/rules.ts', "import '../storage/open.ts'"],
  ['pure-rules-and-present', 'src/terms/present.ts', "import '../http/route.ts'"],
  ['sql-in-stores', 'src/events/presenting.ts', "import { sql } from 'kysely'"],
  ['one-router-file', 'src/http/hooks.ts', "import type { Instance } from 'find-my-way'"],
  ['drivers-in-engines', 'src/storage/lock.ts', "import { DatabaseSync } from 'node:sqlite'"],
  ['drivers-in-engines', 'src/venues/pool.ts', "import 'pg'"],
  ['metrics-in-metrics', 'src/venues/counting.ts', "import 'prom-client'"],
  ['limiter-in-limits', 'src/venues/limiting.ts', "import 'rate-limiter-flexible'"],
  ['calendar-time-in-time', 'src/events/when.ts', "import { Temporal } from 'temporal-polyfill'"],
  ['no-test-code', 'src/storage/sample.ts', "import './testing.ts'"],
  ['no-test-code', 'src/text/sample.ts', "import '../venues/store.test.ts'"],
  ['no-test-code', 'src/journal/sample.ts', "import '../../test/sample.ts'"],
  ['no-dev-package', 'src/fields/sample.ts', "import 'fast-check'"],
  ['resolvable', 'src/text/gone.ts', "import './nowhere.ts'"],
  ['a-place-in-the-house', 'src/utilities/misc.ts', "import '../errors.ts'"],
]

/** Files that planted imports lead to. */
const TARGETS = {
  'src/text/b.ts': "import './a.ts'",
  'src/webhooks/send.ts': '',
  'src/entries/index.ts': '',
  'src/terms/store.ts': '',
  'test/sample.ts': '',
  'scripts/tool.ts': '',
}

function house(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'kalends-arrows-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${text}\nexport {}\n`)
  }
  for (const path of ['package.json', '.dependency-cruiser.cjs']) cpSync(join(ROOT, path), join(root, path))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

function check(root: string): { green: boolean; output: string } {
  const run = spawnSync(process.execPath, [join(ROOT, 'scripts/arrows.ts')], { cwd: root, encoding: 'utf8' })
  return { green: run.status === 0, output: run.stdout + run.stderr }
}

test('a house in which every arrow points down is green', (t) => {
  const { green, output } = check(house(t, SOUND))
  assert.ok(green, output)
  assert.match(output, new RegExp(`^${Object.keys(SOUND).length} modules of src`, 'm'))
})

test('every rule reports a planted import that it forbids', (t) => {
  const files: Record<string, string> = { ...SOUND, ...TARGETS }
  for (const [, file, text] of PLANTED) files[file] = [files[file], text].filter(Boolean).join('\n')
  const { green, output } = check(house(t, files))
  assert.equal(green, false)
  const silent = PLANTED.filter(([rule, file]) => !output.includes(`${rule}: ${file} -> `))
  assert.deepEqual(silent, [], output)
})

test('every rule has a planted import', () => {
  const names = readFileSync(join(ROOT, '.dependency-cruiser.cjs'), 'utf8').matchAll(
    /(?:forbid\(\s*|name: )'([a-z-]+)'/g,
  )
  const planted = new Set(PLANTED.map(([rule]) => rule))
  const without = [...names].map((match) => match[1] ?? '').filter((name) => !planted.has(name))
  assert.deepEqual(without, [])
})

test('the check fails when a module, or all imports of a module, are left out', (t) => {
  const root = house(t, SOUND)
  const config = readFileSync(join(root, '.dependency-cruiser.cjs'), 'utf8')
  writeFileSync(
    join(root, '.dependency-cruiser.cjs'),
    config.replace("exclude: { path: '", "exclude: { path: '^src/errors|"),
  )
  const { green, output } = check(root)
  assert.equal(green, false)
  assert.match(output, /left out: src\/errors.ts/)
  assert.match(output, /left out: src\/config.ts/)
})
