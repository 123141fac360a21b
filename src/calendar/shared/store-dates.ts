import type { Reader } from '../../storage/engine.ts'

/** Smallest publication date of status `future` of any entry, UTC text; undefined when nothing waits. Asked after commits that may have set one. */
export async function firstDate(reader: Reader): Promise<string | undefined> {
  const row = await reader.first<Readonly<Record<string, string | null>>>(EARLIEST)
  const dates = Object.values(row ?? {}).filter((date) => date !== null)
  return dates.length === 0 ? undefined : dates.sort()[0]
}

/** Each asks an index for one row; the text is the same on both engines. */
const ready = {
  sql: `select ${(['event', 'venue', 'organizer'] as const)
    .map((table) => `(select min(published_at) from ${table} where status = 'future') as ${table}`)
    .join(', ')}`,
  parameters: [],
}

const EARLIEST = { ready, compile: () => ready }
