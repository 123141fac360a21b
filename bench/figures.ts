import { quotients, type Spread, spreadOf } from './statistics.ts'

/**
 * Everything that was measured, by name: `WORKLOAD/TARGET/UNIT`, such as `first-page/raw/rate`. Each has one number a
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
  readonly unit: 'times' | 'ms' | 'KB' | 'MB'
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

const rates = (workload: string, target: string): Bar['of'] =>
  ratio(`${workload}/kalends/rate`, `${workload}/${target}/rate`)

/** How many times slower the big calendar is where both make everything from rows: the small one could keep all its texts. */
const growth = (workload: string, title: string): Bar => ({
  title: `${title}: 1,000,000 events against 10,000, every cache off`,
  of: ratio(`${workload}-uncached/no-caches/rate`, `${workload}-uncached/big-no-caches/rate`),
  limit: { atMost: 2 },
  wish: 1.3,
  unit: 'times',
})

const ATTACKED = [
  { what: 'plain', title: 'slowest list of somebody else beside it', atMost: 100, unit: 'ms' },
  { what: 'search', title: 'slowest search of somebody else beside it', atMost: 1000, unit: 'ms' },
  { what: 'recovery', title: 'as before after its end', atMost: 5000, unit: 'ms' },
  { what: 'memory', title: 'most resident memory', atMost: 600, unit: 'MB' },
] as const

/** What an attack must not take away from others; `name` as `--only` has it. */
const underAttack = (name: string, of: string): readonly Bar[] =>
  ATTACKED.map(({ what, title, atMost, unit }) => ({
    title: `${of}: ${title}`,
    of: plain(`${name}/attacked/${what}`),
    limit: { atMost },
    unit,
  }))

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
      of: rates(name, 'raw'),
      limit: { atLeast: 0.5 },
      unit: 'times',
    }),
  ),
  {
    title: 'page of a month with 1,000 events, every cache off: processor time',
    of: plain('month-page/no-caches/cpu-ms'),
    limit: { atMost: 30 },
    unit: 'ms',
  },
  {
    title: 'page of a month with 1,000 events: transferred',
    of: plain('month-page/no-caches/kilobytes'),
    limit: { atMost: 100 },
    unit: 'KB',
  },
]

/** What must hold, in the order of the report. */
export const BARS: readonly Bar[] = [
  {
    title: 'first page of upcoming events, cached, of raw node:http',
    of: rates('first-page', 'raw'),
    limit: { atLeast: 0.6 },
    wish: 0.75,
    unit: 'times',
  },
  {
    title: 'first page, another window each time, uncached, of raw node:http',
    of: rates('first-page-fresh', 'raw'),
    limit: { atLeast: 0.2 },
    wish: 0.35,
    unit: 'times',
  },
  {
    title: 'first page, begins and ends at another second each time, uncached, of raw node:http',
    of: rates('first-page-seconds', 'raw'),
    limit: { atLeast: 0.15 },
    unit: 'times',
  },
  {
    title: 'first page with every cache off, of the bare query and JSON.stringify',
    of: ratio('first-page-fresh/no-caches/rate', 'first-page-fresh/floor/rate'),
    limit: { atLeast: 0.9 },
    unit: 'times',
  },
  {
    title: 'one event by id, cached, of raw node:http',
    of: rates('by-id', 'raw'),
    limit: { atLeast: 0.6 },
    unit: 'times',
  },
  {
    title: 'one event by id, another address each time, uncached, of raw node:http',
    of: rates('by-id-fresh', 'raw'),
    limit: { atLeast: 0.3 },
    unit: 'times',
  },
  { title: '304 by ETag, of raw node:http', of: rates('not-modified', 'raw'), limit: { atLeast: 0.65 }, unit: 'times' },
  ...FOR_VISITORS,
  growth('first-page-fresh', 'first page'),
  growth('category', 'category page'),
  growth('venue', 'venue page'),
  growth('window', 'window'),
  {
    title: 'search for a rare word at 1,000,000, 99th percentile, cold',
    of: plain('search-rare/big/p99-cold'),
    limit: { atMost: 25 },
    unit: 'ms',
  },
  {
    title: 'search for a common word at 1,000,000, cold, slowest',
    of: plain('search-common/big/max-cold'),
    limit: { atMost: 1500 },
    unit: 'ms',
  },
  {
    title: 'the same search again, slowest',
    of: plain('search-common/big/max-again'),
    limit: { atMost: 100 },
    unit: 'ms',
  },
  {
    title: 'a cheap request while such searches run, 99th percentile above that without',
    of: plain('stall/big/p99-above'),
    limit: { atMost: 20 },
    unit: 'ms',
  },
  {
    title: 'creates with durable commit, 16 clients, of the statements of creates one by one, with ready values',
    of: ratio('create/kalends/rate', 'create/bare/rate'),
    limit: { atLeast: 0.5 },
    unit: 'times',
  },
  {
    title: 'a series of 1,000 dates is created: processor time',
    of: plain('series/kalends/cpu-ms'),
    limit: { atMost: 300 },
    unit: 'ms',
  },
  {
    title: 'an event by id while such series are created, slowest above that without',
    of: plain('series/kalends/max-above'),
    limit: { atMost: 20 },
    unit: 'ms',
  },
  {
    title: 'reads and writes 95 to 5, 64 connections: 99th percentile against median',
    of: ratio('mixed/kalends/p99', 'mixed/kalends/p50'),
    limit: { atMost: 5 },
    unit: 'times',
  },
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
  ...underAttack('attack-images', 'attack by picture bombs'),
  ...underAttack('attack-words', 'attack by long texts'),
  ...underAttack('held-bodies-anonymous-2mb', 'held bodies of 2 MB, anonymous'),
  ...underAttack('held-bodies-anonymous-64k', 'held bodies of 64 KiB, anonymous'),
  ...underAttack('held-bodies-signed-in-2mb', 'held bodies of 2 MB, signed in'),
]
