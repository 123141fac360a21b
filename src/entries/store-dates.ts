import type { EntryKey } from '../model/resource.ts'
import type { Reader } from '../storage/engine.ts'
import { statementTemplate } from '../storage/statement-template.ts'

/** Smallest publication date of status `future`, UTC text; undefined when nothing waits. Asked after every commit. */
export async function firstDate(reader: Reader, key: EntryKey): Promise<string | undefined> {
  return (await reader.first(earliest(reader, { shape: key, values: {} })))?.published_at
}

const earliest = statementTemplate((reader: Reader, key: EntryKey) =>
  reader.db.selectFrom(key).select('published_at').where('status', '=', 'future').orderBy('published_at').limit(1),
)
