import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/support/test-storage.ts'
import { readConfig } from '../../../base/config.ts'
import type { Reader } from '../../engine.ts'
import { openStorage } from '../../open.ts'
import { openConnection } from './connection.ts'
import { openReadConnection } from './read-connection.ts'

async function setting(reader: Reader, name: string): Promise<unknown> {
  const row = await reader.first<Record<string, unknown>>({
    compile: () => ({ sql: `pragma ${name}`, parameters: [] }),
  })
  return Object.values(row ?? {})[0]
}

/** What SQLite calls synchronous=NORMAL and synchronous=FULL. */
const LEVELS = { NORMAL: 1, FULL: 2 } as const

test('commits wait for the disk unless the configuration says otherwise, and nobody waits for readers', async (t) => {
  assert.equal(readConfig({}, {}).synchronous, 'FULL')
  for (const [synchronous, level] of [[undefined, LEVELS.FULL], ...Object.entries(LEVELS)] as const) {
    const options = synchronous === undefined ? {} : { synchronous: synchronous as keyof typeof LEVELS }
    const storage = await openStorage({ database: await testDatabase('sqlite', t), ...options })
    t.after(() => storage.close())
    await storage.write(async (tx) => {
      assert.equal(await setting(tx, 'synchronous'), level)
      assert.equal(await setting(tx, 'foreign_keys'), 1)
      assert.equal(await setting(tx, 'journal_mode'), 'wal')
    })
  }
})

test('a file is mapped into memory as a whole or not at all', async (t) => {
  const path = (await testDatabase('sqlite', t)).slice('sqlite:'.length)
  const written = openConnection(path, { busyTimeout: 0 })
  t.after(() => written.close())
  written.exec('create table probe (id integer primary key); create table other (id integer primary key)')
  const size = Number(written.pragma('page_count')) * Number(written.pragma('page_size'))
  for (const [limit, mapped] of [
    [size, size],
    [size - 1, 0],
  ] as const) {
    const connection = openReadConnection(path, limit)
    t.after(() => connection.close())
    assert.equal(connection.pragma('mmap_size'), mapped)
  }
})
