// npm test: the quick tests on SQLite, or those of the files and folders given. The suffix of a file says when it runs:
//   x.test.ts          in each run, in a process that it shares with others, on SQLite
//   x.e2e.test.ts      in .ci/run: it starts programs or a browser, or waits; in a process of its own
//   x.nightly.test.ts  in .ci/nightly: it takes long; in a process of its own
// and `.engine` before any of these that PostgreSQL repeats it: x.engine.test.ts, x.engine.e2e.test.ts.
//   --tier=quick,e2e,nightly   those tests instead of the quick ones (files that are named run whatever their suffix)
//   --engine=sqlite            everything on SQLite, as without it
//   --engine=postgres          on PostgreSQL: what is called .engine, or the files that are named
//   --engine=both              everything on SQLite, and what is called .engine on PostgreSQL as well
//   --postgres=FOLDER          with the programs of PostgreSQL in a folder, instead of those of the package
//   --full                     as .ci/nightly: tests that draw at random, kill or repeat do so as often as they can
//   --counts=FILE              {passed, failed} are written there, and the failures into FILE.failures
// What else starts with a dash goes to Node's test runner: npm test -- src/base/time --test-name-pattern=gap
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'

const OWN = /^--(counts|engine|tier|postgres|full)(?:=(.*))?$/
/** Files that share a process: starting one and loading all sources takes longer than most of them; more fill its memory. */
const MOST_TOGETHER = 80
/** Seconds of processor time that a quick file may take; while a machine is busy, the same work counts up to twice as much. */
const MOST_SECONDS = 2
const FORGIVEN = 2
/** Milliseconds that a test, or a file of its own, may take on a machine that is busy with other things, too. */
const LONGEST = 1_800_000

/** How a process runs several files. */
const SHARED = [
  `--import=${join(import.meta.dirname, 'test-seconds.js')}`,
  `--import=${join(import.meta.dirname, '../test/support/draws.ts')}`,
  '--test',
  '--test-isolation=none',
  `--test-timeout=${LONGEST}`,
]

const given = process.argv.slice(2)
const own = Object.fromEntries(given.flatMap((text) => (OWN.test(text) ? [OWN.exec(text).slice(1)] : [])))
const flags = given.filter((text) => text.startsWith('-') && !OWN.test(text))
const places = given.filter((text) => !text.startsWith('-')).map((text) => text.replace(/^\.\/|\/+$/g, ''))
const files = chosenFiles()
const scratch = mkdtempSync(join(tmpdir(), 'kalends-counts-'))
const counts = { passed: 0, failed: 0, failures: [], skipped: [], seconds: [] }
/** Runners under way, each with its engine and files. */
const running = new Map()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
try {
  await runOnEngines()
  report()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function chosenFiles() {
  const tiers = own.tier?.split(',') ?? ['quick']
  const all = globSync('{src,test,bench}/**/*.test.ts').sort()
  const isNamed = (path) => places.some((place) => path === place || path.startsWith(`${place}/`))
  const chosen = all.filter(places.length > 0 ? isNamed : (path) => tiers.includes(tierOf(path)))
  if (chosen.length > 0) return chosen
  console.error(`no test file in ${places.join(', ') || tiers.join(', ')}`)
  process.exit(1)
}

function tierOf(path) {
  return /\.(e2e|nightly)\.test\.ts$/.exec(path)?.[1] ?? 'quick'
}

function isRepeated(path) {
  return (places.length > 0 && own.engine === 'postgres') || path.split('/').at(-1).includes('.engine.')
}

/** Runs the files on each engine that is asked for, with the PostgreSQL of TEST_DATABASE_URL or a server of their own. */
async function runOnEngines() {
  const onSqlite = own.engine === 'postgres' ? [] : partsOf('SQLite', files, {})
  const repeated = own.engine === 'postgres' || own.engine === 'both' ? files.filter(isRepeated) : []
  const databases = repeated.length === 0 ? undefined : await openDatabases()
  if (databases === undefined) return runAll(onSqlite)
  try {
    const environment = { KALENDS_TEST_POSTGRES: databases.template }
    await runAll([...onSqlite, ...partsOf('PostgreSQL', repeated, environment)])
  } finally {
    await databases.close()
  }
}

/** The databases of PostgreSQL; undefined after a signal, and where it cannot be prepared, which is a failure of its own. */
async function openDatabases() {
  try {
    const { openTestDatabases } = await import('../test/support/postgres.ts')
    if (isStopping) return undefined
    return await openTestDatabases(own.postgres ? '' : process.env.TEST_DATABASE_URL, own.postgres)
  } catch (error) {
    if (!isStopping) fail({ engine: 'PostgreSQL', name: 'PostgreSQL could not be prepared', why: String(error) })
    return undefined
  }
}

/** The processes of an engine, each with its files: quick ones share some, others have their own. */
function partsOf(engine, paths, environment) {
  const quick = portions(paths.filter((path) => tierOf(path) === 'quick'))
  const others = paths.filter((path) => tierOf(path) !== 'quick').map((path) => [path])
  console.log(`${engine}: ${paths.length} files in ${quick.length + others.length} processes`)
  return [...quick, ...others].map((those) => ({ engine, environment, paths: those }))
}

/**
 * Runs the processes of all engines together, so that no core waits for the last one of an engine: those of quick files first,
 * one for each core, then the others, two more than there are cores, because they wait a lot.
 */
async function runAll(parts) {
  const cores = availableParallelism()
  const quick = parts.filter(isQuick)
  const others = parts.filter((part) => !isQuick(part)).sort((one, other) => size(other) - size(one))
  for (const [waiting, places] of [
    [quick, cores],
    [others, cores + 2],
  ]) {
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined && !isStopping; next = waiting.shift()) await runPart(next)
    }
    await Promise.all(Array.from({ length: places }, worker))
  }
}

