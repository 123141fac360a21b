import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { databaseOf, kalends, openDataFolder, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

const skip = TEST_ENGINE === 'sqlite' && 'with SQLite one server uses a calendar'

test('several servers and commands share a calendar, and each sees at once what another has written', {
  skip,
}, async (t) => {
  const data = await openDataFolder(t)
  const servers = await Promise.all([startServer(data), startServer(data)])
  const [one, other] = servers.map(({ origin }) => `${origin}/cal/events/v1`)
  const first = servers.filter((server) => server.output().includes('Welcome to Kalends'))
  assert.equal(first.length, 1, 'two starts at once add one administrator')

  await kalends('user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org', '--data', data)
  const { password } = JSON.parse(await kalends('password', 'add', 'ann', '--json', '--data', data)) as {
    password: string
  }
  const headers = {
    authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  for (let n = 0; n < 10; n += 1) {
    const [here, there] = n % 2 === 0 ? [one, other] : [other, one]
    const body = JSON.stringify({ venue: `Hall ${n}` })
    const made = await fetch(`${here}/venues`, { method: 'POST', headers, body })
    assert.equal(made.status, 201)
    const { id } = (await made.json()) as { id: number }
    const read = await fetch(`${there}/venues/${id}`)
    assert.equal(((await read.json()) as { venue: string }).venue, `Hall ${n}`)
  }
  const said = await kalends('migrate', '--data', data)
  const { host, pathname, password: secret } = new URL(await databaseOf(data))
  assert.ok(said.includes(`postgres://${host}${pathname}`) && !said.includes(secret), said)
  assert.deepEqual(
    (await readdir(data)).filter((name) => /lock|db|sock/.test(name)),
    [],
    'nothing in the folder belongs to one process',
  )
})
