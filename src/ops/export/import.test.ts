import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { exported, imported, NOW, placeOn } from '../../../test/support/exports.ts'
import { rowsOf } from '../../../test/support/storage.ts'
import { testFolder } from '../../../test/support/test-storage.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { TABLES_LEFT_OUT } from '../../storage/export/tables.ts'
import { migrate } from '../../storage/migrate.ts'
import { openStorage } from '../../storage/open.ts'
import { openSnapshot } from '../../storage/snapshot.ts'
import { lineOf } from './rows.ts'

const EXPIRES = { expires_at: utcFromMillis(NOW + 60_000) }
const CHALLENGE = { id: 'c', kind: 'get', bound_to: 'b', user_id: null, user_handle: '', ...EXPIRES } as const
const PENDING = {
  ...{ id: 'p', browser: 'b', provider: 'town', nonce: 'n', verifier: 'v', next: '', user_id: null, link_id: null },
  ...EXPIRES,
}

test('a sign-in that has begun leaves in no export, and comes with none of a former version', async (t) => {
  const place = await placeOn('sqlite', t)
  const storage = await openStorage({ database: place.database, synchronous: 'NORMAL' })
  await migrate(storage, { now: () => NOW })
  await storage.write(async (tx) => {
    await tx.run(tx.db.insertInto('challenge').values(CHALLENGE))
    await tx.run(tx.db.insertInto('pending_sign_in').values(PENDING))
  })
  await storage.close()
  writeFileSync(join(place.data, 'secret.key'), `${'0'.repeat(64)}\n`)
  const folder = join(testFolder(t), 'everything')
  await exported(place, folder, true)
  const fileOf = (table: string): string => join(folder, 'tables', `${table}.jsonl`)
  for (const table of TABLES_LEFT_OUT) assert.equal(existsSync(fileOf(table)), false, table)
  const header = JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8'))
  for (const [table, line] of [
    ['challenge', lineOf('challenge', CHALLENGE)],
    ['pending_sign_in', lineOf('pending_sign_in', PENDING)],
  ] as const) {
    writeFileSync(fileOf(table), line)
    const sha256 = createHash('sha256').update(line).digest('hex')
    header.tables.push({ table, rows: 1, bytes: Buffer.byteLength(line), sha256 })
  }
  writeFileSync(join(folder, 'export.json'), JSON.stringify(header))
  const other = await placeOn('sqlite', t)
  await imported(other, folder)
  const snapshot = await openSnapshot(other.database)
  t.after(() => snapshot.close())
  assert.deepEqual(await rowsOf(snapshot, 'select id from challenge union all select id from pending_sign_in'), [])
})
