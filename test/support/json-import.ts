import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { decodeEntities } from '../../src/base/text/entities.ts'
import { plainText, textOfHtml } from '../../src/base/text/html.ts'
import { toUtc } from '../../src/base/time/zones.ts'
import type { ImportReport } from '../../src/exchange/imports/types.ts'
import type { TestApp } from './app.ts'

// Tests look into records of every shape.
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
export type Json = any

/** A file of recorded responses. */
export interface RecordedFile {
  readonly name: string
  readonly text: string
}

/** A file of `test/fixtures/recorded`, read. */
export function fixture(name: string): RecordedFile {
  return fileAt(new URL(`../fixtures/recorded/${name}`, import.meta.url))
}

/** A file, read; it is named by its last part. */
export function fileAt(address: URL): RecordedFile {
  return { name: basename(address.pathname), text: readFileSync(address, 'utf8') }
}

/** A file with this JSON. */
export function fileOf(value: unknown, name = 'made.json'): RecordedFile {
  return { name, text: JSON.stringify(value) }
}

/** The events of a recorded response. */
export function eventsIn(file: RecordedFile): Json[] {
  const response: Json = JSON.parse(file.text)
  return response.events ?? [response]
}

/** Imports files as the command does. */
export async function importFiles(
  { app }: TestApp,
  files: readonly RecordedFile[],
  author?: string,
): Promise<ImportReport> {
  assert.ok(app.importJson)
  const given = files.map(({ name, text }) => ({ name, bytes: Buffer.from(text) }))
  return app.importJson(given, { author, onProgress: () => undefined })
}

/** Members that name the place where an item was recorded, or that every response makes again. */
const OF_THE_PLACE = new Set([
  ...[
    'author',
    'url',
    'rest_url',
    'date',
    'modified',
    'global_id',
    'global_id_lineage',
    'json_ld',
    '_links',
    'count',
    'urls',
  ],
])

/** Asserts that a response says everything that the recorded event said. */
export function assertSameEvent(response: Json, recorded: Json): void {
  for (const [member, value] of Object.entries<Json>(recorded)) {
    if (OF_THE_PLACE.has(member) || MEMBERS_OF_THEIR_OWN.has(member)) continue
    const [, edge] = /^utc_(start|end)_date/.exec(member) ?? []
    const utc = edge && toUtc(recorded[`${edge}_date`], recorded.timezone)
    if (utc !== undefined) assert.equal(response[`utc_${edge}_date`], utc, `${recorded.id}: ${member}`)
    if (utc !== undefined && utc !== recorded[`utc_${edge}_date`]) continue
    assert.deepEqual(response[member], value, `${recorded.id}: ${member}`)
  }
  assert.equal(plainText(response.title), plainText(recorded.title))
  assert.equal(textOfHtml(response.description), textOfHtml(recorded.description))
  assert.equal(response.website, decodeEntities(recorded.website))
  assert.deepEqual(response.cost_details, { currency_code: '', ...recorded.cost_details })
  assert.deepEqual(response.global_id_lineage.slice(1), recorded.global_id_lineage)
  assertSameList(response.organizer, recorded.organizer)
  assertSameList([response.venue].flat(), [recorded.venue].flat())
  assertSameTerms(response.categories, recorded.categories)
  assertSameTerms(response.tags, recorded.tags)
}

const MEMBERS_OF_THEIR_OWN = new Set([
  ...['title', 'description', 'website', 'timezone_abbr', 'cost_details', 'categories', 'tags', 'venue', 'organizer'],
  ...['virtual_note', 'date_utc'],
])

function assertSameList(answered: readonly Json[], recorded: readonly Json[]): void {
  assert.deepEqual(
    answered.map(({ id }) => id),
    recorded.map(({ id }) => id),
  )
  for (const [index, one] of recorded.entries()) {
    for (const [member, value] of Object.entries<Json>(one)) {
      if (OF_THE_PLACE.has(member)) continue
      const same = typeof value === 'string' ? plainText(value) : value
      const text = answered[index][member]
      assert.deepEqual(typeof text === 'string' ? plainText(text) : text, same, `${one.id}: ${member}`)
    }
    assert.deepEqual(answered[index].global_id_lineage.slice(1), one.global_id_lineage)
  }
}

function assertSameTerms(answered: readonly Json[], recorded: readonly Json[]): void {
  const said = recorded.filter(({ name }) => name !== '').toSorted((a, b) => a.id - b.id)
  const terms = answered.toSorted((a, b) => a.id - b.id)
  assert.deepEqual(
    terms.map(({ id }) => id),
    said.map(({ id }) => id),
  )
  for (const [index, term] of said.entries()) {
    const { count: _count, urls: _urls, parent: _parent, ...rest } = term
    const { recorded_parent = terms[index].parent, ...response } = terms[index]
    assert.deepEqual({ ...response, ...rest }, response, `term ${term.id}`)
    assert.equal(recorded_parent, term.parent, `parent of term ${term.id}`)
  }
}
