import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readConfig } from '../../src/base/config.ts'
import { exportCalendar, importCalendar } from '../../src/ops/export/index.ts'
import type { EngineName } from '../../src/storage/engine.ts'
import { MIGRATIONS, type Migration } from '../../src/storage/migrations/index.ts'
import { openStorage } from '../../src/storage/open.ts'
import { testDatabase, testFolder } from './test-storage.ts'

/** When exports are imported. */
export const NOW = Date.UTC(2026, 10, 20, 18)

/** Where a calendar is. */
export interface Place {
  readonly data: string
  readonly database: string
}

/** The place of a calendar that is not there yet. */
export async function placeOn(engine: EngineName, t: TestContext): Promise<Place> {
  const data = testFolder(t)
  return { data, database: engine === 'sqlite' ? `sqlite:${join(data, 'kalends.db')}` : await testDatabase(engine, t) }
}

/** Exports a calendar into a new folder. */
export function exported(place: Place, folder: string, withSecrets = false) {
  const config = readConfig({ ...place }, {})
  return exportCalendar({ config, folder, withSecrets, version: '1', onProgress: () => undefined })
}

/** Imports an export into an empty calendar. */
export async function imported(place: Place, folder: string, migrations: readonly Migration[] = MIGRATIONS) {
  const config = readConfig({ ...place }, {})
  const storage = await openStorage({ database: place.database, synchronous: 'NORMAL' })
  try {
    return await importCalendar({ folder, config, storage, migrations, now: () => NOW, onProgress: () => undefined })
  } finally {
    await storage.close()
  }
}

/** Every file of a folder with its content. */
export function contentOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

/** The lines of a table as objects. */
export function objectsIn(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** The rows of provenance that an import makes of the three tables in which former versions had them. */
export function provenanceIn(files: ReadonlyMap<string, string>): Record<string, unknown>[] {
  const rowsIn = (table: string) => objectsIn(files.get(`tables/${table}.jsonl`) ?? '')
  return [
    ...rowsIn('imported_item').map(({ key, ...row }) => ({ ...row, external_id: key, is_gone: 0 })),
    ...rowsIn('source_event').map(({ id, source_id, name, said, is_gone }) => {
      const origin = source_id === 0 ? 'files' : `subscription ${source_id}`
      return { origin, kind: 'uid', external_id: name, item_id: id, digest: said, is_gone }
    }),
    ...rowsIn('entry_lineage').map(({ entry_id, position, global_id }) => {
      const kept = { external_id: global_id, item_id: entry_id, digest: String(position).padStart(4, '0'), is_gone: 0 }
      return { origin: `entry ${entry_id}`, kind: 'lineage', ...kept }
    }),
  ]
}
