import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineName, Storage } from './engine.ts'
import { migrate } from './migrate.ts'
import { openStorage, type StorageOptions } from './open.ts'

/** The engines that a store test loops over: `for (const engine of ENGINES)`. */
export const ENGINES: readonly EngineName[] = ['sqlite']

/** The part of a `node:test` context that is used: what to do after the test. */
export interface TestScope {
  after(step: () => unknown): void
}

/** The moment at which test storages are migrated: 2026-01-01 00:00:00 UTC. */
const MIGRATED_AT = Date.UTC(2026, 0, 1)

/**
 * A real database in a folder of its own with all tables, closed and removed after the test. Commits do not wait for
 * the disk unless `options.synchronous` is FULL: a test does not outlive a power cut.
 */
export async function openTestStorage(
  engine: EngineName,
  t: TestScope,
  options: Partial<StorageOptions> = {},
): Promise<Storage> {
  const storage = await openStorage({ database: testDatabase(engine, t), synchronous: 'NORMAL', ...options })
  t.after(() => storage.close())
  await migrate(storage, { now: () => MIGRATED_AT })
  return storage
}

/** Address of a database that does not exist yet, in a temporary folder that is removed after the test. */
export function testDatabase(engine: EngineName, t: TestScope): string {
  if (engine !== 'sqlite') throw new Error(`there is no test database for the engine "${engine}"`)
  return `sqlite:${join(testFolder(t), 'kalends.db')}`
}

/** An empty folder that is removed after the test. */
export function testFolder(t: TestScope): string {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
