import { type Expression, sql } from 'kysely'
import { addToLocal } from '../../../base/time/zones.ts'
import type { Reader } from '../../../storage/engine.ts'
import { cachedRows, cachePerVersion, cacheWhenRead } from '../../../storage/reads.ts'
import { type GivenAll, inList, statementTemplate } from '../../../storage/statement-template.ts'
import { type Region, regionOf, SPANS, type Span } from './bounds.ts'
import {
  type BuiltTerm,
  type CountScope,
  type CountTerm,
  classRows,
  edgeRows,
  isWithin,
  type OccurrenceEdge,
  type OccurrenceTimes,
  shown,
  type TermBounds,
  termExpression,
} from './counter-terms.ts'
import type { ActiveEventFilter, EventListing } from './filters.ts'

/**
 * Counts a list of all events, of those of one target or any of several, or without those of one; undefined where counters
 * cannot give its total.
 */
export function counterOf(
  { query, visibility }: Pick<EventListing, 'query' | 'visibility'>,
  sent: readonly ActiveEventFilter[],
): ((reader: Reader) => Promise<number>) | undefined {
  const [first, ...more] = sent
  const target = first?.filter.target?.(first.wanted)
  const isUnknown = visibility.ofOwn.length > 0 || more.length > 0 || (first !== undefined && target === undefined)
  const region = isUnknown ? undefined : regionOf(query.bounds)
  if (region === undefined) return undefined
  const all = { kind: 0, targetId: 0, visibility }
  if (target === undefined) return (reader) => countRegion(reader, all, region)
  const { kind, ids, isAbsent = false } = target
  const [targetId, ...others] = new Set(ids)
  if (targetId === undefined) return undefined
  const one = { kind, targetId, visibility }
  if (others.length === 0 && !isAbsent) return (reader) => countRegion(reader, one, region)
  if (others.length === 0)
    return async (reader) => (await countRegion(reader, all, region)) - (await countRegion(reader, one, region))
  const several = { kind, targetIds: [targetId, ...others], visibility }
  return isAbsent || !isUnionCounted(region) ? undefined : (reader) => countUnion(reader, several, region)
}

/** Which occurrences counters can count: those of one target or, with kind and target 0, all; in whole statuses. */
interface Counted extends Omit<CountScope, 'targetIds'> {
  readonly targetId: number
}

/** Whether the starts of a region can be counted for several targets together: not where it is open to the past. */
function isUnionCounted({ startFrom, endFrom }: Region): boolean {
  return startFrom !== undefined && endFrom === undefined
}

/** The number of listed occurrences of any of several targets: the starts, from their narrow copies, without late ends. */
async function countUnion(
  reader: Reader,
  scanned: CountScope & { readonly targetIds: readonly number[] },
  { startFrom = '', startBefore, endBefore }: Region,
): Promise<number> {
  // Where a clock was set back, an end is up to a day before its start.
  const latest = endBefore === undefined ? undefined : addToLocal(endBefore, { days: 1 })
  const before = startBefore !== undefined && (latest === undefined || startBefore < latest) ? startBefore : latest
  const starts = { startFrom, ...(before !== undefined && { startBefore: before }) }
  const late = endBefore === undefined ? [] : scanTerms(-1, { ...starts, endFrom: endBefore })
  const terms = [unionStarts(reader, scanned, starts), ...late.map((term) => termExpression(reader, scanned, term))]
  const [row] = await cachedRows(reader, reader.db.selectNoFrom(sql<number>`${sql.join(terms, sql` + `)}`.as('total')))
  return Number(row?.total ?? 0)
}

function unionStarts(
  { engine }: Reader,
  scanned: CountScope & { readonly targetIds: readonly number[] },
  { startFrom, startBefore }: Region,
): Expression<number> {
  const end = startBefore === undefined ? sql`` : sql`and occurrence_link.start_local < ${startBefore}`
  return sql<number>`(select count(distinct occurrence_link.occurrence_id) from occurrence_link
    where occurrence_link.kind = ${scanned.kind}
      and ${inList(engine, 'occurrence_link.target_id', scanned.targetIds)} and occurrence_link.listed = 1
      and ${shown('occurrence_link', scanned)} and occurrence_link.start_local >= ${startFrom} ${end})`
}

/** Terms that are added up. */
interface Tally {
  readonly sign: Sign
  terms(): readonly CountTerm[]
  /** Its name where it has a single bound, as many regions do; otherwise its terms are by length class. */
  readonly name?: string
  /** Where it counts what starts or ends in a single day before a moment. */
  readonly part?: DayPart
}

