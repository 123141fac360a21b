import assert from 'node:assert/strict'
import type { Reader } from '../../src/storage/engine.ts'
import { numbersOf, rowsOf } from './storage.ts'

const TABLES = ['event', 'venue', 'organizer', 'category', 'tag', 'media'] as const

/**
 * Fails unless a database is as it was at one instant: the journal has no gap, ends with its head, and every row of the
 * calendar is the one that its last entry in the journal has made.
 */
export async function assertOneInstant(reader: Reader): Promise<number> {
  const [head = 0] = await numbersOf(reader, 'select seq as n from journal_head')
  assert.deepEqual(await numbersOf(reader, 'select count(*) as n from journal'), [head], 'the journal has a gap')
  assert.deepEqual(await numbersOf(reader, 'select coalesce(max(seq), 0) as n from journal'), [head])
  for (const table of TABLES) {
    const last = `select id, revision, action from journal as one where resource = '${table}'
      and seq = (select max(seq) from journal where resource = one.resource and id = one.id)`
    const strays = await rowsOf(
      reader,
      `select last.id, last.revision, last.action, kept.revision as kept from (${last}) as last
        left join ${table} as kept on kept.id = last.id
        where (last.action = 'delete') <> (kept.id is null) or kept.revision <> last.revision`,
    )
    assert.deepEqual(strays, [], `${table}: rows are not what the journal says`)
    const unknown = await rowsOf(
      reader,
      `select id from ${table} where not exists (select 1 from journal where resource = '${table}' and journal.id = ${table}.id)`,
    )
    assert.deepEqual(unknown, [], `${table}: rows that the journal does not know`)
  }
  assert.deepEqual(
    await numbersOf(reader, 'select id as n from occurrence order by id'),
    await numbersOf(reader, 'select id as n from event order by id'),
  )
  return head
}
