import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

// What Node makes of files in temporary folders is not kept among what it has made of ours.
delete process.env['NODE_COMPILE_CACHE']

/** Stands for npm and the registry: does what `npm ci` does to node_modules, and notes how it was called. */
const NPM = `#!${process.execPath}
const fs = require('node:fs')
const omitDev = process.argv.includes('--omit=dev')
const inherited = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name)).sort()
fs.appendFileSync('calls', JSON.stringify({ arguments: process.argv.slice(2), inherited, path: process.env.PATH }) + '\\n')
fs.rmSync('node_modules', { recursive: true, force: true })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
const there = Object.entries(packages).filter(([path, entry]) => path !== '' && !(omitDev && entry.dev) && !entry.optional)
for (const [path, entry] of there) {
  fs.mkdirSync(path, { recursive: true })
  fs.writeFileSync(path + '/package.json', '{}')
}
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(there) }))
`

interface Call {
  readonly arguments: readonly string[]
  readonly inherited: readonly string[]
  readonly path: string
}

interface Tree {
  readonly root: string
  prepare(options?: readonly string[], env?: Record<string, string>): Promise<{ code: number | null; output: string }>
  calls(): Call[]
}

function tree(t: TestContext): Tree {
  const root = mkdtempSync(join(tmpdir(), 'kalends-prepare-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'scripts'))
  mkdirSync(join(root, 'npm'))
  cpSync(join(ROOT, 'scripts/prepare.js'), join(root, 'scripts/prepare.js'))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', engines: { node: '>=24' } }))
  writeFileSync(join(root, 'npm/npm'), NPM)
  writeFileSync(join(root, 'npm/package.json'), '{"type":"commonjs"}')
  chmodSync(join(root, 'npm/npm'), 0o755)
  writeLock(root, '1.0.0')
  return {
    root,
    prepare: (options = [], env = {}) => {
      const path = [join(root, 'node_modules/.bin'), join(root, 'npm'), process.env['PATH']].join(delimiter)
      const clean = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
      const command = [join(root, 'scripts/prepare.js'), ...options]
      return ended(spawn(process.execPath, command, { env: { ...Object.fromEntries(clean), PATH: path, ...env } }))
    },
    calls: () => {
      if (!existsSync(join(root, 'calls'))) return []
      const lines = readFileSync(join(root, 'calls'), 'utf8').trimEnd().split('\n')
      return lines.map((line) => JSON.parse(line))
    },
  }
}

function writeLock(root: string, version: string): void {
  const packages = {
    '': {},
    'node_modules/served': { version, integrity: `sha512-${version}` },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/other-system': { version: '1.0.0', optional: true },
  }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
}

function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout?.on('data', (text) => {
    output += text
  })
  child.stderr?.on('data', (text) => {
    output += text
  })
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

test('a tree without node_modules is installed once, and the second run does and says nothing', async (t) => {
  const { prepare, calls } = tree(t)
  const first = await prepare()
  assert.equal(first.code, 0, first.output)
  assert.match(first.output, /installing packages \(npm ci --include=dev\)/)
  assert.deepEqual(await prepare(), { code: 0, output: '' })
  assert.equal(calls().length, 1)
})

test('an installation with the development packages is enough for starting, not the other way round', async (t) => {
  const { prepare, calls } = tree(t)
  await prepare(['--omit-dev'])
  await prepare(['--omit-dev'])
  assert.deepEqual(calls()[0]?.arguments.slice(0, 2), ['ci', '--omit=dev'])
  await prepare()
  await prepare(['--omit-dev'])
  await prepare()
  assert.equal(calls().length, 2)
})

test('a version that changed in the lock file is installed', async (t) => {
  const { root, prepare, calls } = tree(t)
  await prepare()
  writeLock(root, '1.0.1')
  await prepare()
  assert.equal(calls().length, 2)
})

test('a package whose folder was removed is installed again', async (t) => {
  const { root, prepare, calls } = tree(t)
  await prepare()
  rmSync(join(root, 'node_modules/served'), { recursive: true })
  await prepare()
  assert.equal(calls().length, 2)
})

test('npm inside npm inherits neither what to leave out nor the Node that it is about to replace', async (t) => {
  const { root, prepare, calls } = tree(t)
  const told = {
    npm_config_omit: 'dev',
    NPM_CONFIG_IGNORE_SCRIPTS: 'true',
    npm_config_dry_run: 'true',
    npm_config_registry: 'https://r.example/',
  }
  await prepare([], told)
  assert.deepEqual(calls()[0]?.inherited, ['npm_config_registry'])
  assert.ok(!calls()[0]?.path.includes(join(root, 'node_modules')))
})

test('of two runs at once one installs and the other waits for it', async (t) => {
  const { root, prepare, calls } = tree(t)
  const runs = await Promise.all([prepare(), prepare(), prepare()])
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0],
  )
  assert.equal(calls().length, 1)
  assert.ok(!existsSync(join(root, '.install-lock')))
})

test('the lock of a process that died is taken over', async (t) => {
  const { root, prepare, calls } = tree(t)
  mkdirSync(join(root, '.install-lock'))
  const dead = spawn(process.execPath, ['--version'])
  await ended(dead)
  writeFileSync(join(root, '.install-lock/pid'), String(dead.pid))
  utimesSync(join(root, '.install-lock'), 0, 0)
  assert.equal((await prepare()).code, 0)
  assert.equal(calls().length, 1)
})

test('a failing npm and a Node that is too old each end with a line that says what to do', async (t) => {
  const { root, prepare } = tree(t)
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', engines: { node: '>=99.1' } }))
  const old = await prepare()
  assert.equal(old.code, 1)
  assert.match(old.output, /kalends: needs Node 99\.1 or newer, and this is [\d.]+: install it/)
  writeFileSync(join(root, 'npm/npm'), '#!/bin/sh\nexit 3\n')
  rmSync(join(root, 'node_modules'), { recursive: true })
  const failing = await prepare()
  assert.equal(failing.code, 1)
  assert.match(failing.output, /kalends: `npm ci .*` failed with 3, see above/)
})

test('the Node that npm has installed is linked where npm looks for it, as npm 9 leaves the link out', async (t) => {
  const { root, prepare } = tree(t)
  const folder = join(root, `node_modules/node-linux-${process.arch}/bin`)
  await prepare()
  mkdirSync(folder, { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node'))
  assert.deepEqual(await prepare(), { code: 0, output: '' })
  assert.equal(realpathSync(join(root, 'node_modules/.bin/node')), realpathSync(process.execPath))
})

test('every override is a version or points to one, as npm 9 of Debian 12 and Ubuntu 24.04 fails at any other', () => {
  const { overrides } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { overrides: object }
  const texts = (value: unknown): unknown[] =>
    value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [value]
  for (const text of texts(overrides)) assert.match(String(text), /^(\d+\.\d+\.\d+|\$[\w@/-]+)$/)
})
