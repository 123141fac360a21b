import type { Scheduled } from '../entries/schedule.ts'
import { firstDate } from '../entries/store-dates.ts'
import { type EventRow, NO_LINKS } from '../event-store/event-row.ts'
import { EVENT_SELECTION, linksOf } from '../event-store/relations.ts'
import { updateEvent } from '../event-store/write.ts'
import type { Storage } from '../storage/engine.ts'

/** Most events that one transaction publishes. */
const BATCH = 100

/** Publishes events of status `future` when their date has come (architecture: Scheduled publication). */
export function eventSchedule(storage: Storage): Scheduled {
  return {
    next: () => firstDate(storage, 'event'),
    publishDue: (at) =>
      storage.write(async (tx) => {
        const due = await tx.all(
          tx.db
            .selectFrom('event')
            .select(EVENT_SELECTION)
            .where('status', '=', 'future')
            .where('published_at', '<=', at)
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
          const change = { before: { row, links: own }, after: { row: published, links: own } }
          await updateEvent(tx, change, { actor: null, action: 'update' })
        }
        return due.length
      }),
  }
}
