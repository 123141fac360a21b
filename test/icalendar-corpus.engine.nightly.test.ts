import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { decodeHTML } from 'entities'
import { openTestApp, type TestApp } from './support/app.ts'

/*
 * Files of other programs with occurrences that are known: the folder KALENDS_ICALENDAR_CORPUS holds folders of files and
 * `gold.json`, which has by file name `window` (from and before which starts count), `strings`, `occ` (rows of `[uid,
 * start, end, title, flags]`, the texts by their place in `strings`, times in UTC; flags: 1 all day, 2 on the clock of the
 * reader, 8 a title that cannot be compared), and `capped` (by uid the last start that is listed).
 */

const FOLDER = process.env['KALENDS_ICALENDAR_CORPUS']
const NONE = FOLDER === undefined && 'KALENDS_ICALENDAR_CORPUS names no folder'

interface Known {
  readonly window: readonly [string, string]
  readonly strings: readonly string[]
  readonly occ: readonly (readonly [number, string, string, number, number])[]
  readonly capped?: Readonly<Record<string, string>>
}

const FLAG = { days: 1, floating: 2, odd: 8 } as const

/** What holds the dates of the whole window. */
const FLAGS = { siteZone: 'UTC', recurrenceYears: '9', perPageMax: '1000' } as const

function filesIn(kind: string): string[] {
  if (FOLDER === undefined) return []
  return readdirSync(join(FOLDER, kind)).map((name) => join(FOLDER, kind, name))
}

function known(): Readonly<Record<string, Known>> {
  return JSON.parse(readFileSync(join(FOLDER ?? '', 'gold.json'), 'utf8')).files
}

/** An empty calendar with the events of a file. */
async function imported(t: TestContext, file: string | Buffer, host = 'first.example'): Promise<TestApp> {
  const app = await openTestApp(t, { ...FLAGS, siteHost: host, baseUrl: 'https://harbour.example' })
  const bytes = typeof file === 'string' ? readFileSync(file) : file
  await app.app.importCalendars?.({ files: [{ name: 'diary.ics', bytes }] }, () => undefined)
  return app
}

const EVERYTHING = { start_date: '1000-01-01', end_date: '9999-12-31', status: 'publish,private,draft,pending' }

/** Every event that is listed. */
async function listed({ call }: TestApp) {
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  const found: any[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { ...EVERYTHING, per_page: 1000, page }
    const { status, body } = await call('administrator', 'GET', '/events', { query })
    if (status === 404) break
    found.push(...body.events)
    pages = body.total_pages
  }
  return found
}

async function exported({ origin, authorization }: TestApp): Promise<string> {
  const headers = { authorization: authorization('administrator') }
  const response = await fetch(`${origin}/kalends/v1/events.ics?${new URLSearchParams(EVERYTHING)}`, { headers })
  assert.equal(response.status, 200)
  return response.text()
}

const plain = (text: string): string => decodeHTML(text).replace(/\s+/g, ' ').trim()

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

interface Occurrence {
  readonly uid: string
  readonly start: string
  readonly end: string
  readonly title: string
}

