import { sql } from 'kysely'
import type { Storage } from '../../storage/engine.ts'
import { entryOf, hiddenId, setSearchText } from '../../storage/entry-texts.ts'
import { hiddenTextOf } from '../event-store/copies.ts'
import { EVENT_SELECTION } from '../event-store/event-row.ts'

/** Events whose hidden text is stored in one transaction. */
const BATCH = 20

/** Stores the hidden texts of protected events that have none, because versions that did not store them wrote them. */
export async function storeHiddenTexts(storage: Storage): Promise<void> {
  const hidden = storage.db
    .selectFrom('event')
    .select(EVENT_SELECTION)
    .where('password_hash', 'is not', null)
    .where(sql<boolean>`not exists (select 1 from entry_text where entry_text.id = -event.id)`)
    .where(
      sql<boolean>`not exists (select 1 from entry_text
        where entry_text.id >= 2147483648 and ${entryOf(sql.ref('entry_text.id'))} = -event.id)`,
    )
    .limit(BATCH)
  for (let stored = BATCH; stored === BATCH; ) {
    stored = await storage.write(async (tx) => {
      const rows = await tx.all(hidden)
      for (const row of rows) await setSearchText(tx, { id: hiddenId(row.id), body: hiddenTextOf(row) ?? '' })
      return rows.length
    })
  }
}
