import assert from 'node:assert/strict'
import test from 'node:test'
import { fail } from './errors.ts'
import { createLog, logUnexpected } from './log.ts'

function linesOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLog({ level: 'info', now: () => 1_700_000_000_000, stream: { write: (line) => void lines.push(line) } }))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line is one JSON object with the time of the injected clock', () => {
  const [line] = linesOf((log) => log.info({ port: 3000 }, 'listening'))
  assert.deepEqual(line, { level: 30, time: 1_700_000_000_000, port: 3000, msg: 'listening' })
})

test('lines below the level are not written', () => {
  assert.deepEqual(
    linesOf((log) => log.debug('noise')),
    [],
  )
})

test('credentials never reach a line', () => {
  const request = { headers: { authorization: 'Basic aaaa', cookie: 'c' }, body: { password: 'bbbb' } }
  const [line] = linesOf((log) => log.info({ request, password: 'cccc', secret: 'dddd' }, 'request'))
  assert.doesNotMatch(JSON.stringify(line), /aaaa|bbbb|cccc|dddd|"c"/)
})

test('an unexpected error is logged with its stack, a failure with a code is not', () => {
  const lines = linesOf((log) => {
    logUnexpected(log, new Error('surprise'))
    logUnexpected(log, fail('rest_no_route'))
  })
  assert.equal(lines.length, 1)
  assert.match(JSON.stringify(lines[0]), /surprise.*log\.test\.ts/)
})
