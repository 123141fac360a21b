import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

// What Node makes of files in temporary folders is not kept among what it has made of ours.
delete process.env['NODE_COMPILE_CACHE']

/** A small tree in which every import leads downwards. */
const SOUND: Record<string, string> = {
  'src/base/errors.ts': '',
  'src/base/config.ts': "import './errors.ts'",
  'src/base/time/zones.ts': '',
  'src/model/kinds/date.ts': "import '../../base/time/zones.ts'",
  'src/model/event.ts': "import './kinds/date.ts'",
  'src/storage/schema.ts': '',
  'src/storage/engines/sqlite/open.ts': "import 'node:sqlite'",
  'src/storage/open.ts': "import 'kysely'\nimport './engines/sqlite/open.ts'",
  'test/support/storage.ts': "import '../../src/storage/open.ts'",
  'src/storage/journal/append.ts': "import '../open.ts'",
  'src/http/pipeline.ts': "import 'find-my-way'",
  'src/http/server.ts': "import './pipeline.ts'",
  'src/http/route.ts': "import '../model/event.ts'",
  'src/http/auth/rights.ts': "import '../../storage/open.ts'",
  'src/accounts/users/index.ts': "import '../../http/auth/rights.ts'",
  'src/calendar/shared/present.ts': "import type {} from '../../storage/schema.ts'",
  'src/calendar/venues/filters.ts': "import 'kysely'",
  'src/calendar/venues/store.ts': "import './filters.ts'",
  'src/calendar/venues/rules.ts': '',
  'src/calendar/venues/present.ts': "import '../shared/present.ts'",
  'src/calendar/venues/routes.ts':
    "import './store.ts'\nimport './rules.ts'\nimport './present.ts'\nimport './filters.ts'",
  'src/calendar/venues/index.ts': "export * from './routes.ts'",
  'src/calendar/venues/store.test.ts':
    "import 'fast-check'\nimport './store.ts'\nimport '../../../test/support/storage.ts'\nimport '../../app/app.ts'",
  'src/calendar/events/present.ts': "import '../venues/index.ts'",
  'src/calendar/events/index.ts': "import './present.ts'",
  'src/exchange/ics.ts': "import '../calendar/events/index.ts'",
  'src/cli/serve.ts': "import '../exchange/ics.ts'",
  'src/app/app.ts':
    "import '../calendar/events/index.ts'\nimport '../storage/open.ts'\nimport '../http/server.ts'\nimport '../cli/serve.ts'",
  'src/main.ts': "import './app/app.ts'",
}

/** Rule, importing file, what it imports. */
const PLANTED: [rule: string, file: string, text: string][] = [
  ['layer-base', 'src/base/text/fold.ts', "import '../../model/event.ts'"],
  ['layer-model', 'src/model/venue.ts', "import '../storage/schema.ts'"],
  ['layer-storage', 'src/storage/journal/read.ts', "import '../../http/route.ts'"],
  ['layer-http', 'src/http/response/http-response.ts', "import '../../cli/serve.ts'"],
  ['layer-accounts', 'src/accounts/other.ts', "import '../calendar/venues/index.ts'"],
  ['layer-calendar', 'src/calendar/events/other.ts', "import '../../exchange/ics.ts'"],
  ['layer-calendar', 'src/calendar/venues/outside.ts', "import '../../../scripts/tool.ts'"],
  ['layer-ops', 'src/ops/doctor/doctor.ts', "import '../../exchange/ics.ts'"],
  ['layer-exchange', 'src/exchange/rss.ts', "import '../changes/webhooks/send.ts'"],
  ['readers-only-read', 'src/exchange/imports/readers/csv/read-csv.ts', "import '../../../../storage/open.ts'"],
  ['layer-changes', 'src/changes/feed/feed.ts', "import '../../cli/serve.ts'"],
  ['layer-cli', 'src/cli/user.ts', "const app = await import('../app/app.ts')"],
  ['layer-pages', 'src/pages/home.ts', "import '../app/app.ts'"],
  ['layer-admin', 'src/admin/home.ts', "import '../app/app.ts'"],
  ['layer-app', 'src/app/app.ts', "import '../main.ts'"],
  ['resource-store', 'src/calendar/terms/store-lists.ts', "import './present.ts'"],
  ['resource-store', 'src/calendar/terms/store-lists.ts', "import './rules.ts'"],
  ['resource-filters', 'src/calendar/terms/filters.ts', "import './store.ts'"],
  ['resource-rules', 'src/calendar/terms/rules.ts', "import './filters.ts'"],
  ['resource-present', 'src/calendar/terms/present-links.ts', "import './store.ts'"],
  ['no-cycle', 'src/base/text/a.ts', "import './b.ts'"],
  ['http-without-storage', 'src/http/rows.ts', "import type {} from '../storage/schema.ts'"],
  ['resources-through-index', 'src/exchange/jsonld.ts', "import '../calendar/events/present.ts'"],
  ['resources-meet-at-index', 'src/calendar/events/near.ts', "import '../venues/store.ts'"],
  ['pure-rules-and-present', 'src/calendar/terms/rules.ts', "import '../../storage/open.ts'"],
  ['pure-rules-and-present', 'src/calendar/terms/present.ts', "import '../../http/route.ts'"],
  ['sql-in-stores', 'src/calendar/events/presenting.ts', "import { sql } from 'kysely'"],
  ['one-router-file', 'src/http/hooks.ts', "import type { Instance } from 'find-my-way'"],
  ['drivers-in-engines', 'src/storage/lock.ts', "import { DatabaseSync } from 'node:sqlite'"],
  ['drivers-in-engines', 'src/calendar/venues/pool.ts', "import 'pg'"],
  ['metrics-in-metrics', 'src/calendar/venues/counting.ts', "import 'prom-client'"],
  ['no-test-code', 'src/storage/sample.ts', "import '../../test/support/storage.ts'"],
  ['no-test-code', 'src/base/text/sample.ts', "import '../../calendar/venues/store.test.ts'"],
  ['no-test-code', 'src/storage/journal/sample.ts', "import '../../../test/sample.ts'"],
  ['no-dev-package', 'src/model/kinds/sample.ts', "import 'fast-check'"],
  ['resolvable', 'src/base/text/gone.ts', "import './nowhere.ts'"],
  ['known-module', 'src/utilities/misc.ts', "import '../base/errors.ts'"],
]

/** Files that planted imports lead to. */
const TARGETS = {
  'src/base/text/b.ts': "import './a.ts'",
  'src/changes/webhooks/send.ts': '',
  'src/calendar/shared/index.ts': '',
  'src/calendar/terms/store.ts': '',
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

test('a tree in which every import leads downwards is green', (t) => {
  const { green, output } = check(house(t, SOUND))
  assert.ok(green, output)
  const modules = Object.keys(SOUND).filter((path) => path.startsWith('src/'))
  assert.match(output, new RegExp(`^${modules.length} modules of src`, 'm'))
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
    config.replace("exclude: { path: '", "exclude: { path: '^src/base/errors|"),
  )
  const { green, output } = check(root)
  assert.equal(green, false)
  assert.match(output, /left out: src\/base\/errors.ts/)
  assert.match(output, /left out: src\/base\/config.ts/)
})
