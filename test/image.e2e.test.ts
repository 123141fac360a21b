import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { OPTION_LIST } from '../src/base/config.ts'
import { freePort } from './support/free-port.ts'
import { testFolder } from './support/test-storage.ts'

/*
 * There is no container engine where tests run: the steps of the Dockerfile that are about our files are done in a folder.
 */

const ROOT = join(import.meta.dirname, '..')
const STEPS = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .flatMap((line) => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? [])
const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean)

/** What stands behind an instruction, each time that it is there. */
function all(instruction: string): string[] {
  return STEPS.filter((_text, index) => STEPS[index - 1] === instruction && index % 2 === 1)
}

/** The words of a command in its exec form; options before it are left out. */
function words(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

function copyInto(t: TestContext): string {
  const folder = testFolder(t)
  const sources = all('COPY').flatMap((text) => text.split(' ').slice(0, -1))
  for (const source of sources) {
    assert.ok(IGNORED.includes(`!${source.replace(/^\.\//, '')}`), `${source} is not sent to the builder`)
    cpSync(join(ROOT, source), join(folder, source), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function heard(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    if (output.includes('Password')) return output
  }
  return output
}

test('what the image copies is all that a server needs, and its health check says whether it answers', async (t) => {
  const folder = copyInto(t)
  const given = Object.fromEntries(all('ENV').flatMap((text) => text.split(' ').map((one) => one.split('='))))
  const names = OPTION_LIST.map(([, option]) => option.env)
  for (const name of Object.keys(given)) assert.ok(names.includes(name), name)
  assert.deepEqual(all('EXPOSE'), [given['KALENDS_PORT']])
  const data = join(folder, 'volume')
  mkdirSync(data)
  const place = { KALENDS_HOST: '127.0.0.1', KALENDS_PORT: String(await freePort()), KALENDS_DATA: data }
  // What Node makes of the copies is not kept among what it has made of ours.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const env = { ...process.env, ...given, ...place, ...compiled, DATABASE_URL: '', KALENDS_LOG_LEVEL: 'error' }
  const last = (instruction: string): string[] => words(all(instruction).at(-1) ?? '')
  const [, ...health] = last('HEALTHCHECK')
  const isWell = () => spawnSync(process.execPath, health, { env, cwd: folder }).status === 0
  assert.equal(isWell(), false)
  const [program, ...serve] = last('CMD')
  assert.equal(program, 'node')
  const child = spawn(process.execPath, serve, { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  assert.match(await heard(child), /User +admin/)
  assert.equal(isWell(), true)
  assert.ok(existsSync(join(data, 'kalends.db')))
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('the image has the Node of the project and no rights that it does not need', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } }
  assert.deepEqual(all('FROM'), [`node:${/\d+/.exec(engines.node)?.[0]}-slim`])
  assert.deepEqual(all('USER'), ['node'])
  assert.match(all('RUN').join('\n'), /npm ci --omit=dev --ignore-scripts/)
})
