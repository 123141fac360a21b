import type { EntryKey } from '../model/resource.ts'
import type { Reader } from '../storage/engine.ts'
import { keptStatement } from '../storage/kept-statement.ts'

/** Smallest publication date of status `future`, UTC text; undefined when nothing waits. Asked after every commit. */
export async function firstDate(reader: Reader, key: EntryKey): Promise<string | undefined> {
  return (await reader.first(earliest(reader, { shape: key, values: {} })))?.published_at
}

const earliest = keptStatement((reader: Reader, key: EntryKey) =>
  reader.db.selectFrom(key).select('published_at').where('status', '=', 'future').orderBy('published_at').limit(1),
)
