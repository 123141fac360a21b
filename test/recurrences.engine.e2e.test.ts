import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { openTestApp, type TestApp } from './support/app.ts'
import { IS_FULL } from './support/draws.ts'
import { fileOf, importFiles } from './support/json-import.ts'
import {
  eventOf,
  type KnownRecurrence,
  RECURRENCES,
  readingOf,
  skipRecurrences as skip,
} from './support/recurrences.ts'

/*
 * Recurrences of which independent engines read the same dates: through the API, and in another calendar after they were
 * exported and imported, as iCalendar and as JSON.
 */

interface MadeSeries {
  readonly vector: KnownRecurrence
  readonly id: number
}

/** Local and UTC of each date that is expected. */
function expectedDates({ expected }: KnownRecurrence): (readonly [string, string | undefined])[] {
  return expected.map(({ local, utc }) => [readingOf(local), utc == null ? undefined : readingOf(utc)] as const)
}

interface ShownDate {
  readonly start_date: string
  readonly utc_start_date: string
  /** Absent in previews. */
  readonly series?: { readonly recurrence_id: string }
}

function assertDates(vector: KnownRecurrence, shown: readonly ShownDate[]): void {
  const wanted = expectedDates(vector).slice(0, shown.length)
  const found = shown.slice(0, wanted.length)
  // What the clock skips is known by the time that the rule gives.
  const dates = found.map(({ start_date, utc_start_date, series }, index) => [
    series?.recurrence_id ?? start_date,
    wanted[index]?.[1] && utc_start_date,
  ])
  assert.deepEqual(dates, wanted, `${vector.id} ${vector.rrule}`)
}

/** What is stored, and what is refused, which has to be for a reason. */
async function make({ call, origin }: TestApp, vectors: readonly KnownRecurrence[]): Promise<MadeSeries[]> {
  const made: MadeSeries[] = []
  for (const vector of vectors) {
    const json = eventOf(vector)
    const { status, body } = await call('administrator', 'POST', '/events', { json })
    if (status === 201) {
      made.push({ vector, id: body.id })
      continue
    }
    const { title: _title, slug: _slug, ...asked } = json
    assert.equal(status, 400, `${vector.id} ${JSON.stringify(body)}`)
    if (vector.optional !== undefined) {
      assert.match(JSON.stringify(body), /RSCALE|SKIP/)
      continue
    }
    assert.match(JSON.stringify(body), /more than 5000 dates/, vector.id)
    // Only asked for, the first dates of a rule without end are told all the same.
    if (vector.count_total !== undefined) continue
    const preview = await call('anonymous', 'POST', `${origin}/kalends/v1/recurrence`, { json: asked })
    if (preview.status === 200) assertDates(vector, preview.body.dates)
  }
  return made
}

/** Each series has the dates that are expected, and no others where the rule ends. */
async function assertListed({ call }: TestApp, made: readonly MadeSeries[]): Promise<void> {
  for (const { vector, id } of made) {
    const query = { series: id, start_date: '1900-01-01', end_date: '9999-12-31', per_page: 50 }
    const { status, body } = await call('administrator', 'GET', '/events', { query })
    assert.equal(status, 200, `${vector.id} ${JSON.stringify(body)}`)
    assertDates(vector, body.events)
    if (vector.count_total === undefined) continue
    assert.equal(body.total, vector.count_total, vector.id)
    assert.equal(body.events.length, Math.min(vector.expected.length, 50), vector.id)
  }
}

/** The same series in another calendar, by their titles or slugs. */
async function bySlug({ call }: TestApp, made: readonly MadeSeries[]): Promise<MadeSeries[]> {
  const found: MadeSeries[] = []
  for (const { vector } of made) {
    const { status, body } = await call('administrator', 'GET', `/events/by-slug/vector-${vector.id}`)
    assert.equal(status, 200, vector.id)
    found.push({ vector, id: body.id })
  }
  return found
}

const isAll = IS_FULL
const asked = isAll
  ? RECURRENCES
  : RECURRENCES.filter(({ rdate, exdate }, index) => index % 24 === 0 || rdate || exdate)

test('recurrences have the dates that other engines give, here and where they are imported', { skip }, async (t) => {
  const app = await openTestApp(t, { perPageMax: '50' })
  const made = await make(app, asked)
  assert.ok(made.length > asked.length / 2, `${made.length} of ${asked.length}`)
  await assertListed(app, made)

  const copy = await openTestApp(t, { perPageMax: '50' })
  const files = []
  for (const { vector, id } of made) {
    const { body } = await app.call('administrator', 'GET', `/events/${id}`)
    files.push(fileOf({ events: [body] }, `${vector.id}.json`))
  }
  const { created, skipped } = await importFiles(copy, files)
  assert.deepEqual([created, skipped], [made.length, []])
  await assertListed(copy, await bySlug(copy, made))
})

test('so have their iCalendar files, wherever they are read', { skip }, async (t) => {
  const app = await openTestApp(t, { perPageMax: '50' })
  const made = await make(app, asked)
  const files = []
  for (const { vector, id } of made) {
    const { status, body } = await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/events/${id}.ics`)
    assert.equal(status, 200, vector.id)
    const events = new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent')
    assert.ok(events.length > 0, vector.id)
    files.push({ name: `${vector.id}.ics`, bytes: Buffer.from(body) })
  }
  const other = await openTestApp(t, { perPageMax: '50' })
  assert.ok(other.app.importCalendars)
  const { created, skipped } = await other.app.importCalendars({ files }, () => undefined)
  assert.deepEqual([created, skipped], [made.length, []])
  await assertListed(other, await bySlug(other, made))
})
