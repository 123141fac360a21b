import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hostNode } from './support/host-node.ts'

const ROOT = join(import.meta.dirname, '..')
const LEFT_BEHIND = new Set(['node_modules', '.git', 'data', '.install-lock'])

/** The environment of a person who has just cloned the project: no Node but the host's, nothing from the npm around us. */
function environment(): NodeJS.ProcessEnv {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|kalends_|node_|database_url$)/i.test(name)),
  )
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...env, PATH: [dirname(hostNode()), ...folders].join(delimiter) }
}

function freshClone(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'kalends-fresh-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  cpSync(ROOT, root, { recursive: true, filter: (path) => !LEFT_BEHIND.has(relative(ROOT, path)) })
  return root
}

test('in a fresh clone `npm start` installs, serves and stops when asked, and is quick the second time', async (t) => {
  const root = freshClone(t)
  assert.ok(!existsSync(join(root, 'node_modules')))
  const options = {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    detached: true,
  }
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', join(root, 'data')], options)
  t.after(() => npm.exitCode === null && npm.kill('SIGKILL'))
  let output = ''
  const address = await new Promise<string>((found, failed) => {
    const read = (text: Buffer) => {
      output += text
      const line = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)
      if (line !== null) found(line[0])
    }
    npm.stdout.on('data', read)
    npm.stderr.on('data', read)
    npm.on('close', () => failed(new Error(output)))
  })
  assert.match(output, /kalends: installing packages \(npm ci --omit=dev\)/)
  assert.ok(!existsSync(join(root, 'node_modules/typescript')))
  assert.equal((await fetch(`${address}cal/events/v1/events`)).status, 200)
  const closed = once(npm, 'close')
  process.kill(-(npm.pid ?? 0), 'SIGTERM')
  await closed

  const again = spawnSync('node', ['scripts/prepare.js', '--omit-dev'], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
  })
  assert.deepEqual({ status: again.status, said: again.stdout + again.stderr }, { status: 0, said: '' })

  const program = spawnSync('node', ['bin/kalends.js', '--version'], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
  })
  assert.equal(program.status, 0, program.stderr)
})
