import { quotients, type Spread, spreadOf } from './statistics.ts'

/**
 * Everything that was measured, by name: `WORKLOAD/TARGET/UNIT`, such as `first-page/raw/cpu`. Each has one number a
 * round, so that numbers of the same place belong together.
 */
export type Figures = ReadonlyMap<string, readonly number[]>

/** Figures while they are collected. */
export class FigureBook {
  readonly #figures = new Map<string, number[]>()

  /** Adds the number of a round. */
  add(name: string, number: number | undefined): void {
    if (number === undefined) return
    const known = this.#figures.get(name)
    if (known === undefined) this.#figures.set(name, [number])
    else known.push(number)
  }

  get figures(): Figures {
    return this.#figures
  }
}

/** A line of the table of what must hold (`docs/performance.md`). */
export interface Bar {
  readonly title: string
  /** Numbers of the rounds; `[]` when it was not measured. */
  of(figures: Figures): readonly number[]
  readonly limit: { readonly atLeast: number } | { readonly atMost: number }
  /** What to try for beyond the limit. */
  readonly wish?: number
  readonly unit: 'times' | 'ms' | 'KB' | 'MB' | 'statements'
}

/** A bar that was held against the figures. */
export interface Verdict {
  readonly title: string
  readonly limit: string
  readonly unit: Bar['unit']
  readonly measured: Spread | undefined
  readonly outcome: 'pass' | 'fail' | 'not measured'
}