function isQuick({ paths }) {
  return tierOf(paths[0]) === 'quick'
}

/** Bytes of a file of its own. Large ones mostly take long, and a long one that starts last is waited for. */
function size({ paths }) {
  return statSync(paths[0]).size
}

/** As many for each core, so that none waits in the end. Neighbours are like each other, so they are spread. */
function portions(paths) {
  const cores = availableParallelism()
  const number = Math.min(paths.length, cores * Math.ceil(paths.length / MOST_TOGETHER / cores))
  return Array.from({ length: number }, (_, index) => paths.filter((_path, place) => place % number === index))
}

async function runPart({ engine, environment, paths }) {
  const file = join(scratch, String(Math.random()))
  const shared = tierOf(paths[0]) === 'quick' ? SHARED : []
  const runner = spawn(process.execPath, [...shared, ...flags, ...reporters(file), ...paths], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // What Node made of the sources is kept where bin/kalends.js keeps it: each process loads most of them.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/kalends'),
      ...('full' in own && { KALENDS_TEST_FULL: '1' }),
      ...process.env,
      ...environment,
    },
  })
  running.set(runner, `${engine}: ${paths.join(' ')}`)
  const started = performance.now()
  const late = setTimeout(() => runner.kill('SIGKILL'), LONGEST)
  const ended = new Promise((resolve) => runner.on('exit', (code, signal) => resolve(signal ?? code)))
  // Shown when it has ended, so that no two mix.
  const [output, problems, how] = await Promise.all([textOf(runner.stdout), textOf(runner.stderr), ended])
  clearTimeout(late)
  running.delete(runner)
  process.stdout.write(output)
  process.stderr.write(problems)
  count({ engine, paths, how, took: (performance.now() - started) / 1000 }, file)
}

function reporters(file) {
  const counting = [reporter('count-reporter.js'), `--test-reporter-destination=${file}`]
  const isTheirs = flags.some((flag) => flag.startsWith('--test-reporter'))
  if (!isTheirs) return [reporter('test-reporter.js'), '--test-reporter-destination=stdout', ...counting]
  // Node counts destinations by reporters: one of theirs needs its own.
  const isLed = flags.some((flag) => flag.startsWith('--test-reporter-destination'))
  return isLed ? counting : ['--test-reporter-destination=stdout', ...counting]
}

