import { type Expression, sql } from 'kysely'
import type { Reader } from '../storage/engine.ts'
import { inList } from '../storage/expressions.ts'
import { type GivenAll, keptStatement } from '../storage/kept-statement.ts'
import { addToLocal } from '../time/zones.ts'
import { SPANS, type Span } from './filters.ts'
import { type Corner, cornersOf, type Region } from './region.ts'
import { type CountTerm, type Scanned, shown, type TermBounds, type TermForm, termExpression } from './store-terms.ts'

/** Which occurrences counters can count: those of one target or, with kind and target 0, all; in whole statuses. */
export interface Counted extends Omit<Scanned, 'targetIds'> {
  readonly targetId: number
}

/**
 * The statement that counts the listed occurrences of any of several targets in a region: the starts from their narrow
 * copies, without what then ends too late. Undefined for a region that is open to the past, or asks for late ends.
 */
export function unionStatement(
  reader: Reader,
  scanned: Scanned & { readonly targetIds: readonly number[] },
  { startFrom, startBefore, endFrom, endBefore }: Region,
) {
  if (startFrom === undefined || endFrom !== undefined) return undefined
  // Where a clock was set back, an end is up to a day before its start.
  const latest = endBefore === undefined ? undefined : addToLocal(endBefore, { days: 1 })
  const before = startBefore !== undefined && (latest === undefined || startBefore < latest) ? startBefore : latest
  const starts = { startFrom, ...(before !== undefined && { startBefore: before }) }
  const late = endBefore === undefined ? [] : scanTerms(-1, { ...starts, endFrom: endBefore })
  const terms = [unionStarts(reader, scanned, starts), ...late.map((term) => termExpression(reader, scanned, term))]
  return reader.db.selectNoFrom(sql<number>`${sql.join(terms, sql` + `)}`.as('total'))
}

function unionStarts(
  { engine }: Reader,
  scanned: Scanned & { readonly targetIds: readonly number[] },
  { startFrom, startBefore }: Region,
): Expression<number> {
  const end = startBefore === undefined ? sql`` : sql`and occurrence_link.start_local < ${startBefore}`
  return sql<number>`(select count(distinct occurrence_link.occurrence_id) from occurrence_link
    where occurrence_link.kind = ${scanned.kind}
      and ${inList(engine, 'occurrence_link.target_id', scanned.targetIds)} and occurrence_link.listed = 1
      and ${shown('occurrence_link', scanned)} and occurrence_link.start_local >= ${startFrom} ${end})`
}

/**
 * The number of listed occurrences in a region, at a cost that hardly grows with their number: whole days and months
 * come from `event_count`; what starts or ends within the days of the bounds, and what is longer than the region, is
 * counted by length class from an index.
 */
export async function countRegion(reader: Reader, counted: Counted, region: Region): Promise<number> {
  const terms = cornersOf(region).flatMap(cornerTerms)
  if (terms.length === 0) return 0
  const { kind, targetId, visibility } = counted
  const shape = { kind, visibility, terms: terms.map(({ sign, form }) => ({ sign, form })) }
  const row = await reader.first(totalWith(reader, { shape, values: { targetId, ...boundsOf(terms) } }))
  return Number(row?.total ?? 0)
}

/** What the text of the statement of a total turns on. */
interface TotalShape extends Pick<Scanned, 'kind' | 'visibility'> {
  readonly terms: readonly Omit<CountTerm, 'bounds'>[]
}

/** The bounds of all terms, each under the place of its term and its own name. */
type TotalValues = { readonly targetId: number } & { readonly [name: `${number} ${string}`]: string }

const BOUNDS = ['startFrom', 'startBefore', 'endFrom', 'endBefore'] as const satisfies (keyof TermBounds)[]

function boundsOf(terms: readonly CountTerm[]): Readonly<Record<`${number} ${string}`, string>> {
  const values: Record<`${number} ${string}`, string> = {}
  for (const [place, { bounds }] of terms.entries()) {
    for (const name of BOUNDS) if (bounds[name] !== undefined) values[`${place} ${name}`] = bounds[name]
  }
  return values
}

const totalWith = keptStatement((reader, { terms, ...scanned }: TotalShape, given: GivenAll<TotalValues>) => {
  const numbers = terms.map((term, place) => {
    const bounds = Object.fromEntries(BOUNDS.map((name) => [name, given[`${place} ${name}`]]))
    return termExpression(reader, { ...scanned, targetId: given.targetId }, { ...term, bounds })
  })
  return reader.db.selectNoFrom(sql<number>`${sql.join(numbers, sql` + `)}`.as('total'))
})

function cornerTerms({ sign, startBefore, endBefore }: Corner): CountTerm[] {
  const opposite = sign === 1 ? -1 : 1
  if (startBefore === undefined) return endsBefore(sign, endBefore)
  if (endBefore === undefined) return startsBefore(sign, startBefore)
  if (startBefore <= endBefore) {
    // What starts early enough, without what then lasts until the end of the corner and beyond.
    return [...startsBefore(sign, startBefore), ...scanTerms(opposite, { startBefore, endFrom: endBefore })]
  }
  // What ends early enough, without what starts too late for that: where a clock was set back, an end is before its start.
  return [...endsBefore(sign, endBefore), ...scanTerms(opposite, { startFrom: startBefore, endBefore })]
}

type Sign = CountTerm['sign']

/** Terms whose sum is the number of starts before a moment. */
function startsBefore(sign: Sign, moment: string): CountTerm[] {
  const form = (of: 'month' | 'day'): TermForm => ({ of, edge: 'starts' })
  const [month, day] = [moment.slice(0, 7), moment.slice(0, 10)]
  const midnight = `${day} 00:00:00`
  const rest: CountTerm[] =
    moment === midnight ? [] : [{ sign, form: { of: 'starts' }, bounds: { startFrom: midnight, startBefore: moment } }]
  return [
    { sign, form: form('month'), bounds: { startBefore: month } },
    { sign, form: form('day'), bounds: { startFrom: month, startBefore: day } },
    ...rest,
  ]
}

/** Terms whose sum is the number of ends before a moment; of all of them without one. */
function endsBefore(sign: Sign, moment: string | undefined): CountTerm[] {
  const form = (of: 'month' | 'day'): TermForm => ({ of, edge: 'ends' })
  if (moment === undefined) return [{ sign, form: form('month'), bounds: {} }]
  const [month, day] = [moment.slice(0, 7), moment.slice(0, 10)]
  const midnight = `${day} 00:00:00`
  return [
    { sign, form: form('month'), bounds: { endBefore: month } },
    { sign, form: form('day'), bounds: { endFrom: month, endBefore: day } },
    ...(moment === midnight ? [] : scanTerms(sign, { endFrom: midnight, endBefore: moment })),
  ]
}

/** Terms whose sum is the number of occurrences in a region, read by length class: each class has starts of its own. */
function scanTerms(sign: Sign, region: Region): CountTerm[] {
  return SPANS.flatMap((span): CountTerm[] => {
    const starts = startsOf(region, span)
    return starts === undefined ? [] : [{ sign, form: { of: 'class', span }, bounds: { ...region, ...starts } }]
  })
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
