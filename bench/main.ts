import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { NAMESPACE } from '../src/base/config/namespaces.ts'
import { type Attack, measureAttack } from './attacks/attack.ts'
import { HELD_BODIES } from './attacks/held-bodies.ts'
import { IMAGE_ATTACK } from './attacks/images.ts'
import { SEARCH_ATTACK } from './attacks/search.ts'
import { measureWords } from './attacks/words.ts'
import { measureBackup } from './backups.ts'
import { copyOf, type DataFolder, seededFolder } from './data.ts'
import { FigureBook } from './figures.ts'
import { explore } from './ground.ts'
import { ask, type Lab, type Target, withBeside } from './lab.ts'
import { type LoadRequest, loadProgram } from './load.ts'
import { measureMonth } from './month.ts'
import { onCopy } from './on-copy.ts'
import { canKeepAwake, canPin, keepAwake, onAllCores, stayOnLoadCore } from './pinning.ts'
import { plotOf } from './plot.ts'
import { startBenchPostgres } from './postgres.ts'
import { type BenchServer, startKalends } from './processes.ts'
import type { RecordedAnswer } from './raw.ts'
import { measureGrowth, measureNotModified, measureRead, measureSearches, type Targets } from './reads.ts'
import { linesOf, markdownOf, type RunFacts } from './report.ts'
import { measureSeries } from './series.ts'
import { measureColdStart, measureStall, soak } from './stress.ts'
import { GROWING, READS, requestsOf } from './workloads.ts'
import { measureWrites } from './writes.ts'

const ATTACKS: readonly Attack[] = [SEARCH_ATTACK, IMAGE_ATTACK]

/** What `--only` may name. */
const NAMES: readonly string[] = [
  ...READS.map((one) => one.name),
  'not-modified',
  'searches',
  'stall',
  'writes',
  'series',
  'backup',
  'attack-words',
  'cold-start',
  'held-bodies',
  'month-page',
  ...ATTACKS.map((one) => one.name),
]

/** What is measured on the big calendar: `big` in `--only` stands for all of them. */
const ON_BIG: readonly string[] = [
  ...READS.filter(({ beside }) => beside.includes('big')).map(({ name }) => name),
  'searches',
  'stall',
]

const USAGE = `npm run bench -- [options]
  --quick            short and small: 3 rounds of 1 s, no big calendar unless --big is given
  --only A,B         only these workloads: ${NAMES.join(', ')};
                     big: those that the big calendar is measured with
  --events N         events of the calendar, 10000
  --big N            events of the big calendar, 1000000; 0 for none
  --dates N          dates of each event of the big calendar: 50 makes it 20000 weekly series with a million dates; 1
  --attacked N       events of the calendar that is attacked, 200000
  --rounds N         how often each load is repeated, 5
  --seconds N        how long each load lasts, 3
  --soak MINUTES     also load the big calendar for so long and watch its memory
  --engine NAME      postgres: measure backup, attacks and held bodies with a PostgreSQL that is started for that; sqlite
  --peer URL         also measure another server: address of its interface, http://127.0.0.1:8080/wp-json/tribe/events/v1
  --seed-only        only make the calendars (kept in KALENDS_BENCH_DATA, else ~/.cache/kalends-bench)`

/** Flags of a server without any cache. */
const NO_CACHES: readonly string[] = ['--cache-size', '0']

