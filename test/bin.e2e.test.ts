import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hostNode } from './support/host-node.ts'

const ROOT = join(import.meta.dirname, '..')

// What Node makes of files in temporary folders is not kept among what it has made of ours.
delete process.env['NODE_COMPILE_CACHE']

/** A program that tells how it was called, and ends with 7 or by the first SIGTERM. */
const MAIN = `export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const asked = new Promise((done) => process.once('SIGTERM', done))
  console.log(JSON.stringify({ argv: argv.slice(2), node: process.versions.node, told: env['KALENDS_HANDED_OVER'] ?? null,
    threshold: env['MALLOC_MMAP_THRESHOLD_'] ?? null, flags: process.execArgv }))
  if (argv[2] !== 'wait') return 7
  const timer = setInterval(() => undefined, 1000)
  await asked
  clearInterval(timer)
  console.log('asked to stop')
  return 0
}
`

function tree(t: TestContext, options: { installed: boolean; least?: string }): string {
  const root = mkdtempSync(join(tmpdir(), 'kalends-bin-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const newer = `node_modules/node-linux-${process.arch}/bin`
  for (const folder of ['bin', 'src', newer]) mkdirSync(join(root, folder), { recursive: true })
  cpSync(join(ROOT, 'bin/kalends.js'), join(root, 'bin/kalends.js'))
  const engines = { node: `>=${options.least ?? '24'}` }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', engines }))
  writeFileSync(join(root, 'src/main.ts'), MAIN)
  if (options.installed) writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}')
  symlinkSync(process.execPath, join(root, newer, 'node'))
  return join(root, 'bin/kalends.js')
}

for (const [what, node] of [
  ['the Node of the tests', process.execPath],
  ['the Node of the host', hostNode()],
] as const) {
  test(`with ${what} the program runs in a Node that is new enough and passes the exit code on`, (t) => {
    const run = spawnSync(node, [tree(t, { installed: true }), 'serve', '--port', '0'], { encoding: 'utf8' })
    assert.equal(run.status, 7, run.stderr)
    const { argv, node: version, told } = JSON.parse(run.stdout)
    assert.deepEqual({ argv, told }, { argv: ['serve', '--port', '0'], told: null })
    assert.ok(Number.parseInt(version, 10) >= 24, version)
  })

  test(`with ${what} a signal reaches the program`, async (t) => {
    const child = spawn(node, [tree(t, { installed: true }), 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text) => {
      if (output === '') child.kill('SIGTERM')
      output += text
    })
    const code = await new Promise((done) => child.on('close', done))
    assert.equal(code, 0)
    assert.match(output, /asked to stop/)
  })
}

test('a server is started with thresholds that give large buffers back to the system', {
  skip: process.platform !== 'linux',
}, (t) => {
  const program = tree(t, { installed: true })
  const thresholdOf = (command: string, env: NodeJS.ProcessEnv): unknown => {
    const { MALLOC_MMAP_THRESHOLD_: _inherited, ...own } = process.env
    const flags = ['--max-semi-space-size=16', program, command]
    const run = spawnSync(process.execPath, flags, { encoding: 'utf8', env: { ...own, ...env } })
    assert.equal(run.status, 7, run.stderr)
    const { threshold, flags: kept } = JSON.parse(run.stdout)
    assert.deepEqual(kept, ['--max-semi-space-size=16'])
    return threshold
  }
  assert.equal(thresholdOf('serve', {}), '131072')
  assert.equal(thresholdOf('serve', { MALLOC_MMAP_THRESHOLD_: '4096' }), '4096', 'what the operator has set stays')
  assert.equal(thresholdOf('doctor', {}), null)
})

test('an import is started with a small heap, and with what the operator says instead', {
  skip: process.platform !== 'linux',
}, (t) => {
  const program = tree(t, { installed: true })
  const flagsOf = (...flags: string[]): string[] => {
    const { MALLOC_MMAP_THRESHOLD_: _inherited, ...env } = process.env
    const run = spawnSync(process.execPath, [...flags, program, 'import', 'x.ics'], { encoding: 'utf8', env })
    assert.equal(run.status, 7, run.stderr)
    return JSON.parse(run.stdout).flags
  }
  assert.deepEqual(flagsOf(), ['--max-semi-space-size=16', '--heap-growing-percent=60', '--v8-pool-size=1'])
  assert.deepEqual(flagsOf('--max-semi-space-size=64').slice(0, 2), [
    '--max-semi-space-size=64',
    '--heap-growing-percent=60',
  ])
})

test('without packages the program says what to run', (t) => {
  const run = spawnSync(process.execPath, [tree(t, { installed: false })], { encoding: 'utf8' })
  assert.equal(run.status, 1)
  assert.match(run.stderr, /^kalends: the packages are not installed: run "npm start" or "npm ci" in .*\n$/)
})

test('when the installed Node is too old as well the program says so instead of starting itself for ever', (t) => {
  const program = tree(t, { installed: true, least: '99' })
  const run = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 120_000 })
  assert.equal(run.status, 1)
  assert.match(run.stderr, /^kalends: needs Node 99 or newer, and this is [\d.]+: see https:\/\/nodejs.org\n$/)
})
