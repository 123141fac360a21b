import { BARS, type Figures, judge, type Verdict } from './figures.ts'
import { type Spread, spreadOf } from './statistics.ts'

/** Where and how a run was made. */
export interface RunFacts {
  /** Moment of the start, ISO 8601. */
  readonly at: string
  readonly machine: string
  readonly node: string
  /** Commit of the project; '' when unknown. */
  readonly commit: string
  readonly isPinned: boolean
  /** Whether the core of the load was kept awake. */
  readonly isAwake: boolean
  readonly events: number
  /** Events of the big calendar; undefined without one. */
  readonly big: number | undefined
  readonly rounds: number
  readonly seconds: number
}

/** A line of the table of workloads: a target with the spread of what was measured. */
export interface Line {
  readonly workload: string
  readonly target: string
  /** Answers a second. */
  readonly rate: Spread
  /** Milliseconds. */
  readonly p50: Spread | undefined
  readonly p99: Spread | undefined
  /** Microseconds of processor time an answer. */
  readonly cpu: Spread | undefined
  readonly errors: number
}

/** The lines of all loads, in the order in which they were measured. */
export function linesOf(figures: Figures): Line[] {
  return [...figures.keys()].flatMap((name) => {
    const [workload = '', target = '', unit] = name.split('/')
    const of = (wanted: string): readonly number[] => figures.get(`${workload}/${target}/${wanted}`) ?? []
    const rate = unit === 'rate' ? spreadOf(of('rate')) : undefined
    if (rate === undefined) return []
    const errors = of('errors').reduce((sum, one) => sum + one, 0)
    return [
      { workload, target, rate, p50: spreadOf(of('p50')), p99: spreadOf(of('p99')), cpu: spreadOf(of('cpu')), errors },
    ]
  })
}

/** Whether a bar that was measured is missed. */
export function isMissed(figures: Figures): boolean {
  return BARS.some((bar) => judge(bar, figures).outcome === 'fail')
}

/** What must hold, held against the figures. Bars of the big calendar count at 1,000,000 events only. */
export function verdictsOf(figures: Figures, { events, big }: Pick<RunFacts, 'events' | 'big'>): Verdict[] {
  const isFull = events === 10_000 && big === 1_000_000
  return BARS.map((bar) => {
    const verdict = judge(bar, figures)
    if (isFull || verdict.outcome === 'not measured' || !bar.title.includes('1,000,000')) return verdict
    return { ...verdict, title: `${bar.title} (here ${count(big ?? 0)} against ${count(events)})` }
  })
}

/** The report for people. */
export function markdownOf(facts: RunFacts, figures: Figures): string {
  const others = [...figures]
    .filter(([name]) => !LOAD_UNITS.has(name.split('/')[2] ?? '') && name !== 'soak/big/memory')
    .map(([name, numbers]) => `| ${name} | ${numbers.map((number) => round(number)).join(', ')} |`)
  return [
    '# Benchmark of Kalends',
    '',
    factsText(facts),
    '',
    'Each cell is a median with the smallest and largest of the rounds in parentheses.',
    '',
    '## Must hold',
    '',
    '| What | Limit | Measured | |',
    '|---|---|---|---|',
    ...barRows(facts, figures),
    '',
    '## Loads',
    '',
    '| Workload | Server | Answers a second | p50 ms | p99 ms | CPU µs an answer | Errors |',
    '|---|---|---|---|---|---|---|',
    ...loadRows(figures),
    '',
    '## Single figures',
    '',
    '| Figure | Rounds |',
    '|---|---|',
    ...others,
    '',
  ].join('\n')
}

function barRows(facts: RunFacts, figures: Figures): string[] {
  return verdictsOf(figures, facts).map(({ title, limit, measured, unit, outcome }) => {
    return `| ${title} | ${limit} | ${measured === undefined ? '' : spreadText(measured, unit)} | ${outcome} |`
  })
}

function loadRows(figures: Figures): string[] {
  return linesOf(figures).map(({ workload, target, rate, p50, p99, cpu, errors }) => {
    const cells = [
      spreadText(rate, ''),
      p50 && spreadText(p50, ''),
      p99 && spreadText(p99, ''),
      cpu && spreadText(cpu, ''),
    ]
    return `| ${workload} | ${target} | ${cells.map((cell) => cell ?? '').join(' | ')} | ${errors} |`
  })
}

const LOAD_UNITS: ReadonlySet<string> = new Set(['rate', 'p50', 'p99', 'cpu', 'errors'])

function factsText(facts: RunFacts): string {
  const { at, machine, node, commit, isPinned, isAwake, events, big, rounds, seconds } = facts
  const cores = isPinned ? 'server and load on one core each' : 'server and load share the cores'
  const awake = isAwake ? ', that of the load kept awake' : ''
  const sizes = big === undefined ? count(events) : `${count(events)} (and ${count(big)})`
  const of = commit === '' ? '' : `commit ${commit}, `
  return `${at}, ${of}${machine}, Node ${node}, ${cores}${awake}, ${sizes} events, ${rounds} rounds of ${seconds} s.`
}

function spreadText({ median, least, most }: Spread, unit: string): string {
  const text = least === most ? round(median) : `${round(median)} (${round(least)}–${round(most)})`
  return unit === '' || unit === 'times' ? text : `${text} ${unit}`
}

/** Three digits that count. */
function round(number: number): string {
  if (Math.abs(number) >= 100) return String(Math.round(number))
  return String(Number(number.toPrecision(3)))
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