/** Days over which the dates of the big calendar are spread: five years. */
const YEARS = 1826

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url))

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    events: { type: 'string', default: '10000' },
    big: { type: 'string' },
    dates: { type: 'string', default: '1' },
    attacked: { type: 'string', default: '200000' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    soak: { type: 'string' },
    peer: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    'seed-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const now = Date.now()
const say = (text: string): void => void process.stderr.write(`${text}\n`)
const only = values.only?.split(',').flatMap((name) => (name === 'big' ? ON_BIG : name))
const unknown = (only ?? []).filter((name) => !NAMES.includes(name))
if (values.help) say(USAGE)
else if (unknown.length > 0) refuse(`--only: there is no ${unknown.join(', ')}`)
else await main()

function refuse(reason: string): void {
  say(`${reason}\n${USAGE}`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const isOnPostgres = values.engine === 'postgres'
  const folder = await seededFolder(Number(values.events), now)
  const bigSize = isOnPostgres ? 0 : Number(values.big ?? (values.quick ? 0 : 1_000_000))
  const bigFolder = bigSize > 0 ? await bigCalendar(bigSize, Number(values.dates)) : undefined
  const attacked = ATTACKS.some(isNamed) ? await seededFolder(Number(values.attacked), now) : undefined
  if (values['seed-only']) return
  stayOnLoadCore()
  const pace = {
    rounds: Number(values.rounds ?? (values.quick ? 3 : 5)),
    seconds: Number(values.seconds ?? (values.quick ? 1 : 3)),
  }
  const facts = factsOf({ ...pace, events: folder.events, big: bigFolder?.events })
  const lab: Lab = { pace, book: new FigureBook(), say }
  const letSleep = keepAwake()
  try {
    await (isOnPostgres ? measureOnPostgres : measureOnSqlite)(lab, { folder, bigFolder, attacked })
  } finally {
    letSleep()
    await writeReport(facts, lab)
  }
}

/** The calendars of a run. */
interface Calendars {
  readonly folder: DataFolder
  readonly bigFolder: DataFolder | undefined
  readonly attacked: DataFolder | undefined
}

async function measureOnSqlite(lab: Lab, { folder, bigFolder, attacked }: Calendars): Promise<void> {
  const servers: BenchServer[] = []
  // A folder belongs to one server.
  const copy = await copyOf(folder)
  try {
    // What is attacked has processes of its own for what takes long, and they all cores.
    const start = async (of: DataFolder, name: string, flags: readonly string[] = []): Promise<Target> => {
      const server = await startKalends(of, flags, of === attacked ? 'all cores' : 'one core')
      servers.push(server)
      const ground = await explore(`${server.origin}/${NAMESPACE}`, { authorization: of.authorization, now })
      return { name, origin: server.origin, pid: server.pid, ground }
    }
    const noCaches = await start(copy, 'no-caches', NO_CACHES)
    if (bigFolder !== undefined && GROWING.some(isWanted)) {
      const big = await start(bigFolder, 'big-no-caches', NO_CACHES)
      await measureGrowths(lab, [noCaches, big])
      await servers.pop()?.stop()
    }
    const targets: Targets = {
      kalends: await start(folder, 'kalends'),
      noCaches,
      big: bigFolder && (await start(bigFolder, 'big')),
      peer: await peerOf(values.peer),
      folder,
    }
    await measureAll(lab, targets)
    if (attacked !== undefined) await measureAttacks(lab, await start(attacked, 'attacked'))
  } finally {
    for (const server of servers) await server.stop()
    await rm(copy.path, { recursive: true, force: true })
  }
}

/** Backups and attacks; other workloads are measured with SQLite alone. */
async function measureOnPostgres(lab: Lab, { folder, attacked }: Calendars): Promise<void> {
  // An installation's database is not kept on the core that visitors and attackers use here.
  const postgres = await onAllCores(startBenchPostgres)
  try {
    await measureOnCopies(lab, await postgres.moved(folder))
    if (attacked === undefined) return
    await onCopy(await postgres.moved(attacked), (target) => measureAttacks(lab, target))
  } finally {
    await postgres.stop()
  }
}

/** The big calendar: so many events, or weekly series that have so many dates together. */
async function bigCalendar(size: number, dates: number): Promise<DataFolder> {
  if (dates === 1) return seededFolder(size, now)
  const shape = { days: YEARS - 7 * dates, isShort: true, dates }
  return { ...(await seededFolder(Math.ceil(size / dates), now, shape)), events: size }
}

function isNamed({ name }: Attack): boolean {
  return isWanted(name)
}

/** What a calendar of the usual size is used for alone, with all cores. */
async function measureOnCopies(lab: Lab, folder: DataFolder): Promise<void> {
  if (isWanted('backup')) await onCopy(folder, (target, copy) => measureBackup(lab, target, copy))
  if (isWanted('attack-words')) await onCopy(folder, (target) => measureWords(lab, target))
  for (const attack of isWanted('held-bodies') ? HELD_BODIES : [])
    await onCopy(folder, async (target) => {
      const bare = await bareAnswer(target)
      await measureAttack(lab, target, attack)
      await measureBare(lab, { target, answer: bare }, attack)
    })
}

/** The answer to a list, for a server that does nothing but send it. */
function bareAnswer(target: Target): Promise<RecordedAnswer> {
  const [page] = requestsOf('first-page', target)
  return ask(target, page as LoadRequest)
}

/**
 * The same attack on a server that does nothing but send one answer: what the machine, Node and the attack itself take from
 * visitors, whatever the server does.
 */
async function measureBare(
  lab: Lab,
  { target, answer }: { readonly target: Target; readonly answer: RecordedAnswer },
  attack: Attack,
): Promise<void> {
  await withBeside('raw', { argv: [], content: JSON.stringify(answer) }, ({ origin, pid }) =>
    measureAttack(lab, { ...target, name: 'raw', origin, pid }, attack),
  )
}

async function measureAttacks(lab: Lab, victim: Target): Promise<void> {
  for (const attack of ATTACKS.filter(isNamed)) await measureAttack(lab, victim, attack)
}

function isWanted(name: string): boolean {
  return only?.includes(name) ?? true
}

/** Each in its own turn before the others: the folder of the big calendar belongs to one server at a time. */
async function measureGrowths(lab: Lab, sizes: readonly Target[]): Promise<void> {
  const wanted = READS.filter(({ name }) => GROWING.includes(name) && isWanted(name))
  for (const workload of wanted) await measureGrowth(lab, workload, sizes)
}

async function measureAll(lab: Lab, targets: Targets): Promise<void> {
  for (const workload of READS) if (isWanted(workload.name)) await measureRead(lab, workload, targets)
  if (isWanted('not-modified')) await measureNotModified(lab, targets)
  const largest = targets.big ?? targets.kalends
  if (isWanted('searches')) await measureSearches(lab, largest)
  if (isWanted('stall')) await measureStall(lab, largest)
  if (isWanted('writes')) await measureWrites(lab, targets.folder, targets.kalends.ground)
  if (isWanted('series')) await measureSeries(lab, targets.folder, targets.kalends.ground)
  await measureOnCopies(lab, targets.folder)
  if (isWanted('cold-start')) await measureColdStart(lab, targets.folder, targets.kalends)
  if (isWanted('month-page')) await measureMonth(lab, now)
  if (values.soak !== undefined) await soak(lab, largest, Number(values.soak))
}

async function peerOf(api: string | undefined): Promise<Target | undefined> {
  if (api === undefined) return undefined
  return { name: 'peer', origin: new URL(api).origin, pid: undefined, ground: await explore(api, { now }) }
}

function factsOf(run: Pick<RunFacts, 'events' | 'big' | 'rounds' | 'seconds'>): RunFacts {
  return {
    ...run,
    at: new Date(now).toISOString(),
    machine: `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}`,
    node: process.versions.node,
    commit: commit(),
    load: loadProgram(),
    isPinned: canPin(),
    isAwake: canKeepAwake(),
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

async function writeReport(facts: RunFacts, { book }: Lab): Promise<void> {
  const name = facts.at.slice(0, 19).replaceAll(':', '-')
  const folder = join(RESULTS, name)
  await mkdir(folder, { recursive: true })
  const markdown = markdownOf(facts, book.figures)
  await writeFile(join(folder, 'report.md'), markdown)
  await writeFile(join(folder, 'rates.svg'), plotOf(linesOf(book.figures)))
  await writeFile(
    join(folder, 'figures.json'),
    JSON.stringify({ facts, figures: Object.fromEntries(book.figures) }, undefined, 2),
  )
  process.stdout.write(markdown)
  say(`report, figures and plot: ${folder}`)
}
