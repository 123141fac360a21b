import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { METRICS, REQUESTS } from '../src/ops/metrics/catalogue.ts'
import { MIGRATIONS } from '../src/storage/migrations/index.ts'
import { rowsOf, runStatement } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { openTestStorage, testDatabase } from './support/test-storage.ts'

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
    BACKUPS: join(folder, 'backups'),
    BACKUP: join(folder, 'backup'),
    RESTORED: join(folder, 'restored'),
    MOVING: join(folder, 'moving'),
    TARGET: TEST_ENGINE === 'sqlite' ? 'postgres://' : await testDatabase('postgres', t),
  }
  const inherited = Object.entries(process.env).filter(([name]) => !/^(KALENDS_|DATABASE_)/.test(name))
  const env = { ...Object.fromEntries(inherited), KALENDS_DATA: data }
  const sh = (script: string) => promisify(execFile)('sh', ['-euc', script], { cwd: ROOT, env })
  await sh('node bin/kalends.js user add ann --email ann@example.org --role editor')
  const blocks = blocksOf('operate.md', 'sh')
  const [restore = ''] = blocks.filter((block) => block.includes('kalends.js restore'))
  const others = blocks.filter((block) => block !== restore)
  // From one file to another, where there is no PostgreSQL.
  const target = TEST_ENGINE === 'sqlite' ? `--data '${join(folder, 'moved')}'` : '--database "$TARGET"'
  const script = others.join('\n').replace('--database "$TARGET"', target)
  const { stdout } = await sh(withPlaces(script, places))
  assert.match(stdout, /Imported \d+ rows/)
  // The page names a backup of a certain night.
  await rename(/^(\S+kalends-\d{8}-\d{6}): /m.exec(stdout)?.[1] ?? '', places.BACKUP)
  assert.match((await sh(withPlaces(restore, places))).stdout, /^Restored \d+ rows/)
  const { stdout: users } = await sh(`node bin/kalends.js user list --data '${places.RESTORED}'`)
  assert.match(users, /ann@example\.org/)
})

test('every statement that the pages tell to watch with is one of PostgreSQL', {
  skip: TEST_ENGINE === 'sqlite' && 'the statements are for PostgreSQL',
}, async (t) => {
  const storage = await openTestStorage('postgres', t)
  await runStatement(storage, 'select 1')
  const statements = ['operate.md', 'scale.md', 'servers.md'].flatMap((page) =>
    blocksOf(page, 'sql').join('').split(';\n'),
  )
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

test('migrations only add, so that servers of the version before go on while new ones start', () => {
  for (const { id, up } of MIGRATIONS.slice(1)) {
    for (const statement of [...up('sqlite'), ...up('postgres')]) {
      // A trigger may be replaced by one that also serves the version before.
      assert.doesNotMatch(statement, /\b(drop(?! trigger)|rename)\b|\balter column\b/i, `migration ${id}`)
      const added = /^\s*alter table .* add (column )?.*\bnot null\b/is.exec(statement)
      if (added !== null) assert.match(statement, /\bdefault\b/i, `migration ${id}`)
    }
  }
})
