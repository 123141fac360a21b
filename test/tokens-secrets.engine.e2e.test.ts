import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSnapshot } from '../src/storage/snapshot.ts'
import { contentOf, exported } from './support/exports.ts'
import { databaseOf, kalends, kalendsBoth, openDataFolder, startServer } from './support/server.ts'
import { rowsOf } from './support/storage.ts'
import { testFolder } from './support/test-storage.ts'

interface Made {
  readonly id: string
  readonly user: string
  readonly token: string
}

test('tokens are managed by commands, audited, and nowhere to be read', async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data, ['--log-level', 'info'])
  const own = ['--data', data]
  const shown = await kalends(
    'token',
    'add',
    'Search of the city',
    '--scope',
    'events:write',
    '--expires',
    '30d',
    ...own,
  )
  assert.match(
    shown,
    /^New token of admin, with the ID \w{8}, valid until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC:\n\n {4}kal_/,
  )
  const json = await kalends('token', 'add', 'x', '--scope', 'read,terms:write', '--expires', 'never', '--json', ...own)
  const made = JSON.parse(json) as Made
  const texts = [/kal_\S+/.exec(shown)?.[0] ?? '', made.token]
  await kalends('user', 'add', 'ann', '--role', 'administrator', '--email', 'ann@example.org', ...own)
  await kalends('token', 'add', 'of ann', '--user', 'ann', ...own)
  for (const [wrong, code] of [
    [['token', 'add', 'whose?'], /--user/],
    [['token', 'add', 'x', '--user', 'nobody'], /no user named/],
    [['token', 'add', 'x', '--user', 'ann', '--scope', 'write'], /scope/],
    [['token', 'add', 'x', '--user', 'ann', '--expires', '366d'], /year/],
    [['token', 'add', 'x', '--user', 'ann', '--expires', 'soon'], /not a time/],
    [['token', 'revoke', 'Ab3dE6gH'], /no such token/],
  ] as const)
    await assert.rejects(kalends(...wrong, ...own), code)
  const ask = async (token: string): Promise<number> => {
    const response = await fetch(`${server.origin}/cal/events/v1/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    assert.ok(!text.includes(token.slice(13, 56)))
    return response.status
  }
  assert.deepEqual([await ask(texts[0] ?? ''), await ask(made.token)], [200, 200])
  const list = await kalends('token', 'list', ...own)
  assert.match(list, /Search of the city +events:write/)
  assert.equal((await kalends('token', 'list', '--user', 'ann', ...own)).trim().split('\n').length, 2)
  const folder = join(testFolder(t), 'out')
  const database = await databaseOf(data)
  await exported({ data, database }, folder, true)
  assert.equal(await kalends('token', 'revoke', made.id, ...own), `Revoked the token ${made.id} of admin.\n`)
  assert.equal(await ask(made.token), 401)
  const mistyped = `${made.token.slice(0, -1)}~`
  assert.equal(await ask(mistyped), 401)
  assert.equal(await server.stop('SIGTERM'), 0)

  const snapshot = await openSnapshot(database)
  const hashes = (await rowsOf(snapshot, 'select hash from token')).map(({ hash }) => String(hash))
  const journal = JSON.stringify(await rowsOf(snapshot, 'select * from journal'))
  const kept = JSON.stringify(await rowsOf(snapshot, 'select * from idempotency_key'))
  await snapshot.close()
  assert.equal(hashes.length, 2)
  const log = server.problems() + server.output()
  const places = { log, journal, kept, list, export: [...contentOf(folder).values()].join('\n') }
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [...texts.map((one) => one.slice(13, 56)), ...hashes]) assert.ok(!text.includes(secret), place)
  }
  const audited = server
    .problems()
    .split('\n')
    .filter((line) => line.includes('"audit"'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ change }) => String(change).startsWith('token'))
    .map(({ change, user, tokenId, label, network, by }) => [change, user, tokenId === made.id, label ?? network, by])
  const isHere = database.startsWith('sqlite:')
  assert.deepEqual(
    audited.filter(([, , isMade]) => isMade),
    [
      ...(isHere ? [['token added', 'admin', true, 'x', 'command']] : []),
      ['token used from a new network', 'admin', true, '127.0.0.0/24', 'admin'],
      ...(isHere ? [['token revoked', 'admin', true, 'x', 'command']] : []),
    ],
  )
  assert.match(log, new RegExp(`"name":"kal_${made.id}","msg":"a sign-in failed"|kal_${made.id}`))
})

test('the audit of a command on a database of its own is on its standard error', async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ann', '--role', 'administrator', '--email', 'ann@example.org', '--data', data)
  const { stdout, stderr } = await kalendsBoth('token', 'add', 'x', '--json', '--data', data, '--log-level', 'info')
  assert.match(stderr, /"change":"token added","user":"ann"/)
  assert.ok(!stderr.includes((JSON.parse(stdout) as Made).token.slice(13, 56)))
})
