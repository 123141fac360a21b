import type { Storage, Transaction } from '../../storage/engine.ts'
import type { EventTable } from '../../storage/schema.ts'
import { EVENT_SELECTION, type EventRow, isPlain, linksOf, NO_LINKS } from '../event-store/event-row.ts'
import { seriesState } from '../event-store/series/state.ts'
import { writeSeries } from '../event-store/series/write.ts'
import { updateEvent } from '../event-store/write.ts'
import type { Scheduled } from '../shared/schedule.ts'
import { following } from './series/dates.ts'

/** Most events that one transaction publishes. */
const BATCH = 100

/** Publishes events of status `future` when they are due (architecture: Scheduled publication). */
export function eventSchedule(storage: Storage): Scheduled {
  return {
    publishDue: (at) =>
      storage.write(async (tx) => {
        const due = await tx.all(
          tx.db
            .selectFrom('event')
            .select(EVENT_SELECTION)
            .where('status', '=', 'future')
            .where('published_at', '<=', at)
            .where('exception', 'is', null)
            .orderBy('published_at')
            .limit(BATCH),
        )
        const links = await linksOf(
          tx,
          due.map((row) => row.id),
        )
        for (const row of due) {
          const own = links.get(row.id) ?? NO_LINKS
          const published: EventRow = { ...row, status: 'publish', modified_at: at, revision: row.revision + 1 }
          if (!isPlain(row)) {
            await publishSeries(tx, row, at)
            continue
          }
          const change = { before: { row, links: own }, after: { row: published, links: own } }
          await updateEvent(tx, change, { actor: null, action: 'update' })
        }
        return due.length
      }),
  }
}

async function publishSeries(tx: Transaction, row: EventTable, at: string): Promise<void> {
  const before = await seriesState(tx, row)
  const base = { ...before.base, row: { ...row, status: 'publish' as const } }
  await writeSeries(tx, { before, after: following({ ...before, base }), cause: { actor: null, action: 'update', at } })
}
