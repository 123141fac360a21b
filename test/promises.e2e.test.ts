import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

const SEAM = `export interface Transaction { run(query: string): Promise<{ changes: number }> }
export interface Storage { write<T>(job: (tx: Transaction) => Promise<T>): Promise<T> }
`

/** Runs the linter as `npm run check` does, over one planted file. */
function lint(t: TestContext, body: string): { red: boolean; output: string } {
  const root = mkdtempSync(join(tmpdir(), 'kalends-promises-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const path of ['package.json', '.oxlintrc.json']) cpSync(join(ROOT, path), join(root, path))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'seam.ts'), SEAM)
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['.'] }))
  writeFileSync(join(root, 'planted.ts'), `import type { Storage, Transaction } from './seam.ts'\n${body}\n`)
  const run = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['--type-aware', 'planted.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  return { red: run.status !== 0, output: run.stdout + run.stderr }
}

const PLANTED: [what: string, rule: string, body: string][] = [
  [
    'a write that nobody awaits',
    'no-floating-promises',
    "export function save(storage: Storage) {\n  storage.write((tx) => tx.run('a'))\n}",
  ],
  [
    'a write through a nested object that nobody awaits',
    'no-floating-promises',
    "export async function save(context: { storage: Storage }) {\n  context.storage.write((tx) => tx.run('a'))\n}",
  ],
  [
    'a statement of a job that nobody awaits',
    'no-floating-promises',
    "export async function save(storage: Storage) {\n  await storage.write(async (tx) => { tx.run('a') })\n}",
  ],
  [
    'a list of writes that nobody awaits',
    'no-floating-promises',
    "export function save(tx: Transaction) {\n  ['a', 'b'].map((query) => tx.run(query))\n}",
  ],
  [
    'writes inside forEach',
    'no-misused-promises',
    "export function save(tx: Transaction) {\n  ['a'].forEach(async (query) => { await tx.run(query) })\n}",
  ],
  [
    'a write returned out of a try block that will not catch it',
    'return-await',
    "export async function save(tx: Transaction) {\n  try {\n    return tx.run('a')\n  } catch {\n    return undefined\n  }\n}",
  ],
]

for (const [what, rule, body] of PLANTED) {
  test(`the linter reports ${what}`, (t) => {
    const { red, output } = lint(t, body)
    assert.ok(red, output)
    assert.match(output, new RegExp(`${rule}[^]*planted.ts`))
  })
}

test('the linter has nothing against an awaited write', (t) => {
  const { red, output } = lint(
    t,
    "export const save = async (storage: Storage) => await storage.write((tx) => tx.run('a'))",
  )
  assert.equal(red, false, output)
})
