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
import { SERIES_ATTACK } from './attacks/series.ts'
import { WORDS_ATTACK } from './attacks/words.ts'
import { copyOf, type DataFolder, seededFolder } from './data.ts'
import { FigureBook } from './figures.ts'
import { explore } from './ground.ts'
import { ask, type Lab, type Target, withBeside } from './lab.ts'
import type { LoadRequest } from './load.ts'
import { measureMonth } from './month.ts'
import { onCopy } from './on-copy.ts'
import { canKeepAwake, canPin, keepAwake, stayOnLoadCore } from './pinning.ts'
import { type BenchServer, startKalends } from './processes.ts'
import { measureGrowth, measureNotModified, measureRead, measureSearches, type Targets } from './reads.ts'
import { isMissed, markdownOf, type RunFacts } from './report.ts'
import { measureSeries } from './series.ts'
import { soak } from './soak.ts'
import { GROWING, READS, requestsOf } from './workloads.ts'
import { measureUpdates, measureWrites } from './writes.ts'

/** Attacks on the large calendar of `--attacked`, and on the one of `--events`. */
const ON_ATTACKED: readonly Attack[] = [SEARCH_ATTACK, IMAGE_ATTACK]
const ON_SMALL: readonly Attack[] = [WORDS_ATTACK, SERIES_ATTACK]

/** What is measured beside the reads. */
const OTHERS: readonly string[] = [
  'not-modified',
  'writes',
  'series',
  'month-page',
  ...[...ON_ATTACKED, ...ON_SMALL, ...HELD_BODIES].map(({ name }) => name),
]

/** What `--only` may name. */
const NAMES: readonly string[] = [...READS.map(({ name }) => name), 'searches', 'updates', ...OTHERS]

/** What is measured on the big calendar: `big` in `--only` stands for all of them. */
const ON_BIG: readonly string[] = [
  ...READS.filter(({ beside }) => beside.includes('big')).map(({ name }) => name),
  'searches',
]

/** What `--quick` measures: everything that a bar names and that needs no big calendar. */
const QUICK: readonly string[] = [
  'first-page',
  'first-page-fresh',
  'first-page-seconds',
  'by-id',
  'by-id-fresh',
  'page-front',
  'page-month',
  'page-event',
  ...OTHERS,
]

