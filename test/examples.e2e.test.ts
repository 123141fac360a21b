import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { OPTION_LIST, readConfig } from '../src/base/config.ts'
import { SOCKET_OPTIONS } from '../src/http/server.ts'
import { freePort } from './support/free-port.ts'
import { skipWithout } from './support/missing.ts'
import { EXAMPLE, hasNginx, NGINX, writeNginx } from './support/nginx.ts'
import { kalends } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

const EXAMPLES = join(import.meta.dirname, '../examples')
const DOCKERFILE = readFileSync(join(EXAMPLES, '../Dockerfile'), 'utf8')
const NAMES = OPTION_LIST.map(([, option]) => option.env)

function read(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8')
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

interface Service {
  readonly build?: string
  readonly stop_grace_period?: string
  readonly healthcheck?: object
  readonly ports?: readonly string[]
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } }
  }
}

const compose = parse(read('compose/compose.yaml'), { merge: true }) as Compose

test('the compose file names services, volumes and files that are there', () => {
  const { services, volumes } = compose
  assert.deepEqual(Object.keys(services), ['database', 'kalends-1', 'kalends-2', 'nginx'])
  for (const [name, service] of Object.entries(services)) {
    const needed = service.depends_on ?? []
    for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) {
      // Who waits for somebody to be well needs somebody who says so.
      assert.ok(services[other]?.healthcheck !== undefined || services[other]?.build !== undefined, other)
    }
    if (service.build !== undefined) assert.ok(existsSync(join(EXAMPLES, 'compose', service.build, 'Dockerfile')))
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

test('a process of the compose file may take as long to end as its requests and its refusals do', () => {
  const { stop_grace_period: grace, environment } = compose.services['kalends-1'] ?? {}
  const { drainDelay } = readConfig({}, { KALENDS_DRAIN_DELAY: environment?.['KALENDS_DRAIN_DELAY'] })
  const longest = SOCKET_OPTIONS.requestTimeout + drainDelay
  assert.ok(drainDelay > 0 && Number.parseInt(grace ?? '', 10) * 1000 > longest)
  const left = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('systemd/kalends.service'))?.[1])
  assert.ok(left * 1000 > longest)
  const away = Number(/fail_timeout=(\d+)s/.exec(EXAMPLE)?.[1]) * 1000
  assert.ok(away > drainDelay, 'nginx would come back while the process still refuses')
})

test('the processes have addresses of the network whose proxies they believe, and keep them', () => {
  const [{ subnet = '' } = {}] = compose.networks.default.ipam.config
  const network = new BlockList()
  const [address = '', bits] = subnet.split('/')
  network.addSubnet(address, Number(bits))
  for (const name of ['kalends-1', 'kalends-2']) {
    const { environment, networks } = compose.services[name] ?? {}
    assert.equal(environment?.['KALENDS_TRUSTED_PROXIES'], subnet)
    assert.ok(network.check(networks?.default.ipv4_address ?? ''))
  }
})

test('every command that the examples tell to give to the program works', async (t) => {
  const data = testFolder(t)
  const texts = [read('compose/compose.yaml'), read('systemd/kalends.service'), DOCKERFILE].join('\n')
  const commands = [...texts.matchAll(/bin\/kalends\.js (.+)$/gm)].map(([, words = '']) => words.split(' '))
  const others = commands.filter(([name]) => name !== 'serve' && !name?.startsWith('"'))
  assert.ok(others.length > 0)
  for (const words of others) assert.match(await kalends(...words, '--data', data), /ann/)
})

test('nginx hands requests to the processes of the compose file, and takes pictures as large as they do', () => {
  const servers = [...EXAMPLE.matchAll(/^ {2}server ([\w-]+):(\d+) /gm)].map(([, name, port]) => [name, port])
  const port = /KALENDS_PORT=(\d+)/.exec(DOCKERFILE)?.[1]
  assert.deepEqual(servers, [
    ['kalends-1', port],
    ['kalends-2', port],
  ])
  const megabytes = Number(/client_max_body_size (\d+)m/.exec(EXAMPLE)?.[1])
  assert.ok(megabytes * 1024 ** 2 > readConfig({}, {}).mediaLimit)
  const ports = compose.services['nginx']?.ports ?? []
  assert.ok(ports.every((one) => one.endsWith(`:${/listen (\d+);/.exec(EXAMPLE)?.[1]}`)))
})

test('nginx takes its file', { skip: skipWithout(hasNginx(), NGINX) }, async (t) => {
  const file = writeNginx(testFolder(t), { port: await freePort(), processes: [await freePort(), await freePort()] })
  await promisify(execFile)('nginx', ['-t', '-c', file])
})

test('the service of systemd starts a command that exists, with options that exist', () => {
  const text = read('systemd/kalends.service')
  for (const [, name = ''] of text.matchAll(/^Environment=(\w+)=/gm)) assert.ok(NAMES.includes(name), name)
  const { scripts } = JSON.parse(read('../package.json')) as { scripts: { start: string } }
  assert.match(scripts.start, /^node (--[\w-]+=\d+ )*bin\/kalends\.js serve$/)
  const [command = ''] = /^ExecStart=.*$/m.exec(text) ?? []
  assert.ok(command.endsWith(` ${scripts.start}`), command)
})

test('the backup of systemd is a command that works, in folders that the service may use', {
  skip: TEST_ENGINE === 'postgres' && 'it needs a pg_dump that is as new as the server',
}, async (t) => {
  const unit = read('systemd/kalends-backup.service')
  const [, words = ''] = /^ExecStart=.* bin\/kalends\.js (.+)$/m.exec(unit) ?? []
  const [command, target = '', ...options] = words.split(' ')
  const folders = /^StateDirectory=(.+)$/m.exec(unit)?.[1]?.split(' ') ?? []
  const data = /^Environment=KALENDS_DATA=(.+)$/m.exec(unit)?.[1]
  assert.deepEqual(
    folders.map((name) => `/var/lib/${name}`),
    [data, target],
  )
  const folder = testFolder(t)
  await kalends('user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org', '--data', folder)
  assert.match(await kalends(command ?? '', testFolder(t), ...options, '--data', folder), /kalends-\d{8}-\d{6}: /)
})

const lacksSystemd = skipWithout(
  isInstalled('systemd-analyze'),
  'systemd-analyze, such as that of the Debian package systemd',
)

test('systemd takes its service', { skip: lacksSystemd }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-systemd-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const names = ['kalends.service', 'kalends-backup.service', 'kalends-backup.timer']
  const paths = names.map((name) => join(folder, name))
  for (const name of names) {
    // The folder of the installed program is not here.
    await writeFile(join(folder, name), read(`systemd/${name}`).replaceAll('/opt/kalends', folder))
  }
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', ...paths])
  assert.equal(stderr, '')
})
