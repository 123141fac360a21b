import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testFolder } from '../../test/support/test-storage.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What `npm start` with these words writes to standard error before it ends with code 1. */
async function start(data: string, ...words: string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|KALENDS_|NODE_TEST)/i.test(name))
  const env = { ...Object.fromEntries(own), KALENDS_DATA: data, KALENDS_PORT: '0' }
  return new Promise((resolve, reject) => {
    // It would serve until it is asked to stop, if the words were passed over.
    execFile('npm', ['start', '--silent', ...words], { cwd: ROOT, env, timeout: 60_000 }, (error, _stdout, stderr) =>
      error?.code === 1 ? resolve(stderr) : reject(new Error(`${error?.code} ${stderr}`)),
    )
  })
}

const CASES: readonly [words: string[], meant: string][] = [
  [['--port', '8080'], '--port 8080'],
  [['--port=8080'], '--port 8080'],
  [['--site-name=A B'], "--site-name 'A B'"],
  [['--database=postgres://ann:opensesame@host/calendar'], '--database URL'],
]

for (const [words, meant] of CASES) {
  test(`npm start ${words.join(' ').replace(/:\w+@/, ':...@')} tells the line that was meant, and starts nothing`, async (t) => {
    const told = await start(testFolder(t), ...words)
    assert.match(told, /^kalends: npm has kept --[a-z-]+ for itself\./m)
    assert.ok(told.includes(`: npm start -- ${meant}\n`), told)
    assert.doesNotMatch(told, /opensesame/)
  })
}

test('several flags without = are told apart by what may be their values', async (t) => {
  const told = await start(testFolder(t), '--site-zone', 'Europe/Berlin', '--workers', '2')
  assert.match(told, /--workers 2\b/)
  assert.match(told, /--site-zone Europe\/Berlin\b/)
})