interface DayPart {
  readonly edge: Edge
  /** `2026-11-26` */
  readonly day: string
  readonly before: string
}

type Edge = 'starts' | 'ends'

/** Occurrences of a length class, or of a day, that are counted here: most calendars have few that last for months. */
const FEW = 32

const numbersOf = cachePerVersion<number>(2_000)
const classesOf = cachePerVersion<readonly OccurrenceTimes[]>(500)
const daysOf = cachePerVersion<readonly OccurrenceEdge[]>(500)

/**
 * The number of listed occurrences in a region, at a cost that hardly grows with it: whole days and months come from
 * `event_count`; what starts or ends within the days of the bounds, and what is longer than the region, is counted from
 * an index by length class.
 */
async function countRegion(reader: Reader, counted: Counted, region: Region): Promise<number> {
  const numbers = numbersOf(reader)
  const own = nameOf(counted)
  const counting = { reader, counted, own, classes: classesOf(reader), days: daysOf(reader) }
  const missing: MissingTally[] = []
  let total = 0
  for (const tally of cornersOf(region).flatMap(talliesOf)) {
    const { sign, name } = tally
    const key = name === undefined ? undefined : `${own} ${name}`
    const known = key === undefined ? undefined : numbers?.get(key)
    const number = known ?? (await countFew(counting, tally))
    if (number === undefined) missing.push({ sign, terms: tally.terms(), key })
    else total += sign * number
  }
  const toRead = missing.filter(({ terms }) => terms.length > 0)
  const row = toRead.length === 0 ? undefined : await reader.first(talliesWith(reader, askedFor(counted, toRead)))
  for (const [place, { sign, key }] of toRead.entries()) {
    const number = Number(row?.[`tally${place}`] ?? 0)
    total += sign * number
    if (key !== undefined) numbers?.set(key, number)
  }
  return total
}

interface Counting {
  readonly reader: Reader
  readonly counted: Counted
  /** Its name among the cached numbers. */
  readonly own: string
  /** What was found; undefined where nothing is cached. */
  readonly classes: Map<string, readonly OccurrenceTimes[]> | undefined
  readonly days: Map<string, readonly OccurrenceEdge[]> | undefined
}

/** The number of a tally within a day, or of length classes; undefined where one has many occurrences, or nothing is cached. */
async function countFew(counting: Counting, { name, part, terms }: Tally): Promise<number | undefined> {
  if (part !== undefined) return countInDay(counting, part)
  if (name !== undefined) return undefined
  let sum = 0
  for (const { sign, form, bounds } of terms()) {
    const rows = form.of === 'class' ? await fewOfClass(counting, form.span) : undefined
    if (rows === undefined) return undefined
    for (const row of rows) if (isWithin(row, bounds)) sum += sign
  }
  return sum
}

async function countInDay(counting: Counting, { edge, day, before }: DayPart): Promise<number | undefined> {
  const { reader, counted, own, days } = counting
  const rows = await fewOf(days, `${own} ${edge} on ${day}`, () => reader.all(dayOf(reader, counted, { edge, day })))
  return rows?.filter(({ at }) => at < before).length
}

async function fewOfClass(counting: Counting, span: Span): Promise<readonly OccurrenceTimes[] | undefined> {
  const { reader, counted, own, classes } = counting
  // All events are asked first: where a class has many of them, those of a target are counted in another way.
  if (classes !== undefined && counted.kind !== 0 && (await fewOfClass(ofAll(counting), span)) === undefined)
    return undefined
  return fewOf(classes, `${own} class ${span}`, () => reader.all(classOf(reader, counted, span)))
}