/** Holds a bar against the figures: the median decides. */
export function judge(bar: Bar, figures: Figures): Verdict {
  const measured = spreadOf(bar.of(figures))
  const { limit, wish } = bar
  const isHeld = (value: number): boolean => ('atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost)
  const text = 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`
  return {
    title: bar.title,
    limit: wish === undefined ? text : `${text} (try for ${wish})`,
    unit: bar.unit,
    measured,
    outcome: measured === undefined ? 'not measured' : isHeld(measured.median) ? 'pass' : 'fail',
  }
}

function ratio(above: string, below: string): Bar['of'] {
  return (figures) => quotients(figures.get(above) ?? [], figures.get(below) ?? [])
}

function plain(name: string): Bar['of'] {
  return (figures) => figures.get(name) ?? []
}

/** The processor time of an answer of bare `node:http` against ours. */
const ofRaw = (workload: string): Bar['of'] => ratio(`${workload}/raw/cpu`, `${workload}/kalends/cpu`)

/** How many times more processor time the big calendar takes, both without caches. */
const growth = (workload: string, title: string): Bar => ({
  title: `${title}: 1,000,000 events against 10,000, every cache off`,
  of: ratio(`${workload}-uncached/big-no-caches/cpu`, `${workload}-uncached/no-caches/cpu`),
  limit: { atMost: 2 },
  wish: 1.3,
  unit: 'times',
})

/** Processor time of a single search in the big calendar against a first page of the small one. */
const search = (name: string, title: string, atMost: number): Bar => ({
  title: `${title} at 1,000,000, of a first page at 10,000, every cache off`,
  of: ratio(`searches/${name}`, 'searches/first-page'),
  limit: { atMost },
  unit: 'times',
})

/** Milliseconds that others may wait beside an attack, however long they wait for the bare server. */
const LEAST_WAIT = 250

const memoryUnder = (name: string, of: string): Bar => ({
  title: `${of}: most resident memory`,
  of: plain(`${name}/attacked/memory`),
  limit: { atMost: 600 },
  unit: 'MB',
})

/** An attack that means nothing to a server that does nothing; `name` as `--only` has it. */
const underAttack = (name: string, of: string): readonly Bar[] => [
  {
    title: `${of}: slowest list of somebody else`,
    of: plain(`${name}/attacked/slowest`),
    limit: { atMost: LEAST_WAIT },
    unit: 'ms',
  },
  memoryUnder(name, of),
]

/** An attack that the bare server suffers in the same run. */
const besideRaw = (name: string, of: string): readonly Bar[] => [
  {
    title: `${of}: slowest list of somebody else, of half that of raw node:http or 250 ms`,
    of: (figures) => {
      const waits = (figures.get(`${name}/raw/slowest`) ?? []).map((wait) => Math.max(wait / 2, LEAST_WAIT))
      return quotients(figures.get(`${name}/attacked/slowest`) ?? [], waits)
    },
    limit: { atMost: 1 },
    unit: 'times',
  },
  memoryUnder(name, of),
]

/** Pages that visitors see most. */
const PAGES = [
  ['page-front', 'front page'],
  ['page-month', 'page of a month'],
  ['page-event', 'page of an event'],
] as const

const FOR_VISITORS: readonly Bar[] = [
  ...PAGES.map(
    ([name, title]): Bar => ({
      title: `${title}, cached, of raw node:http`,
      of: ofRaw(name),
      limit: { atLeast: 0.5 },
      unit: 'times',
    }),
  ),
  {
    title: 'page of a month with 1,000 events, every cache off, times raw node:http',
    of: ratio('month-page/no-caches/cpu', 'month-page/raw/cpu'),
    limit: { atMost: 300 },
    unit: 'times',
  },
  {
    title: 'page of a month with 1,000 events: transferred',
    of: plain('month-page/no-caches/kilobytes'),
    limit: { atMost: 100 },
    unit: 'KB',
  },
]

const WRITES: readonly Bar[] = [
  {
    title: 'creates with durable commit, 16 clients, of their statements one by one, with ready values',
    of: ratio('create/bare/cpu', 'create/kalends/cpu'),
    limit: { atLeast: 0.5 },
    unit: 'times',
  },
  {
    title: 'statements of a create',
    of: plain('create/bare/statements'),
    limit: { atMost: 25 },
    unit: 'statements',
  },
  {
    title: 'a series of 1,000 dates, of 1,000 creates',
    of: (figures) => ratio('series/kalends/cpu', 'series/create/cpu')(figures).map((creates) => creates / 1_000),
    limit: { atMost: 0.3 },
    unit: 'times',
  },
  {
    title: 'reads and writes 95 to 5, 64 connections, of raw node:http',
    of: ofRaw('mixed'),
    limit: { atLeast: 0.1 },
    unit: 'times',
  },
]

/** What must hold, in the order of the report: ratios of processor time of one run, and counts. */
export const BARS: readonly Bar[] = [
  {
    title: 'first page of upcoming events, cached, of raw node:http',
    of: ofRaw('first-page'),
    limit: { atLeast: 0.6 },
    wish: 0.75,
    unit: 'times',
  },
  {
    title: 'first page, another window each time, of raw node:http',
    of: ofRaw('first-page-fresh'),
    limit: { atLeast: 0.2 },
    wish: 0.35,
    unit: 'times',
  },
  {
    title: 'first page, begins and ends at another second each time, of raw node:http',
    of: ofRaw('first-page-seconds'),
    limit: { atLeast: 0.15 },
    unit: 'times',
  },
  {
    title: 'first page with every cache off, of the bare query and JSON.stringify',
    of: ratio('first-page-fresh/floor/cpu', 'first-page-fresh/no-caches/cpu'),
    limit: { atLeast: 0.9 },
    unit: 'times',
  },
  { title: 'one event by id, cached, of raw node:http', of: ofRaw('by-id'), limit: { atLeast: 0.6 }, unit: 'times' },
  {
    title: 'one event by id, another address each time, of raw node:http',
    of: ofRaw('by-id-fresh'),
    limit: { atLeast: 0.3 },
    unit: 'times',
  },
  { title: '304 by ETag, of raw node:http', of: ofRaw('not-modified'), limit: { atLeast: 0.65 }, unit: 'times' },
  ...FOR_VISITORS,
  growth('first-page-fresh', 'first page'),
  growth('category', 'category page'),
  growth('venue', 'venue page'),
  growth('window', 'window'),
  search('rare', 'search for a rare word', 10),
  search('common', 'search for a common word', 500),
  search('common-again', 'the same search again', 20),
  ...WRITES,
  {
    title: '1,000,000 events, 10 minutes of load: most resident memory',
    of: plain('soak/big/most-memory'),
    limit: { atMost: 500 },
    unit: 'MB',
  },
  {
    title: '1,000,000 events: resident memory at the end against that at a third of the time',
    of: plain('soak/big/memory-growth'),
    limit: { atMost: 1.1 },
    unit: 'times',
  },
  ...underAttack('attack-search', 'attack by costly searches'),
  ...underAttack('attack-images', 'attack by image bombs'),
  ...underAttack('attack-words', 'attack by long texts'),
  ...underAttack('attack-series', 'attack by series of 1,000 dates'),
  ...besideRaw('held-bodies-anonymous', 'held bodies of 2 MB, anonymous'),
  ...besideRaw('held-bodies-signed-in', 'held bodies of 2 MB, signed in'),
]
