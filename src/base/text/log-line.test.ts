import assert from 'node:assert/strict'
import test from 'node:test'
import { textOf } from './log-line.ts'

const TIME = Date.UTC(2026, 4, 1, 10, 30, 7, 42)

test('a line shows moment, level, message and the rest as pairs', () => {
  const line = textOf({
    level: 30,
    time: TIME,
    pid: 7,
    name: 'ann',
    agent: 'curl 8',
    config: { port: 1 },
    msg: 'hello',
  })
  assert.equal(line, '2026-05-01 10:30:07.042 INFO  hello pid=7 name=ann agent="curl 8" config={"port":1}\n')
})

test('the stack of an error stands below its line', () => {
  const line = textOf({ level: 50, time: TIME, msg: 'failed', err: { message: 'x', stack: 'Error: x\n    at y' } })
  assert.equal(line, '2026-05-01 10:30:07.042 ERROR failed\n    Error: x\n    at y\n')
})

test('nothing that a client sends controls the terminal or begins a line of its own', () => {
  const hostile = '\u001b[2J\u009b31m\nINFO \u202e\u007f'
  for (const entry of [
    { level: 30, time: TIME, msg: hostile },
    { level: 30, time: TIME, msg: 'x', agent: hostile },
    { level: 30, time: TIME, msg: 'x', agent: { deep: hostile } },
    { level: 50, time: TIME, msg: 'x', err: { stack: hostile } },
  ]) {
    const line = textOf(entry)
    assert.doesNotMatch(line.replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u)
    assert.equal(line.split('\n').filter((one) => /^(\d{4}|INFO)/.test(one)).length, 1, line)
  }
})
