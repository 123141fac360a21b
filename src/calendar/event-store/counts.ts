import type { Reader, Transaction } from '../../storage/engine.ts'
import { rowsFrom } from '../../storage/json-rows.ts'
import { COUNT_LEVEL } from '../../storage/schema.ts'
import { type GivenAll, statementTemplate } from '../../storage/statement-template.ts'
import type { Occurrences } from './copies.ts'

/** A change of one counter of `event_count`. */
type CountChange = {
  readonly kind: number
  readonly target_id: number
  readonly status: string
  readonly level: number
  readonly period: string
  readonly starts: number
  readonly ends: number
}

const COLUMNS = {
  kind: 'integer',
  target_id: 'integer',
  status: 'text',
  level: 'integer',
  period: 'text',
  starts: 'integer',
  ends: 'integer',
} as const

const KEY = ['kind', 'target_id', 'status', 'level', 'period'] as const

/** Occurrences as they were and as they are. */
export interface OccurrencesChange {
  readonly before: readonly Occurrences[]
  readonly after: readonly Occurrences[]
}

/** Moves the counters from occurrences as they were to what they are. */
export async function moveCounts(tx: Transaction, { before, after }: OccurrencesChange): Promise<void> {
  const changes = countChanges(before, after)
  if (changes.length === 0) return
  await tx.run(moved(tx, { shape: null, values: { changes } }))
}

const moved = statementTemplate(
  (reader: Reader, _shape: null, { changes }: GivenAll<{ readonly changes: readonly CountChange[] }>) =>
    reader.db
      .insertInto('event_count')
      .columns([...KEY, 'starts', 'ends'])
      .expression(rowsFrom(reader.engine, COLUMNS, changes))
      .onConflict((conflict) =>
        conflict.columns([...KEY]).doUpdateSet((row) => ({
          starts: row('event_count.starts', '+', row.ref('excluded.starts')),
          ends: row('event_count.ends', '+', row.ref('excluded.ends')),
        })),
      ),
)

/** The changes to the counters, ordered by key, so that two concurrent writes cannot deadlock. */
function countChanges(before: readonly Occurrences[], after: readonly Occurrences[]): CountChange[] {
  const changes = new Map<string, CountChange>()
  for (const [occurrences, step] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const edge of occurrences.flatMap(edgesOf)) {
      const key = keyOf(edge)
      const { starts = 0, ends = 0 } = changes.get(key) ?? {}
      changes.set(key, { ...edge, starts: starts + step * edge.starts, ends: ends + step * edge.ends })
    }
  }
  const changed = [...changes].filter(([, { starts, ends }]) => starts !== 0 || ends !== 0)
  return changed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change)
}

function keyOf({ kind, target_id, status, level, period }: CountChange): string {
  return `${kind} ${target_id} ${status} ${level} ${period}`
}

/** Start and end of an event in every counter that counts them; none when lists do not show it. */
function edgesOf({ occurrence, occurrenceLinks }: Occurrences): CountChange[] {
  const { listed, status, start_local, end_local } = occurrence
  if (listed === 0) return []
  const periods = LEVELS.flatMap(({ level, length }) => {
    const [first, last] = [start_local.slice(0, length), end_local.slice(0, length)]
    // Most events end in the period in which they start.
    if (first === last) return [{ level, period: first, starts: 1, ends: 1 }]
    return [
      { level, period: first, starts: 1, ends: 0 },
      { level, period: last, starts: 0, ends: 1 },
    ]
  })
  return [EVERYTHING, ...occurrenceLinks].flatMap(({ kind, target_id }) =>
    periods.map(({ level, period, starts, ends }) => ({ kind, target_id, status, level, period, starts, ends })),
  )
}

/** The target of the counters of all events. */
const EVERYTHING = { kind: 0, target_id: 0 }

/** The periods of counters, and how many characters of a clock reading name one. */
const LEVELS = [
  { level: COUNT_LEVEL.month, length: 7 },
  { level: COUNT_LEVEL.day, length: 10 },
] as const
