import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBackup, restoreBackup } from '../src/ops/backup/index.ts'
import { BIN, backUp, NO_PROGRAMS, openPlace, type Place, refusal } from './support/backups.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

const USER = ['user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org']

test('backups are kept as many as asked, private, whole, and never in the place of something else', {
  skip: NO_PROGRAMS,
}, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const target = join(testFolder(t), 'new/backups')
  const first = await backUp(place, target)
  await mkdir(join(target, 'kalends-20200101-000000'))
  await mkdir(join(target, 'kalends-20200101-000000.partial'))
  await mkdir(join(target, 'other.partial'))
  await Promise.all([backUp(place, target), sleep(0)])
  const last = await backUp(place, target, '--keep', '2')
  assert.deepEqual(last.removed, [first.folder])
  const names = readdirSync(target).filter((name) => !name.startsWith('.'))
  assert.deepEqual(
    names.filter((name) => !/^kalends-202[1-9]\d{4}-\d{6}$/.test(name)),
    ['kalends-20200101-000000', 'other.partial'],
    'only what an earlier run has left is removed',
  )
  assert.equal(names.length, 4)
  for (const name of readdirSync(last.folder, { recursive: true }))
    assert.equal(statSync(join(last.folder, String(name))).mode & 0o077, 0, String(name))
  assert.match(await refusal(place, 'backup', target, '--keep', '0'), /^kalends: --keep must be .*\n$/)
  const empty = await openPlace(t)
  if (TEST_ENGINE === 'sqlite') assert.match(await refusal(empty, 'backup', target), /There is no calendar/)
})

test('a backup says how many of its rows and files it has dealt with', { skip: NO_PROGRAMS }, async (t) => {
  const { config, env, run } = await openPlace(t)
  await run(...USER)
  const told: { readonly done: number; readonly total: number }[] = []
  const job = { config, target: testFolder(t), keep: undefined, version: '0', env, now: () => Date.now() }
  const { rows } = await makeBackup({ ...job, onProgress: (progress) => void told.push(progress) })
  // What a dump has is read once more to compare it.
  const total = rows * (TEST_ENGINE === 'sqlite' ? 1 : 2)
  assert.deepEqual(
    [told[0], told.at(-1)],
    [
      { done: 0, total },
      { done: total, total },
    ],
  )
  assert.deepEqual(
    told.map(({ done }) => done),
    told.map(({ done }) => done).sort((one, other) => one - other),
  )
  if (TEST_ENGINE === 'postgres') assert.ok(told.some(({ done }) => done > 0 && done < rows))
})

test('a backup that was killed leaves what the next one removes', { skip: NO_PROGRAMS }, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const target = testFolder(t)
  const made: string[] = []
  for (const delay of [0, 20, 60]) {
    const running = execFile(process.execPath, [BIN, 'backup', target], { env: place.env })
    const ended = new Promise((resolve) => running.once('exit', resolve))
    const hasBegun = (): boolean => readdirSync(target).some((name) => name.endsWith('.partial'))
    while (!hasBegun() && running.exitCode === null) await sleep(1)
    await sleep(delay)
    running.kill('SIGKILL')
    await ended
    made.push(...readdirSync(target))
  }
  assert.ok(made.some((name) => name.endsWith('.partial')))
  const { folder } = await backUp(place, target)
  assert.ok(!readdirSync(target).some((name) => name.endsWith('.partial')))
  const other = await openPlace(t)
  await other.run('restore', folder)
})

test('a restore that is interrupted anywhere leaves no calendar, and the next one ends it', {
  skip: NO_PROGRAMS,
  timeout: 240_000,
}, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const { folder } = await backUp(place, testFolder(t))
  const other = await openPlace(t)
  const { config, env } = other
  const files = 2
  for (let last = 1; last <= 2 * files; last += 1) {
    const stopped = restoreBackup({
      config,
      source: folder,
      env,
      onProgress: ({ done }) => assert.ok(done < last, 'interrupted'),
    })
    await assert.rejects(stopped, /interrupted/)
    if (last <= files) continue
    for (const command of [['serve', '--port', '0'], ['user', 'list'], USER, ['backup', folder]])
      assert.match(await refusal(other, ...command), /^kalends: A restore into .* was interrupted: .*\n$/)
  }
  const child = execFile(process.execPath, [BIN, 'restore', folder], { env })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await sleep(300)
  child.kill('SIGKILL')
  await ended
  if (child.exitCode !== 0) await other.run('restore', folder)
  assert.match(await other.run('user', 'list'), /ann@example\.org/)
})

test('a backup that was changed is not restored, nor is one restored over something', {
  skip: NO_PROGRAMS,
}, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const { folder } = await backUp(place, testFolder(t))
  const broken = join(testFolder(t), 'broken')
  cpSync(folder, broken, { recursive: true })
  const file = join(broken, TEST_ENGINE === 'sqlite' ? 'kalends.db' : 'calendar.dump')
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(4000) ^ 1, 4000)
  writeFileSync(file, bytes)
  const other = await openPlace(t)
  assert.match(await refusal(other, 'restore', broken), /has another checksum/)
  writeFileSync(file, bytes.subarray(1))
  assert.match(await refusal(other, 'restore', broken), /bytes instead of/)
  await rename(join(broken, 'secret.key'), join(broken, 'other.key'))
  assert.match(await refusal(other, 'restore', broken), /is not a backup that can be restored/)
  assert.match(await refusal(other, 'restore', testFolder(t)), /no manifest\.json/)
  for (const text of ['{', '{"program":"kalends","format":1}']) {
    writeFileSync(join(broken, 'manifest.json'), text)
    assert.match(
      await refusal(other, 'restore', broken),
      /its manifest\.json is none of this program, or cannot be read/,
    )
  }
  assert.match(await refusal(other, 'restore', join(folder, '..')), /the newest is .*kalends-\d{8}-\d{6}\n$/)
  assert.match(await refusal(place, 'restore', folder), /Restore into an empty/)
  assert.match(await place.run('user', 'list'), /ann@example\.org/)
  assert.ok(!existsSync(join(other.data, 'secret.key')))
  await rm(other.data, { recursive: true })
  await other.run('restore', folder)
  assert.match(await other.run('user', 'list'), /ann@example\.org/)
})