const USAGE = `npm run bench -- [options]
  --quick            at most 5 minutes: what bars name, 2 rounds of 1 s, no large calendar unless one is asked for
  --only A,B         only these workloads: ${NAMES.join(', ')};
                     big: those that the big calendar is measured with
  --events N         events of the calendar, 10000
  --big N            events of the big calendar, 1000000; 0 for none
  --dates N          dates of each event of the big calendar: 50 makes it 20000 weekly series with a million dates; 1
  --attacked N       events of the calendar that searches and images attack, 200000
  --rounds N         how often each load is repeated, 5
  --seconds N        how long each load lasts, 3
  --soak MINUTES     also load the big calendar for so long and watch its memory
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
    attacked: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    soak: { type: 'string' },
    'seed-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const now = Date.now()
const say = (text: string): void => void process.stderr.write(`${text}\n`)
const named = values.only?.split(',').flatMap((name) => (name === 'big' ? ON_BIG : name))
const only = named ?? (values.quick ? QUICK : NAMES)
const unknown = only.filter((name) => !NAMES.includes(name))
if (values.help) say(USAGE)
else if (unknown.length > 0) refuse(`--only: there is no ${unknown.join(', ')}`)
else await main()

function refuse(reason: string): void {
  say(`${reason}\n${USAGE}`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const folder = await seededFolder(Number(values.events), now)
  const bigSize = Number(values.big ?? (values.quick ? 0 : 1_000_000))
  const bigFolder = bigSize > 0 ? await bigCalendar(bigSize, Number(values.dates)) : undefined
  const attackedSize = Number(values.attacked ?? (values.quick ? values.events : 200_000))
  const attacked = ON_ATTACKED.some(isNamed) ? await seededFolder(attackedSize, now) : folder
  if (values['seed-only']) return
  stayOnLoadCore()
  const pace = {
    rounds: Number(values.rounds ?? (values.quick ? 2 : 5)),
    seconds: Number(values.seconds ?? (values.quick ? 1 : 3)),
    warmUp: values.quick ? 3 : 8,
  }
  const facts = factsOf({ ...pace, events: folder.events, big: bigFolder?.events })
  const lab: Lab = { pace, book: new FigureBook(), say }
  const letSleep = keepAwake()
  try {
    await measureLoads(lab, folder, bigFolder)
    await measureAttacks(lab, folder, attacked)
    if (isMissed(lab.book.figures)) process.exitCode = 1
  } finally {
    letSleep()
    await writeReport(facts, lab)
  }
}

async function measureLoads(lab: Lab, folder: DataFolder, bigFolder: DataFolder | undefined): Promise<void> {
  const servers: BenchServer[] = []
  // A folder belongs to one server.
  const copy = await copyOf(folder)
  try {
    const start = async (of: DataFolder, name: string, flags: readonly string[] = []): Promise<Target> => {
      const server = await startKalends(of, flags)
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
    const big = bigFolder && (await start(bigFolder, 'big'))
    await measureAll(lab, { kalends: await start(folder, 'kalends'), noCaches, big, folder })
  } finally {
    for (const server of servers) await server.stop()
    await rm(copy.path, { recursive: true, force: true })
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

/** Each attack on a server of its own that has all cores, since it runs long queries in processes of their own. */
async function measureAttacks(lab: Lab, folder: DataFolder, attacked: DataFolder): Promise<void> {
  const once = values.quick ? { ...lab, pace: { ...lab.pace, rounds: 1 } } : lab
  for (const [of, attacks] of [
    [attacked, ON_ATTACKED],
    [folder, ON_SMALL],
  ] as const)
    for (const attack of attacks.filter(isNamed)) await onCopy(of, (target) => measureAttack(once, target, attack))
  for (const attack of HELD_BODIES.filter(isNamed))
    await onCopy(folder, async (target) => {
      const [page] = requestsOf('first-page', target)
      const content = JSON.stringify(await ask(target, page as LoadRequest))
      await measureAttack(once, target, attack)
      await withBeside('raw', { argv: [], content }, ({ origin, pid }) =>
        measureAttack(once, { ...target, name: 'raw', origin, pid }, attack),
      )
    })
}

function isWanted(name: string): boolean {
  return only.includes(name)
}

/** Each in its own turn before the others: the folder of the big calendar belongs to one server at a time. */
async function measureGrowths(lab: Lab, sizes: readonly Target[]): Promise<void> {
  const wanted = READS.filter(({ name }) => GROWING.includes(name) && isWanted(name))
  for (const workload of wanted) await measureGrowth(lab, workload, sizes)
}

async function measureAll(lab: Lab, targets: Targets): Promise<void> {
  const { folder, kalends } = targets
  for (const workload of READS) if (isWanted(workload.name)) await measureRead(lab, workload, targets)
  if (isWanted('not-modified')) await measureNotModified(lab, targets)
  if (isWanted('searches')) await measureSearches(lab, targets)
  if (isWanted('writes')) await measureWrites(lab, folder, kalends.ground)
  if (isWanted('updates')) await measureUpdates(lab, folder, kalends.ground)
  if (isWanted('series')) await measureSeries(lab, folder, kalends.ground)
  if (isWanted('month-page')) await measureMonth(lab, now)
  if (values.soak !== undefined) await soak(lab, targets.big ?? kalends, Number(values.soak))
}

function factsOf(run: Pick<RunFacts, 'events' | 'big' | 'rounds' | 'seconds'>): RunFacts {
  return {
    ...run,
    at: new Date(now).toISOString(),
    machine: `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}`,
    node: process.versions.node,
    commit: commit(),
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
  await writeFile(
    join(folder, 'figures.json'),
    JSON.stringify({ facts, figures: Object.fromEntries(book.figures) }, undefined, 2),
  )
  process.stdout.write(markdown)
  say(`report and figures: ${folder}`)
}
