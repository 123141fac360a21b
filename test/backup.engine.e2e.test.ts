import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastBackup } from '../src/ops/backup/index.ts'
import { openSnapshot } from '../src/storage/snapshot.ts'
import { backUp, NO_PROGRAMS, openPlace } from './support/backups.ts'
import { paint } from './support/images.ts'
import { assertOneInstant } from './support/instant.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import type { ServerProcess } from './support/server.ts'
import { numbersOf } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'
import { upload } from './support/upload.ts'

const CLIENTS = 4

/** Creates, changes and deletes events until told to stop; the ids of those that were acknowledged and stay. */
async function write(server: ServerProcess, isOver: () => boolean, kept: Set<number>): Promise<void> {
  const events = `${server.origin}/cal/events/v1/events`
  const authorization = administratorOf(server)
  for (let n = 0; !isOver(); n += 1) {
    const event = { ...EVENT, title: `Load ${n}`, venue: { venue: `Hall ${n % 7}` }, tags: [`tag ${n % 5}`] }
    const made = await ask(events, sending(authorization, event))
    assert.equal(made?.status, 201)
    const id = made?.body.id ?? 0
    if (n % 5 === 4) await ask(`${events}/${id}?force=true`, sending(authorization, {}, 'DELETE'))
    else kept.add(id)
    if (n % 3 === 0) await ask(`${events}/${id}`, sending(authorization, { title: `Changed ${n}` }))
  }
}

/** What PostgreSQL knows of the number of events; -1 for nothing. */
const COUNTED = "select reltuples as n from pg_class where relname = 'event' and pg_table_is_visible(oid)"

test('a backup that is made while events are written is the state of one instant, restored without a loss', {
  skip: NO_PROGRAMS,
  timeout: 240_000,
}, async (t) => {
  const place = await openPlace(t)
  const server = await place.start()
  const at = { origin: server.origin, authorization: () => administratorOf(server) }
  const picture = await upload(at, 'administrator', { bytes: await paint(400, 320).png().toBuffer() })
  assert.equal(picture.status, 201)
  let isOver = false
  const kept = new Set<number>()
  const writers = Array.from({ length: CLIENTS }, () => write(server, () => isOver, kept))
  for (const deadline = Date.now() + 60_000; kept.size < 40; await sleep(5)) assert.ok(Date.now() < deadline)
  const acknowledged = [...kept]
  const target = testFolder(t)
  const reports = [await backUp(place, target), await backUp(place, target)]
  isOver = true
  await Promise.all(writers)
  const newest = JSON.parse(await readFile(join(reports[1]?.folder ?? '', 'manifest.json'), 'utf8')) as {
    made_at: string
  }
  assert.deepEqual(await lastBackup(place.data), { at: newest.made_at, folder: reports[1]?.folder })
  for (const { folder, journal, pictures } of reports) {
    const other = await openPlace(t)
    assert.match(await other.run('restore', folder), /^Restored \d+ rows .*Next: kalends serve/s)
    const snapshot = await openSnapshot(other.config.database)
    assert.equal(await assertOneInstant(snapshot), journal)
    const stored = new Set(await numbersOf(snapshot, 'select id as n from event'))
    if (TEST_ENGINE === 'postgres')
      assert.deepEqual(await numbersOf(snapshot, COUNTED), [stored.size], 'what plans need is known')
    await snapshot.close()
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
      'an event that was acknowledged before the backup is missing',
    )
    assert.ok(pictures >= 2)
    const restored = await other.start()
    const shown = await fetch(restored.origin + new URL(picture.body.image.url).pathname)
    assert.equal(shown.status, 200)
    const me = await fetch(`${restored.origin}/wp-json/wp/v2/users/me`, {
      headers: { authorization: at.authorization() },
    })
    assert.equal(me.status, 200, 'passwords are those of the calendar')
    await restored.stop('SIGTERM')
  }
})