/** A restore into a place that is interrupted when all files were verified and the first one was copied. */
async function interruptRestore({ config, env }: Place, source: string): Promise<void> {
  const files = 2
  const onProgress = ({ done }: { readonly done: number }) => assert.ok(done <= files, 'interrupted')
  await assert.rejects(restoreBackup({ config, source, env, onProgress }), /interrupted/)
  assert.ok(existsSync(join(config.data, 'kalends.restoring')))
}

test('a restore leaves alone what the data folder has, also beside a database elsewhere', {
  skip: NO_PROGRAMS,
}, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const { folder } = await backUp(place, testFolder(t))
  const other = await openPlace(t)
  const picture = join(other.data, 'media/poster.jpg')
  await mkdir(join(other.data, 'media'))
  writeFileSync(picture, 'a poster')
  // The second mark is that of a process that ended while it wrote it: nothing was restored then either.
  for (const mark of [undefined, '{"about":']) {
    if (mark !== undefined) writeFileSync(join(other.data, 'kalends.restoring'), mark)
    assert.match(
      await refusal(other, 'restore', folder),
      /Restore into an empty data folder .* there is media in it\.\n$/,
    )
    assert.equal(readFileSync(picture, 'utf8'), 'a poster')
  }
  await rm(join(other.data, 'media'), { recursive: true })
  writeFileSync(join(other.data, 'secret.key'), `${'0'.repeat(64)}\n`)
  assert.match(await refusal(other, 'restore', folder), /there is secret\.key in it/)
  cpSync(join(folder, 'secret.key'), join(other.data, 'secret.key'))
  await other.run('restore', folder)
  assert.match(await other.run('user', 'list'), /ann@example\.org/)
})

test('an interrupted restore is only continued by one of the same backup into the same database', {
  skip: NO_PROGRAMS,
}, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const target = testFolder(t)
  const { folder } = await backUp(place, target)
  await place.run('user', 'add', 'cem', '--role', 'editor', '--email', 'cem@example.org')
  const { folder: newer } = await backUp(place, target)
  const other = await openPlace(t)
  await interruptRestore(other, folder)
  const refused = /^kalends: Another restore into .* was interrupted, of .* into .*: run that one again, or .*\n$/
  assert.match(await refusal(other, 'restore', newer), refused)
  const there = await openPlace(t)
  const { database } = there.config
  await there.run('user', 'add', 'bob', '--role', 'editor', '--email', 'bob@example.org')
  assert.match(await refusal(other, 'restore', folder, '--database', database), refused)
  assert.match(await there.run('user', 'list'), /bob@example\.org/)
  const moved = join(testFolder(t), 'moved')
  cpSync(folder, moved, { recursive: true })
  await other.run('restore', moved)
  assert.match(await other.run('user', 'list'), /ann@example\.org/)
})

test('without a usable key no backup is made, none is removed for it, and none is restored', {
  skip: NO_PROGRAMS,
}, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const target = testFolder(t)
  const { folder } = await backUp(place, target)
  for (const text of ['abc\n', '']) {
    writeFileSync(join(place.data, 'secret.key'), text)
    assert.match(
      await refusal(place, 'backup', target, '--keep', '1'),
      /The key file .* is not usable: .* 64 hexadecimal/,
    )
  }
  assert.deepEqual(
    readdirSync(target).filter((name) => name.startsWith('kalends-')),
    [basename(folder)],
  )
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { files: { path: string }[] }
  const files = manifest.files.map((file) =>
    file.path === 'secret.key' ? { ...file, bytes: 0, sha256: createHash('sha256').digest('hex') } : file,
  )
  writeFileSync(join(folder, 'secret.key'), '')
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }))
  const other = await openPlace(t)
  assert.match(await refusal(other, 'restore', folder), /The key file .* is not usable: .* 64 hexadecimal/)
  assert.deepEqual(
    readdirSync(other.data).filter((name) => !name.startsWith('kalends.lock')),
    [],
  )
})

test('a folder where none can be made is refused at once', { skip: NO_PROGRAMS }, async (t) => {
  const place = await openPlace(t)
  await place.run(...USER)
  const folder = testFolder(t)
  const { folder: source } = await backUp(place, join(folder, 'backups'))
  symlinkSync(join(folder, 'away'), join(folder, 'link'))
  // In the folder of processes the runtime itself would try for ever.
  const nowhere = existsSync('/proc/self') ? '/proc/kalends/below' : join(folder, 'link/below')
  const other = await openPlace(t)
  const orders = [
    ['backup', nowhere],
    ['backup', join(folder, 'link')],
    ['backup', join(source, 'manifest.json')],
    ['backup', join(folder, 'link/below')],
    ['export', nowhere],
  ]
  const restores = [
    ['--media', nowhere],
    ...(TEST_ENGINE === 'sqlite' ? [['--database', `sqlite:${nowhere}/a.db`]] : []),
  ]
  const refused = /^kalends: The folder .* cannot be created or written to: .*\n$/
  for (const order of orders) assert.match(await refusal(place, ...order), refused)
  for (const places of restores) assert.match(await refusal(other, 'restore', source, ...places), refused)
  await other.run('restore', source)
})