/** Rows, cached under a key; undefined where they are many, or nothing is cached. */
async function fewOf<Row>(
  cache: Map<string, readonly Row[]> | undefined,
  key: string,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[] | undefined> {
  if (cache === undefined) return undefined
  const rows = cache.get(key) ?? (await cacheWhenRead(cache, key, read()))
  return rows.length > FEW ? undefined : rows
}

function ofAll({ counted, ...counting }: Counting): Counting {
  const all = { ...counted, kind: 0, targetId: 0 }
  return { ...counting, counted: all, own: nameOf(all) }
}

/** Names what is counted. */
function nameOf({ kind, targetId, visibility }: Counted): string {
  return `${kind} ${targetId} ${visibility.ofAll.join()}`
}

function classOf(reader: Reader, { kind, targetId, visibility }: Counted, span: Span) {
  return classWith(reader, { shape: { kind, visibility, span }, values: { targetId } })
}

const classWith = statementTemplate(
  (
    reader,
    { span, ...scanned }: Pick<Counted, 'kind' | 'visibility'> & { readonly span: Span },
    { targetId }: GivenAll<{ readonly targetId: number }>,
  ) => classRows(reader, { ...scanned, targetId }, { span, limit: FEW + 1 }),
)

/** The statement of the moments at which something starts or ends in a day. */
function dayOf(reader: Reader, counted: Counted, { edge, day }: Omit<DayPart, 'before'>) {
  const midnight = midnightOf(day)
  const terms = partTerms(edge, { from: midnight, before: addToLocal(midnight, { days: 1 }) })
  return edgesWith(reader, askedFor(counted, [{ terms }]))
}

const edgesWith = statementTemplate(
  (reader, { tallies: [terms = []], ...scanned }: TotalShape, given: GivenAll<TotalValues>) =>
    edgeRows(reader, { ...scanned, targetId: given.targetId }, { terms: builtTerms(terms, given, 0), limit: FEW + 1 }),
)

/** A tally that has to be read. */
interface MissingTally extends Pick<Tally, 'sign'> {
  readonly terms: readonly CountTerm[]
  /** Its key in the cache. */
  readonly key: string | undefined
}

function askedFor({ kind, targetId, visibility }: Counted, tallies: readonly Pick<MissingTally, 'terms'>[]) {
  const tallied = tallies.map(({ terms }) => terms.map(({ sign, form }) => ({ sign, form })))
  const values: Record<`${number} ${number} ${string}`, string> = {}
  for (const [tally, { terms }] of tallies.entries()) {
    for (const [place, { bounds }] of terms.entries()) {
      for (const name of BOUNDS) if (bounds[name] !== undefined) values[`${tally} ${place} ${name}`] = bounds[name]
    }
  }
  return { shape: { kind, visibility, tallies: tallied }, values: { targetId, ...values } }
}

/** Everything that decides the text of the statement of a total. */
interface TotalShape extends Pick<CountScope, 'kind' | 'visibility'> {
  readonly tallies: readonly (readonly Omit<CountTerm, 'bounds'>[])[]
}

/** The bounds of all terms, each under the places of its tally and of itself there, and its own name. */
type TotalValues = { readonly targetId: number } & { readonly [name: `${number} ${number} ${string}`]: string }

const BOUNDS = ['startFrom', 'startBefore', 'endFrom', 'endBefore'] as const satisfies (keyof TermBounds)[]

const talliesWith = statementTemplate((reader, { tallies, ...scanned }: TotalShape, given: GivenAll<TotalValues>) => {
  const sums = tallies.map((terms, tally) => {
    const scope = { ...scanned, targetId: given.targetId }
    const numbers = builtTerms(terms, given, tally).map((term) => termExpression(reader, scope, term))
    return sql<number>`${sql.join(numbers, sql` + `)}`.as(`tally${tally}`)
  })
  return reader.db.selectNoFrom(sums)
})

/** The terms of a tally with their bounds among all values. */
function builtTerms(terms: TotalShape['tallies'][number], given: GivenAll<TotalValues>, tally: number): BuiltTerm[] {
  return terms.map((term, place) => {
    const bounds = Object.fromEntries(BOUNDS.map((name) => [name, given[`${tally} ${place} ${name}`]]))
    return { ...term, bounds }
  })
}

/** A corner: the occurrences that start before the one moment and end before the other; absent ones do not matter. */
interface Corner {
  readonly sign: 1 | -1
  readonly startBefore: string | undefined
  readonly endBefore: string | undefined
}

/**
 * The corners whose numbers, added with their signs, give the number of a region. A region that is empty because a
 * range ends before it starts has none.
 */
function cornersOf({ startFrom, startBefore, endFrom, endBefore }: Region): readonly Corner[] {
  if (isEmpty(startFrom, startBefore) || isEmpty(endFrom, endBefore)) return []
  const starts = [{ sign: 1, at: startBefore }, ...(startFrom === undefined ? [] : [{ sign: -1, at: startFrom }])]
  const ends = [{ sign: 1, at: endBefore }, ...(endFrom === undefined ? [] : [{ sign: -1, at: endFrom }])]
  return starts.flatMap((start) =>
    ends.map((end) => ({
      sign: start.sign === end.sign ? 1 : -1,
      startBefore: start.at,
      endBefore: end.at,
    })),
  )
}

function isEmpty(from: string | undefined, before: string | undefined): boolean {
  return from !== undefined && before !== undefined && before <= from
}

function talliesOf({ sign, startBefore, endBefore }: Corner): Tally[] {
  if (startBefore === undefined) return edgeTallies(sign, 'ends', endBefore)
  if (endBefore === undefined) return edgeTallies(sign, 'starts', startBefore)
  if (startBefore <= endBefore) {
    // What starts early enough, without what then lasts until the end of the corner and beyond.
    const lasting = (): readonly CountTerm[] => scanTerms(-1, { startBefore, endFrom: endBefore })
    return [...edgeTallies(sign, 'starts', startBefore), { sign, terms: lasting }]
  }
  // What ends early enough, without what starts too late for that: where a clock was set back, an end is before its start.
  const late = (): readonly CountTerm[] => scanTerms(-1, { startFrom: startBefore, endBefore })
  return [...edgeTallies(sign, 'ends', endBefore), { sign, terms: late }]
}

type Sign = CountTerm['sign']

/** Tallies that add up to the number of starts or ends before a moment, or of all without one. */
function edgeTallies(sign: Sign, edge: Edge, moment: string | undefined): Tally[] {
  if (moment === undefined)
    return [{ sign, terms: () => [{ sign: 1, form: { of: 'month', edge }, bounds: {} }], name: edge }]
  const day = moment.slice(0, 10)
  const midnight = midnightOf(day)
  const whole = { sign, terms: () => dayTerms(edge, day), name: `${edge} before ${day}` }
  if (moment === midnight) return [whole]
  const part = { edge, day, before: moment }
  const terms = (): readonly CountTerm[] => partTerms(edge, { from: midnight, before: moment })
  return [whole, { sign, terms, name: `${edge} on ${day} before ${moment}`, part }]
}

function midnightOf(day: string): string {
  return `${day} 00:00:00`
}

/** Terms that add up to the number of starts or ends before a day. */
function dayTerms(edge: Edge, day: string): CountTerm[] {
  const month = day.slice(0, 7)
  const [from, before] =
    edge === 'starts' ? (['startFrom', 'startBefore'] as const) : (['endFrom', 'endBefore'] as const)
  return [
    { sign: 1, form: { of: 'month', edge }, bounds: { [before]: month } },
    { sign: 1, form: { of: 'day', edge }, bounds: { [from]: month, [before]: day } },
  ]
}

/** Terms that add up to the number of starts or ends between two moments. */
function partTerms(edge: Edge, { from, before }: { readonly from: string; readonly before: string }): CountTerm[] {
  return edge === 'starts'
    ? [{ sign: 1, form: { of: 'starts' }, bounds: { startFrom: from, startBefore: before } }]
    : scanTerms(1, { endFrom: from, endBefore: before })
}

/**
 * Terms that add up to the number of occurrences in a region, by length class: each class has its own range of starts.
 */
function scanTerms(sign: Sign, region: Region): CountTerm[] {
  const terms: CountTerm[] = []
  // Where the longer ones are too short to reach into a region, the shorter ones are all the more.
  for (const span of SPANS.toReversed()) {
    const starts = startsOf(region, span)
    if (starts === undefined) break
    terms.push({ sign, form: { of: 'class', span }, bounds: { ...region, ...starts } })
  }
  return terms
}

/**
 * The starts that occurrences of a length class can have in a region: at most so many days before their end and, where a
 * clock was set back, less than a day after it. Undefined when there are none.
 */
function startsOf(region: Region, span: Span): Pick<Region, 'startFrom' | 'startBefore'> | undefined {
  const { endFrom, endBefore } = region
  const earliest = endFrom !== undefined && span !== SPANS.at(-1) ? addToLocal(endFrom, { days: -span }) : undefined
  const latest = endBefore === undefined ? undefined : addToLocal(endBefore, { days: 1 })
  const startFrom = region.startFrom ?? earliest
  const startBefore = region.startBefore ?? latest
  if (earliest !== undefined && startBefore !== undefined && startBefore < earliest) return undefined
  if (latest !== undefined && startFrom !== undefined && startFrom > latest) return undefined
  return { ...(startFrom !== undefined && { startFrom }), ...(startBefore !== undefined && { startBefore }) }
}
