import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { METRICS, REQUESTS } from '../src/metrics/catalogue.ts'
import { TEST_ENGINE } from '../src/storage/engines/testing.ts'
import { MIGRATIONS } from '../src/storage/migrations/index.ts'
import { openTestStorage, testDatabase, testFolder } from '../src/storage/testing.ts'
import { skipWithout } from './support/missing.ts'
import { programsForReplicas, REPLICA_PROGRAMS, startPair } from './support/replica.ts'
import { rowsOf, runStatement } from './support/storage.ts'

const ROOT = join(import.meta.dirname, '..')

/** The blocks of a page in a language. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}

/** A script with places of a test in it. */
function withPlaces(script: string, places: Readonly<Record<string, string>>): string {
  return script.replaceAll(/^export (\w+)=.*$/gm, (_line, name: string) => {
    assert.ok(name in places, name)
    return `export ${name}='${places[name]}'`
  })
}

test('every command of the page on running Kalends works, with other places', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-operate-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const places = {
    KALENDS_DATA: data,
    BACKUP: join(folder, 'backup'),
    TARGET: TEST_ENGINE === 'sqlite' ? `sqlite:${join(folder, 'moved/kalends.db')}` : await testDatabase('postgres', t),
  }
  const inherited = Object.entries(process.env).filter(([name]) => !/^(KALENDS_|DATABASE_)/.test(name))
  const env = { ...Object.fromEntries(inherited), KALENDS_DATA: data }
  const sh = (script: string) => promisify(execFile)('sh', ['-euc', script], { cwd: ROOT, env })
  await sh('node bin/kalends.js user add ann --email ann@example.org --role editor')
  const blocks = blocksOf('operate.md', 'sh')
  const script = withPlaces(blocks.join('\n'), places)
  const { stdout } = await sh(script)
  assert.match(stdout, /Moved \d+ rows/)
  assert.match(stdout, /backup\/kalends\.db is up to date/)
  assert.ok(existsSync(join(places.BACKUP, 'secret.key')))
  const { stdout: users } = await sh(`node bin/kalends.js user list --data '${places.BACKUP}'`)
  assert.match(users, /ann@example\.org/)
})

const lacking = skipWithout(programsForReplicas() !== undefined, REPLICA_PROGRAMS)

test('a calendar in PostgreSQL is copied and brought back by the commands of the page', {
  skip: lacking || (TEST_ENGINE === 'sqlite' && 'the commands are for PostgreSQL'),
  timeout: 120_000,
}, async (t) => {
  const programs = programsForReplicas() ?? ''
  const pair = await startPair(programs)
  t.after(() => pair.close())
  const folder = testFolder(t)
  const restored = Object.assign(new URL(pair.primary.database), { pathname: '/restored' }).href
  const places = { DATABASE_URL: pair.primary.database, BACKUP: folder, RESTORED: restored }
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}`, KALENDS_DATA: join(folder, 'data') }
  const kalends = (command: string, database: string) =>
    promisify(execFile)('sh', ['-euc', `node bin/kalends.js ${command}`], {
      cwd: ROOT,
      env: { ...env, DATABASE_URL: database },
    })
  await kalends('user add ann --email ann@example.org --role editor', places.DATABASE_URL)
  const script = withPlaces(blocksOf('operate.md', 'bash').join('\n'), places)
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: ROOT, env })
  assert.match(stdout, /restored is up to date/)
  assert.match((await kalends('user list', restored)).stdout, /ann@example\.org/)
})

test('every statement that the pages tell to watch with is one of PostgreSQL', {
  skip: TEST_ENGINE === 'sqlite' && 'the statements are for PostgreSQL',
}, async (t) => {
  const storage = await openTestStorage('postgres', t)
  await runStatement(storage, 'select 1')
  const statements = ['operate.md', 'scale.md'].flatMap((page) => blocksOf(page, 'sql').join('').split(';\n'))
  const written = statements.filter((text) => /^select/m.test(text))
  assert.ok(written.length >= 6)
  for (const text of written) await rowsOf(storage, text)
})

test('every metric that the page tells to look at exists', () => {
  const text = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8')
  const known = new Set([...METRICS, REQUESTS].map(({ name }) => name))
  const named = [...text.matchAll(/\bkalends_\w+/g)].map(([name]) => name.replace(/_(bucket|count)$/, ''))
  assert.ok(named.length >= 10)
  for (const name of named) assert.ok(known.has(name), name)
})

/** Made before the first release. */
const FIRST = 3

test('migrations only add, so that servers of the version before go on while new ones start', () => {
  for (const { id, up } of MIGRATIONS.filter((migration) => migration.id > FIRST)) {
    for (const statement of [...up('sqlite'), ...up('postgres')]) {
      // A trigger may be replaced by one that also serves the version before.
      assert.doesNotMatch(statement, /\b(drop(?! trigger)|rename)\b|\balter column\b/i, `migration ${id}`)
      const added = /^\s*alter table .* add (column )?.*\bnot null\b/is.exec(statement)
      if (added !== null) assert.match(statement, /\bdefault\b/i, `migration ${id}`)
    }
  }
})
