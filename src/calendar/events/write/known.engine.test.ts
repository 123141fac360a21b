import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_NOW, TEST_SITE } from '../../../../test/support/linked-server.ts'
import { ENGINES, openTestStorage } from '../../../../test/support/test-storage.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import type { Reader } from '../../../storage/engine.ts'
import { ORGANIZERS, openOrganizers } from '../../organizers/index.ts'
import { NO_IMAGES } from '../../shared/image.ts'
import { draftOf } from '../../shared/linked/rules.ts'
import { openTerms } from '../../terms/index.ts'
import { openVenues, VENUES } from '../../venues/index.ts'
import { conflictHeader } from '../conflicts/on-write.ts'
import { readMaterial } from '../show/load.ts'
import { createEvent } from './change.ts'

const EDITOR = { id: 2, role: 'editor', name: 'editor' } as const

const TIMES = {
  ...{ start_local: '2027-03-01 10:00:00', end_local: '2027-03-01 12:00:00' },
  ...{ start_utc: '2027-03-01 15:00:00', end_utc: '2027-03-01 17:00:00', timezone: 'America/New_York', all_day: 0 },
}

for (const engine of ENGINES) {
  test(`${engine}: what an event is created with is not read again for the response, and is what would be read`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const parts = { pictures: NO_IMAGES, storage, site: TEST_SITE, isUser: async () => true }
    const { category, tag } = openTerms({ storage, site: TEST_SITE })
    const lookups = { venue: openVenues(parts).lookup, organizer: openOrganizers(parts).lookup, category, tag }
    const venue = draftOf(VENUES, { venue: 'Hall', city: 'Bern', exclusive: true }, {})
    const organizer = draftOf(ORGANIZERS, { organizer: 'Club' }, {})
    const change = {
      values: { title: 'Meeting' },
      venue: [{ by: 'data', draft: venue, image: undefined }],
      organizer: [{ by: 'data', draft: organizer, image: undefined }],
      ...{ category: undefined, tag: undefined, times: { over: undefined, times: TIMES } },
    } as const
    const when = { now: TEST_NOW, at: utcFromMillis(TEST_NOW) }
    const writer = { caller: EDITOR, ...when, recurrenceYears: 5, site: TEST_SITE, lookups, password: undefined }
    const fetched = { place: () => assert.fail('nothing was fetched') }
    const written = await storage.write((tx) => createEvent(tx, change, { ...writer, fetched }))
    const { row, links = assert.fail('its links are known'), known } = written

    let statements = 0
    const counting: Reader = {
      ...{ engine: storage.engine, db: storage.db, pause: () => storage.pause() },
      all: (query, lane) => {
        statements += 1
        return storage.all(query, lane)
      },
      first: (query, lane) => {
        statements += 1
        return storage.first(query, lane)
      },
    }
    const asked = { rows: [row], known: new Map([[row.id, links]]) }
    const material = await readMaterial(counting, lookups, { ...asked, ...known })
    assert.deepEqual(await conflictHeader(counting, EDITOR, written), {})
    assert.equal(statements, 0)
    assert.deepEqual(material, await readMaterial(counting, lookups, asked))
    assert.ok(statements > 0)
  })
}
