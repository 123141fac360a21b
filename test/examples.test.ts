import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { OPTION_LIST, readConfig } from '../src/config.ts'
import { testFolder } from '../src/storage/testing.ts'
import { skipWithout } from './support/missing.ts'
import { EXAMPLE, hasNginx, NGINX, writeNginx } from './support/nginx.ts'
import { freePort } from './support/postgres.ts'

const EXAMPLES = join(import.meta.dirname, '../examples')
const NAMES = OPTION_LIST.map(([, option]) => option.env)

function read(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8')
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const compose = parse(read('compose/compose.yaml'), { merge: true }) as Compose

test('the compose file names services, volumes and files that are there', () => {
  const { services, volumes } = compose
  assert.deepEqual(Object.keys(services), ['database', 'kalends-1', 'kalends-2', 'nginx'])
  for (const [name, service] of Object.entries(services)) {
    const needed = service.depends_on ?? []
    for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) assert.ok(services[other], other)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      const isThere = source.startsWith('.') ? existsSync(join(EXAMPLES, 'compose', source)) : source in volumes
      assert.ok(isThere, `${name}: ${source}`)
    }
  }
})

test('the processes of the compose file have options that exist, with values that are taken', () => {
  const variables = new Set([...read('compose/.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name))
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+):\?\}/g, (_all, name: string) => {
      assert.ok(variables.has(name), name)
      return name === 'KALENDS_BASE_URL' ? 'https://calendar.example' : 'x'.repeat(32)
    })
  for (const name of ['kalends-1', 'kalends-2']) {
    const given = Object.entries(compose.services[name]?.environment ?? {})
    for (const [option] of given) assert.ok(NAMES.includes(option), option)
    const config = readConfig({}, Object.fromEntries(given.map(([option, text]) => [option, filled(text)])))
    assert.match(config.database, /^postgres:\/\/kalends:x+@database\/calendar$/)
  }
})

test('nginx hands requests to the processes of the compose file, and takes pictures as large as they do', () => {
  const servers = [...EXAMPLE.matchAll(/^ {2}server ([\w-]+):(\d+) /gm)].map(([, name, port]) => [name, port])
  const { KALENDS_PORT: port } = compose.services['kalends-1']?.environment ?? {}
  assert.deepEqual(servers, [
    ['kalends-1', port],
    ['kalends-2', port],
  ])
  const megabytes = Number(/client_max_body_size (\d+)m/.exec(EXAMPLE)?.[1])
  assert.ok(megabytes * 1024 ** 2 > readConfig({}, {}).mediaLimit)
})

test('nginx takes its file', { skip: skipWithout(hasNginx(), NGINX) }, async (t) => {
  const file = writeNginx(testFolder(t), { port: await freePort(), processes: [await freePort(), await freePort()] })
  await promisify(execFile)('nginx', ['-t', '-c', file])
})

test('the service of systemd starts a command that exists, with options that exist', () => {
  const text = read('systemd/kalends.service')
  for (const [, name = ''] of text.matchAll(/^Environment=(\w+)=/gm)) assert.ok(NAMES.includes(name), name)
  assert.match(text, /^ExecStart=.* node bin\/kalends\.js serve$/m)
})

const lacksSystemd = skipWithout(
  isInstalled('systemd-analyze'),
  'systemd-analyze, such as that of the Debian package systemd',
)

test('systemd takes its service', { skip: lacksSystemd }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-systemd-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  // The folder of the installed program is not here.
  const unit = read('systemd/kalends.service').replaceAll('/opt/kalends', folder)
  await writeFile(join(folder, 'kalends.service'), unit)
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', join(folder, 'kalends.service')])
  assert.equal(stderr, '')
})
