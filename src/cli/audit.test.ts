import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../base/log.ts'
import { audit } from './audit.ts'

test('each user that the import of a site makes is a line of the log', () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const log = createLog({ level: 'info', now: () => 0, format: 'json', stream })
  const made = [
    { id: 3, name: 'ada', role: 'editor' },
    { id: 4, name: 'ben', role: 'author' },
  ]
  audit(log, { name: 'importSite', input: {} }, { users: { found: 5, created: 2, made } })
  audit(log, { name: 'importSite', input: {} }, { users: { found: 5, created: 2, made: [] } })
  const told = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    told.map(({ change, user, userId, role, by }) => [change, user, userId, role, by]),
    [
      ['user added', 'ada', 3, 'editor', 'command'],
      ['user added', 'ben', 4, 'author', 'command'],
    ],
  )
})

test('a token that a command adds or revokes is a line with what it may do', () => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const log = createLog({ level: 'info', now: () => 0, format: 'json', stream })
  const token = { id: 'Ab3dE6gH', user: 'ann', name: 'Search', scopes: ['read', 'admin'], token: 'kal_Ab3dE6gH_secret' }
  const about = { user: 'ann', tokenId: 'Ab3dE6gH', label: 'Search', scopes: 'read admin', by: 'command' }
  for (const [name, change] of [
    ['addToken', 'token added'],
    ['revokeToken', 'token revoked'],
  ] as const) {
    audit(log, { name, input: {} }, token)
    const { level: _level, time: _time, msg: _msg, ...told } = lines.pop() ?? {}
    assert.deepEqual(told, { change, ...about })
  }
})
