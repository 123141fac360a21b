import type { Reader } from '../../storage/engine.ts'
import { COUNT_LEVEL } from '../../storage/schema.ts'
import { nextMidnight, startOfDay } from '../../time/ranges.ts'
import { later, type Region } from './region.ts'
import { shown } from './store-terms.ts'
import { type Counted, countRegion } from './store-totals.ts'

/** Where a far page begins to read. */
export interface Skip {
  /** Midnight: what starts before it lies before the page. */
  readonly from: string
  /** Rows from there on that lie before the page, too. */
  readonly offset: number
}

/**
 * Finds the day to which a far page of a list in the order of starts can skip, so that it does not read what it leaves
 * out; undefined where there is no such day.
 */
export async function skipTo(
  reader: Reader,
  { counted, region, offset }: { readonly counted: Counted; readonly region: Region; readonly offset: number },
): Promise<Skip | undefined> {
  const edge = later(region.startFrom, region.endFrom)
  if (edge === undefined) return undefined
  const base = edge === startOfDay(edge) ? edge : nextMidnight(edge)
  const before = await countRegion(reader, counted, { ...region, startBefore: base })
  if (before > offset) return undefined
  // Of what starts from `base` on, the region has at most as much as the counters say: no day is too late.
  const from = await dayAfter(reader, counted, { from: base, starts: offset - before })
  if (from <= base || (region.startBefore !== undefined && from >= region.startBefore)) return undefined
  const skipped = await countRegion(reader, counted, { ...region, startBefore: from })
  return { from, offset: offset - skipped }
}

/** The last midnight from a given one on before which no more than so many occurrences start. */
async function dayAfter(
  reader: Reader,
  counted: Counted,
  { from, starts }: { readonly from: string; readonly starts: number },
): Promise<string> {
  const days = (month: string, since: string): Promise<Period[]> =>
    startsBy(reader, counted, { level: COUNT_LEVEL.day, from: since, before: `${month}-99` })
  const month = from.slice(0, 7)
  const near = passed(await days(month, from.slice(0, 10)), starts)
  if (near.reached !== undefined) return `${near.reached} 00:00:00`
  const later = { level: COUNT_LEVEL.month, from: `${month}-99`, before: LAST }
  const far = passed(await startsBy(reader, counted, later), near.left)
  if (far.reached === undefined) return from
  const { reached = `${far.reached}-01` } = passed(await days(far.reached, far.reached), far.left)
  return `${reached} 00:00:00`
}

/** After every period. */
const LAST = '9999-99'

interface Period {
  readonly period: string
  readonly starts: number
}

/** The first period in which more start than are left to pass over; `left` is what remains before it. */
function passed(
  periods: readonly Period[],
  starts: number,
): { readonly reached: string | undefined; readonly left: number } {
  let left = starts
  for (const period of periods) {
    if (period.starts > left) return { reached: period.period, left }
    left -= period.starts
  }
  return { reached: undefined, left }
}

async function startsBy(
  reader: Reader,
  counted: Counted,
  { level, from, before }: { readonly level: number; readonly from: string; readonly before: string },
): Promise<Period[]> {
  const rows = await reader.all(
    reader.db
      .selectFrom('event_count')
      .select(['period', (row) => row.fn.sum<number>('starts').as('starts')])
      .where('kind', '=', counted.kind)
      .where('target_id', '=', counted.targetId)
      .where(shown('event_count', counted))
      .where('level', '=', level)
      .where('period', '>=', from)
      .where('period', '<', before)
      .groupBy('period')
      .orderBy('period'),
  )
  return rows.map(({ period, starts }) => ({ period, starts: Number(starts) }))
}
