import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Failure } from '../../base/errors.ts'
import { readManifest, verifiedManifest } from './manifest.ts'

const FILES = { 'kalends.db': 'rows', 'secret.key': 'key', 'media/ab/one-300.webp': 'image' }

type Listed = { path: unknown; bytes: unknown; sha256: unknown }

function listed(path: string, text: string): Listed {
  return { path, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
}

const SOUND = {
  format: 1,
  program: 'kalends',
  version: '0.1.0',
  calendar: 'calendar.example',
  made_at: '2026-11-20 18:00:00',
  engine: 'sqlite',
  dumped_by: null,
  journal: 3,
  rows: { event: 1 },
  key: 'file',
  missing: [],
  files: Object.entries(FILES).map(([path, text]) => listed(path, text)),
}

/** A folder with the files of a backup and a manifest. */
async function folderWith(t: TestContext, manifest: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-backup-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries({ ...FILES, 'other.sh': 'other' })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return folder
}

async function refusalOf(folder: string): Promise<string> {
  const error = await verifiedManifest(folder, () => undefined).then(
    () => assert.fail('it was accepted'),
    (failure: Failure) => failure,
  )
  assert.equal(error.code, 'backup_not_usable')
  assert.doesNotMatch(error.message, /\n/)
  return error.message
}

test('a backup whose files are as its manifest says is used', async (t) => {
  const folder = await folderWith(t, SOUND)
  const seen: number[] = []
  assert.deepEqual(await verifiedManifest(folder, () => void seen.push(1)), SOUND)
  assert.equal(seen.length, 3)
})

test('a manifest of another shape is none', async (t) => {
  const wrong: readonly unknown[] = [
    null,
    [],
    { ...SOUND, rows: null },
    { ...SOUND, rows: { event: 'many' } },
    { ...SOUND, files: [null] },
    { ...SOUND, files: ['kalends.db'] },
    { ...SOUND, files: [{ ...listed('kalends.db', 'rows'), path: 7 }] },
    { ...SOUND, files: [{ ...listed('kalends.db', 'rows'), bytes: '4' }] },
    { ...SOUND, missing: 'none' },
    { ...SOUND, engine: 'other' },
    { ...SOUND, key: true },
    { ...SOUND, journal: -1 },
  ]
  for (const manifest of wrong) {
    const folder = await folderWith(t, manifest)
    assert.equal(await readManifest(folder), undefined, JSON.stringify(manifest))
    assert.match(await refusalOf(folder), /manifest\.json is none of this program/)
  }
})

test('a manifest that names what no backup has, one file twice, or no database is refused', async (t) => {
  const foreign = ['../other', 'media/../other.sh', '/etc/hostname', 'other.sh', 'media/', 'calendar.dump', 'a\nb']
  for (const path of foreign) {
    const folder = await folderWith(t, { ...SOUND, files: [...SOUND.files, listed(path, 'other')] })
    assert.match(await refusalOf(folder), /is no file of a backup/, path)
  }
  const twice = await folderWith(t, { ...SOUND, files: [...SOUND.files, SOUND.files[0]] })
  assert.match(await refusalOf(twice), /is no file of a backup/)
  const without = await folderWith(t, { ...SOUND, files: SOUND.files.slice(1) })
  assert.match(await refusalOf(without), /kalends\.db is not listed/)
})

test('what is no plain file is refused, and so is what a symbolic link leads to', async (t) => {
  const linked = await folderWith(t, SOUND)
  await rename(join(linked, 'kalends.db'), join(linked, 'elsewhere'))
  await symlink('elsewhere', join(linked, 'kalends.db'))
  assert.match(await refusalOf(linked), /kalends\.db is not a plain file/)
  const folder = await folderWith(t, SOUND)
  await rename(join(folder, 'media'), join(folder, 'pictures'))
  await symlink('pictures', join(folder, 'media'))
  assert.match(await refusalOf(folder), /one-300\.webp is not a plain file/)
  const odd = await folderWith(t, SOUND)
  await rm(join(odd, 'kalends.db'))
  await mkdir(join(odd, 'kalends.db'))
  assert.match(await refusalOf(odd), /kalends\.db is not a plain file/)
  const waiting = await folderWith(t, SOUND)
  await rm(join(waiting, 'kalends.db'))
  execFileSync('mkfifo', [join(waiting, 'kalends.db')])
  assert.match(await refusalOf(waiting), /kalends\.db is not a plain file/)
  execFileSync('mkfifo', [join(waiting, 'list')])
  await rename(join(waiting, 'list'), join(waiting, 'manifest.json'))
  assert.equal(await readManifest(waiting), undefined)
  const led = await folderWith(t, SOUND)
  await rename(join(led, 'manifest.json'), join(led, 'list'))
  await symlink('list', join(led, 'manifest.json'))
  assert.equal(await readManifest(led), undefined)
})