function reporter(name) {
  return `--test-reporter=${join(import.meta.dirname, name)}`
}

/** Adds what a process has counted. One that failed without a test that did counts as a failure. */
function count({ engine, paths, how, took }, file) {
  const found = countsIn(file)
  const none = { passed: 0, failed: 0, failures: [], skipped: [], seconds: {}, slowness: 1 }
  const { passed, failed, failures, skipped, seconds, slowness } = found ?? none
  counts.passed += passed
  counts.failed += failed
  counts.failures.push(...failures.map((one) => ({ engine, ...one })))
  counts.skipped.push(...skipped.map((one) => ({ engine, ...one })))
  if (how !== 0) process.exitCode = 1
  if ((how !== 0 || found === undefined) && failed === 0 && !isStopping) {
    const name = paths.length === 1 ? paths[0] : `one of ${paths.join(' ')}`
    fail({ engine, name: `${name} ended with ${how}`, why: '' })
  }
  if (tierOf(paths[0]) !== 'quick') counts.seconds.push({ engine, path: paths[0], spent: took })
  else for (const [path, spent] of Object.entries(seconds)) countSeconds({ engine, path, spent, slowness })
  // After each process, so that a run that is ended has counted what ran.
  writeCounts()
}

/**
 * The counts that a process has written last; undefined without any. A thread that a test has started opens the file once
 * more, which empties it, and a process that was killed may have left half a line.
 */
function countsIn(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\0', '').split('\n') : []
  const last = lines.findLast((line) => /^\{.*\}$/.test(line))
  return last && JSON.parse(last)
}

/**
 * Fails a quick file that takes too much processor time, measured on a machine of usual speed; not where files are named: what
 * runs first in a process pays for compiling the program.
 */
function countSeconds({ engine, path, spent, slowness }) {
  counts.seconds.push({ engine, path, spent })
  if (places.length > 0 || spent <= MOST_SECONDS * FORGIVEN * slowness) return
  const name = `${path} takes ${spent.toFixed(1)} s of processor time`
  fail({
    engine,
    name,
    why: `More than ${MOST_SECONDS} s, on a machine ${slowness.toFixed(1)} times as slow as usual.`,
  })
}

function fail(failure) {
  process.exitCode = 1
  counts.failed += 1
  counts.failures.push(failure)
}

function report() {
  const { passed, failed, failures, skipped, seconds } = counts
  writeCounts()
  const slowest = seconds.toSorted((one, other) => other.spent - one.spent).slice(0, 10)
  if (seconds.length > slowest.length)
    console.log('the slowest files, by processor time or, in a process of their own, by the clock:')
  for (const { engine, path, spent } of seconds.length > slowest.length ? slowest : [])
    console.log(`${spent.toFixed(2).padStart(6)} s  ${path} (${engine})`)
  for (const { engine, name, reason } of skipped)
    console.log(`skipped with ${engine}: ${name}${reason && ` (${reason})`}`)
  const causes = failures.map(({ engine, name, why }) => `failed with ${engine}: ${name}\n${why}`.trimEnd())
  for (const cause of causes) console.log(cause)
  if (own.counts !== undefined) writeFileSync(`${own.counts}.failures`, causes.map((cause) => `${cause}\n`).join(''))
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
}

function writeCounts() {
  const { passed, failed } = counts
  if (own.counts !== undefined) writeFileSync(own.counts, JSON.stringify({ passed, failed }))
}

/** Ends what runs and names it, starts nothing more, and counts what has run. */
function stop(signal) {
  isStopping = true
  process.exitCode = 1
  for (const [runner, what] of running) {
    console.log(`ended by ${signal}: ${what}`)
    runner.kill(signal)
  }
}
