import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Requester } from '../../src/base/requester.ts'
import type { EngineName, Storage } from '../../src/storage/engine.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { StorageOptions } from '../../src/storage/options.ts'
import { createPostgresDatabase, TEST_ENGINE } from './test-engine.ts'

/** The engines that a store test loops over: `for (const engine of ENGINES)`. Each run of `npm test` is about one. */
export const ENGINES: readonly EngineName[] = [TEST_ENGINE]

/** The part of a `node:test` context that is used: what to do after the test. */
export interface TestScope {
  after(step: () => unknown): void
}

/** The moment at which test storages are migrated: 2026-01-01 00:00:00 UTC. */
const MIGRATED_AT = Date.UTC(2026, 0, 1)

const addresses = new WeakMap<Storage, string>()

/**
 * A real database of its own with all tables, closed and removed after the test. Commits do not wait for the disk
 * unless `options.synchronous` is FULL: a test need not survive a power cut. A read may take a minute: on a busy machine
 * any may take longer than its two seconds.
 */
export async function openTestStorage(
  engine: EngineName,
  t: TestScope,
  options: Partial<StorageOptions> = {},
): Promise<Storage> {
  const database =
    engine === 'postgres' ? await createPostgresDatabase('all tables') : await migratedFile(testFolder(t))
  const storage = await openStorage({ database, synchronous: 'NORMAL', readTimeout: 60_000, ...options })
  addresses.set(storage, database)
  t.after(() => storage.close())
  await migrate(storage, { now: () => MIGRATED_AT })
  return storage
}

/** The address with which a test storage can be opened again. */
export function addressOf(storage: Storage): string {
  return addresses.get(storage) ?? ''
}

/** Address of a database without tables, which is removed after the test; a file of SQLite does not exist yet. */
export async function testDatabase(engine: EngineName, t: TestScope): Promise<string> {
  return engine === 'postgres' ? createPostgresDatabase('nothing') : `sqlite:${join(testFolder(t), 'kalends.db')}`
}

/** Makes a SQLite file with all tables and nothing in them in a folder; its address, which is the one a server has there by default. */
export async function migratedFile(folder: string): Promise<string> {
  template ??= readMigrated()
  const path = join(folder, 'kalends.db')
  writeFileSync(path, await template, { mode: 0o600 })
  return `sqlite:${path}`
}

/** The file as all migrations leave it: copied it is there ten times as quickly as migrated again. */
let template: Promise<Uint8Array> | undefined

async function readMigrated(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-'))
  try {
    const path = join(folder, 'kalends.db')
    const storage = await openStorage({ database: `sqlite:${path}`, synchronous: 'NORMAL' })
    try {
      await migrate(storage, { now: () => MIGRATED_AT })
    } finally {
      await storage.close()
    }
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An empty folder that is removed after the test. */
export function testFolder(t: TestScope): string {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A client by its key, which can be made to disconnect. */
export function testClient(client: string): Requester & { leave(): void } {
  const leaving = new AbortController()
  return {
    client,
    get isGone() {
      return leaving.signal.aborted
    },
    onGone: (listener) => {
      leaving.signal.addEventListener('abort', listener, { once: true })
      return () => leaving.signal.removeEventListener('abort', listener)
    },
    leave: () => leaving.abort(),
  }
}
