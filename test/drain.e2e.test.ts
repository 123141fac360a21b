import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from './support/server.ts'
import { testFolder } from './support/test-storage.ts'

test('a server that is asked to stop tells balancers first, then everybody, and then closes its port', async (t) => {
  const server = await startServer(testFolder(t), ['--drain-delay', '1500'])
  t.after(() => server.stop('SIGKILL'))
  const statusOf = async (path: string): Promise<number> => {
    const answer = await fetch(server.origin + path).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status ?? 0
  }
  const look = async (): Promise<string> =>
    // One after the other: between the two a phase may end, and then both are asked again.
    `${await statusOf('/kalends/v1/health')} ${await statusOf('/cal/events/v1/events')}`
  assert.equal(await look(), '200 200')
  const ended = server.stop('SIGTERM')
  const seen = new Set<string>()
  for (let now = await look(); now !== '0 0'; now = await look()) seen.add(now)
  const phases = ['200 200', '503 200', '503 503', '503 0']
  assert.deepEqual(
    [...seen].filter((one) => !phases.includes(one)),
    [],
  )
  assert.ok(seen.has('503 200') && seen.has('503 503'), [...seen].join(', '))
  assert.deepEqual(
    [...seen],
    phases.filter((one) => seen.has(one)),
  )
  assert.equal(await ended, 0)
})
