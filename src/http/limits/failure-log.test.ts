import assert from 'node:assert/strict'
import test from 'node:test'
import { createLog } from '../../base/log.ts'
import { generateToken } from '../auth/token.ts'
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

test('of a token that is sent as a name only the ID is shown', () => {
  const failures = new FailureLog({
    log: createLog({ level: 'silent', now: () => 0 }),
    now: () => 0,
    sleep: async () => undefined,
  })
  const note = (login: string): string => {
    failures.note({ address: '192.0.2.1', login, requestId: 'r-1' })
    return failures.recent[0]?.login ?? ''
  }
  const { id, token } = generateToken()
  for (const [login, seen] of [
    [token, `kal_${id}`],
    [` ${token}`, ` kal_${id}`],
    [`"${token}`, `"kal_${id}`],
    [`Bearer ${token}`, `Bearer kal_${id}`],
    [`K${token.slice(1)}`, `Kal_${id}`],
    [token.replace(`_${id}_`, `_${id}`), `kal_${id}`],
    [`kal_\n${token}`, 'kal_'],
    ['kal_', 'kal_'],
    ['chakal_ann', 'chakal_ann'],
  ] as const)
    assert.equal(note(login), seen)
})
