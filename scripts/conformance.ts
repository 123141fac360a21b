// npm run conformance: plays the cases of test/conformance against a server of its own. Every answer is compared with the
// OpenAPI document of that server, too.
//   --only, --area    REGEX: some cases only  --jobs N          cases at the same time
//   --counts FILE     write {passed, failed} to a file
//   --engine postgres stored in the PostgreSQL of TEST_DATABASE_URL, else in one that is started for the run
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import sharp from 'sharp'
import { openTestDatabases } from '../test/support/postgres.ts'
import { type Recorder, startRecorder } from '../test/support/recorder.ts'

interface Result {
  readonly id: string
  readonly area?: string
  readonly result: 'pass' | 'fail' | 'skip'
  readonly fails?: readonly string[]
}

const ROOT = join(import.meta.dirname, '..')
const KIT = join(ROOT, 'test/conformance')
const PROGRAM = join(ROOT, 'bin/kalends.js')
const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber']
const START_TIMEOUT_MS = 30_000
const IMAGE = await sharp({ create: { width: 400, height: 320, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

const { values } = parseArgs({
  options: {
    counts: { type: 'string' },
    only: { type: 'string' },
    area: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
  },
})

const databases = values.engine === 'postgres' ? await openTestDatabases(process.env['TEST_DATABASE_URL']) : undefined
const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(KALENDS_|DATABASE_URL$)/.test(name))),
  ...(databases && { DATABASE_URL: databases.template }),
}
const folder = mkdtempSync(join(tmpdir(), 'kalends-conformance-'))
// The kit wants a picture that the server can fetch: it lies on a site of this machine, which is allowed for once.
const pictures = createServer((_request, response) => response.end(IMAGE)).listen(0, '127.0.0.1')
await once(pictures, 'listening')
const server = spawn(
  process.execPath,
  [PROGRAM, 'serve', '--port', '0', '--site-zone', 'America/New_York', '--data', folder, '--fetch-allow', '127.0.0.1'],
  {
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  },
)
process.on('exit', () => server.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  const origin = (await addressOf(server)).slice(0, -1)
  const recorder = await startRecorder(origin)
  report(await play(`${recorder.origin}/cal/events/v1`, await addAccounts()), recorder)
  recorder.close()
} finally {
  await stop(server)
  pictures.close()
  await databases?.close()
  rmSync(folder, { recursive: true, force: true })
}

/** The address that the server prints once it listens, with a slash at the end. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = ''
    const giveUp = (why: string) => failed(new Error(`${why}\n${output}`))
    const timer = setTimeout(() => giveUp('the server printed no address'), START_TIMEOUT_MS)
    const read = (text: Buffer) => {
      output += text
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0]
      if (address === undefined) return
      clearTimeout(timer)
      found(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', () => giveUp('the server ended'))
  })
}

/** Adds an account for every role and writes the file of names and passwords; returns its path. */
async function addAccounts(): Promise<string> {
  const users: Record<string, string> = {}
  for (const role of ROLES) {
    const name = `kit-${role}`
    await kalends('user', 'add', name, '--role', role, '--email', `${name}@example.org`)
    const { password } = JSON.parse(await kalends('password', 'add', name, '--json'))
    users[role] = `${name}:${password}`
  }
  const path = join(folder, 'kit-users.json')
  writeFileSync(path, JSON.stringify(users), { mode: 0o600 })
  return path
}

async function kalends(...parameters: string[]): Promise<string> {
  const command = [PROGRAM, ...parameters, '--data', folder]
  return (await promisify(execFile)(process.execPath, command, { env: ENVIRONMENT })).stdout
}

async function play(base: string, users: string): Promise<Result[]> {
  const path = join(folder, 'kit-results.json')
  const chosen = (['only', 'area'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, values[name]],
  )
  const picture = `image_url=http://127.0.0.1:${(pictures.address() as AddressInfo).port}/regatta.png`
  const options = [
    '--base',
    base,
    '--users',
    users,
    '--var',
    picture,
    '--cases',
    join(KIT, 'cases'),
    '--json',
    path,
    '--jobs',
    values.jobs,
    ...chosen,
  ]
  const kit = spawn(process.execPath, [join(KIT, 'run.mjs'), ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((ended) => kit.on('exit', ended))
  if (code !== 0 && code !== 1) throw new Error(`the kit ended with ${code}`)
  return JSON.parse(readFileSync(path, 'utf8')).results
}

function report(results: readonly Result[], { problems, count }: Recorder): void {
  printAreas(results)
  const failing = results.filter(({ result }) => result === 'fail')
  const passed = results.filter(({ result }) => result === 'pass').length
  for (const { id, area, fails } of failing) console.log(`FAILS     ${id} [${area}] ${fails?.join(' | ')}`)
  for (const problem of problems) console.log(`DIFFERS   ${problem}`)
  console.log(`\n${count()} answers, ${problems.length} of them not as the document says`)
  console.log(`${passed} cases passed, ${failing.length} failed`)
  if (values.counts !== undefined)
    writeFileSync(values.counts, JSON.stringify({ passed, failed: failing.length + problems.length }))
  process.exitCode = failing.length + problems.length === 0 ? 0 : 1
}

function printAreas(results: readonly Result[]): void {
  const areas = Map.groupBy(results, ({ area }) => area ?? '-')
  console.log(`${'area'.padEnd(16)}  pass  fail  skip`)
  for (const [area, list] of [...areas].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const count = (wanted: string) => String(list.filter(({ result }) => result === wanted).length).padStart(6)
    console.log(area.padEnd(16) + count('pass') + count('fail') + count('skip'))
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}