/** Both readings of the times of an event: on its own clock, and in UTC. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function occurrences(event: any): { readonly own: Occurrence; readonly utc: Occurrence } {
  const common = { uid: String(event.icalendar?.uid ?? ''), title: plain(event.title) }
  if (event.all_day) {
    const start = `${event.start_date.slice(0, 10)}T00:00:00Z`
    const whole = { ...common, start, end: `${nextDay(event.end_date.slice(0, 10))}T00:00:00Z` }
    return { own: whole, utc: whole }
  }
  const stamp = (text: string): string => `${text.replace(' ', 'T')}Z`
  return {
    own: { ...common, start: stamp(event.start_date), end: stamp(event.end_date) },
    utc: { ...common, start: stamp(event.utc_start_date), end: stamp(event.utc_end_date) },
  }
}

/** Whether an occurrence is older than the 5,000 that an event keeps. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function isTooOld(key: string, events: readonly any[]): boolean {
  const [uid = '', start = ''] = key.split(' | ')
  const starts = events.map(occurrences).flatMap(({ utc }) => (utc.uid === uid ? utc.start : []))
  return starts.length >= 5_000 && starts.every((one) => one > start)
}

/** What of the known occurrences is missing, and what else there is of the same events. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function differences({ window: [from, before], strings, occ, capped = {} }: Known, events: readonly any[]) {
  const left = new Map<string, number>()
  const keyOf = ({ uid, start, end, title }: Occurrence): string => [uid.trim(), start, end, title].join(' | ')
  const count = (key: string, more: number): void => void left.set(key, (left.get(key) ?? 0) + more)
  const text = (at: number): string => strings[at] ?? ''
  const floating = new Set(occ.flatMap(([uid, , , , flags]) => (flags & FLAG.floating ? text(uid) : [])))
  const odd = new Set(occ.flatMap(([uid, , , , flags]) => (flags & FLAG.odd ? text(uid) : [])))
  const uids = new Set(occ.map(([uid]) => text(uid)))
  const titled = (one: Occurrence): Occurrence => ({ ...one, title: odd.has(one.uid) ? '' : one.title })
  for (const [uid, start, end, title] of occ)
    count(keyOf(titled({ uid: text(uid), start, end, title: plain(text(title)) })), 1)
  // Dates of an event that is not in the file, and events without a UID, have names of their own.
  const named = (uid: string): string => [...uids].find((one) => uid === one || uid.startsWith(`${one} `)) ?? ''
  for (const event of events) {
    const { own, utc } = occurrences(event)
    const uid = named(own.uid)
    const one = { ...(floating.has(uid) ? own : utc), uid }
    const last = capped[one.uid] ?? '9'
    const counts = uids.has(one.uid) && one.start >= from && one.start < before && one.start <= last
    if (counts) count(keyOf(titled(one)), -1)
  }
  const of = (isWanted: (rest: number) => boolean): string[] =>
    [...left].flatMap(([key, rest]) => (isWanted(rest) ? [key] : []))
  const missing = of((rest) => rest > 0).filter((key) => !isTooOld(key, events))
  return { missing, strange: of((rest) => rest < 0) }
}

/** Fails with the first lines that differ, not with whole files. */
function assertSameLines(actual: string, expected: string): void {
  const [is, was] = [actual.split('\r\n'), expected.split('\r\n')]
  const at = was.findIndex((line, index) => line !== is[index])
  const around = (lines: readonly string[]) => (at < 0 ? [] : lines.slice(Math.max(0, at - 5), at + 5))
  assert.deepEqual([is.length, ...around(is)], [was.length, ...around(was)], `line ${at + 1} differs`)
}

/** A file with its components by their text: those that begin at one time stand in no order. */
function inOrder(file: string): string {
  const parts = file.split(/(?<=\r\n)(?=BEGIN:V|END:VCALENDAR)/)
  return parts.toSorted().join('')
}

/** What an iCalendar file says of an event. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function factsOf({ title, start_date, end_date, all_day, timezone, description, icalendar, status }: any): string {
  return JSON.stringify({ title, start_date, end_date, all_day, timezone, description, icalendar, status })
}

for (const file of filesIn('gold'))
  test(`occurrences: ${basename(file)}`, { skip: NONE, timeout: 300_000 }, async (t) => {
    const app = await imported(t, file)
    const gold = known()[basename(file)] ?? assert.fail('it is not known')
    assert.deepEqual(differences(gold, await listed(app)), { missing: [], strange: [] })
  })

for (const file of ['gold', 'disagree', 'broken'].flatMap(filesIn))
  test(`out and in again: ${file.slice(FOLDER?.length)}`, { skip: NONE, timeout: 300_000 }, async (t) => {
    const [first, before] = await imported(t, file).then(
      async (app) => [await exported(app), await listed(app)] as const,
      (error: { code?: string }) => {
        assert.equal(error.code, 'calendar_not_readable')
        return ['', []] as const
      },
    )
    if (before.length === 0) return
    const again = await imported(t, Buffer.from(first), 'second.example')
    assertSameLines(inOrder(await exported(again)), inOrder(first))
    const facts = (events: typeof before) => events.map(factsOf).sort()
    assert.deepEqual(facts(await listed(again)), facts(before))
  })

test('a folder of files is there', { skip: NONE }, () => {
  assert.ok(filesIn('gold').length > 100 && filesIn('broken').length > 40)
})
