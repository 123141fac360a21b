import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { migratedFile, testDatabase, testFolder } from '../../../../test/support/test-storage.ts'
import type { DeferredWrite, Transaction } from '../../engine.ts'
import { setSearchText } from '../../entry-texts.ts'
import { statementBuilder } from '../../statement-builder.ts'
import { type Connection, openConnection } from './connection.ts'
import { WRITE_CACHE_SIZE, WriteQueue } from './write-queue.ts'

/** A queue that says when it commits. */
function queueOn(connection: Connection, commits: () => void): WriteQueue {
  const watched: Connection = {
    ...connection,
    get inTransaction() {
      return connection.inTransaction
    },
    exec: (sql) => {
      if (sql === 'commit') commits()
      connection.exec(sql)
    },
  }
  return new WriteQueue({
    connection: watched,
    db: statementBuilder('sqlite'),
    report: (error) => assert.fail(String(error)),
    now: () => 0,
  })
}

/** A statement that adds rows with a text of so many bytes. */
function manyRows(table: string, rows: number, bytes: number): string {
  return `insert into ${table} select null, hex(zeroblob(${bytes / 2}))
    from (with recursive n (n) as (select 1 union all select n + 1 from n where n < ${rows}) select n from n)`
}

for (const [table, rows, bytes] of [
  ['journal', 8_000, 2_000],
  ['occurrence', 60_000, 100],
] as const)
  test(`the commit of a long work finds what its steps have changed in the log, with much in ${table}`, async (t) => {
    const path = (await testDatabase('sqlite', t)).replace('sqlite:', '')
    const connection = openConnection(path, { busyTimeout: 100 })
    t.after(() => connection.close())
    connection.exec(`pragma journal_mode = wal; pragma cache_size = ${WRITE_CACHE_SIZE};
      create table journal (seq integer primary key, snapshot text);
      create table occurrence (id integer primary key, status text);
      create table series_date (id integer primary key);
      create table probe (id integer primary key, word text); ${manyRows(table, rows, bytes)};
      pragma wal_checkpoint(truncate)`)
    const logSize = (): number => statSync(`${path}-wal`).size
    let before = Number.NaN
    const queue = queueOn(connection, () => {
      before = logSize()
    })
    const step = async (tx: Transaction): Promise<void> =>
      void (await tx.run({ compile: () => ({ sql: manyRows('probe', 50, 3_000), parameters: [] }) }))
    const store: DeferredWrite['store'] = async () => Array.from({ length: 20 }, () => step)
    await queue.write((tx) => tx.deferBatch({ id: 1, value: 'x', store }))
    const [all, left] = [logSize(), logSize() - before]
    assert.ok(all > 1_000 * 4_096 && left < 100 * 4_096, `${left} of ${all} bytes were written by the commit`)
    assert.equal(connection.pragma('cache_size'), WRITE_CACHE_SIZE)
  })

for (const [separator, number] of [
  ['', 120_000],
  [' ', 60_000],
] as const)
  test(`the commit of a long text with '${separator}' between its words leaves what is in the log as it is`, async (t) => {
    const path = (await migratedFile(testFolder(t))).replace('sqlite:', '')
    const connection = openConnection(path, { busyTimeout: 100 })
    t.after(() => connection.close())
    connection.exec(`pragma journal_mode = wal; pragma cache_size = ${WRITE_CACHE_SIZE}; pragma wal_autocheckpoint = 0;
      insert into journal (at, resource, id, revision, action, snapshot)
        select '', 'event', n, 1, 'create', hex(zeroblob(1000))
        from (with recursive n (n) as (select 1 union all select n + 1 from n where n < 20000) select n from n);
      pragma wal_checkpoint(truncate)`)
    let before = Buffer.alloc(0)
    const queue = queueOn(connection, () => {
      before = readFileSync(`${path}-wal`)
    })
    const words = Array.from({ length: number }, (_none, word) => ((word * 2_654_435_761) % 2 ** 32).toString(36))
    await queue.write((tx) => setSearchText(tx, { id: 1, body: words.join(separator) }))
    assert.ok(before.length > 1_000 * 4_096, `only ${before.length} bytes were in the log`)
    assert.ok(before.equals(readFileSync(`${path}-wal`).subarray(0, before.length)))
    assert.equal(connection.pragma('cache_size'), WRITE_CACHE_SIZE)
  })
