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
import { openTestStorage, testDatabase } from '../src/storage/testing.ts'
import { rowsOf, runStatement } from './support/storage.ts'

const ROOT = join(import.meta.dirname, '..')

/** The blocks of a page in a language. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
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
  const script = blocks.join('\n').replaceAll(/^export (\w+)=.*$/gm, (_line, name: keyof typeof places) => {
    assert.ok(name in places, name)
    return `export ${name}='${places[name]}'`
  })
  const { stdout } = await sh(script)
  assert.match(stdout, /Moved \d+ rows/)
  assert.match(stdout, /backup\/kalends\.db is up to date/)
  assert.ok(existsSync(join(places.BACKUP, 'secret.key')))
  const { stdout: users } = await sh(`node bin/kalends.js user list --data '${places.BACKUP}'`)
  assert.match(users, /ann@example\.org/)
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
      assert.doesNotMatch(statement, /\b(drop|rename)\b|\balter column\b/i, `migration ${id}`)
      const added = /^\s*alter table .* add (column )?.*\bnot null\b/is.exec(statement)
      if (added !== null) assert.match(statement, /\bdefault\b/i, `migration ${id}`)
    }
  }
})
