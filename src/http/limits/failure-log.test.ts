import assert from 'node:assert/strict'
import test from 'node:test'
import { createLog } from '../../base/log.ts'
import { FailureLog } from './failure-log.ts'

test('the log names address and name of a failed log-in, so many a minute, and counts the others', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  let now = 0
  let wake = (): void => assert.fail('nobody waits')
  const sleep = (): Promise<void> => new Promise((resolve) => (wake = resolve))
  const failures = new FailureLog({ log: createLog({ level: 'info', now: () => 0, stream }), now: () => now, sleep })
  const note = (login: string, times: number): void => {
    for (let time = 0; time < times; time += 1) failures.note({ address: '192.0.2.1', login, requestId: 'r-1' })
  }
  note(`\u001b[31mann\r\n${'x'.repeat(500)}`, 1)
  const { level, time: _time, ...line } = lines[0] ?? {}
  assert.equal(level, 40)
  assert.deepEqual(line, {
    requestId: 'r-1',
    address: '192.0.2.1',
    name: `?[31mann??${'x'.repeat(50)}...`,
    msg: 'a sign-in failed',
  })
  assert.deepEqual(failures.recent, [{ at: 0, address: '192.0.2.1', login: `?[31mann??${'x'.repeat(50)}...` }])
  now = 1_000
  note('ann', 149)
  const { recent } = failures
  assert.deepEqual([recent.length, recent[0]?.login, recent.at(-1)?.at], [50, 'ann', 1_000])
  assert.equal(lines.length, 30)
  wake()
  await new Promise(setImmediate)
  assert.deepEqual([lines.at(-1)?.['count'], lines.length], [120, 31])
  note('ann', 1)
  assert.equal(lines.length, 32)
})
