import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { decodeHTML } from 'entities'
import ICAL from 'ical.js'
import { openTestApp, type TestApp } from './support/app.ts'
import { fetchChecked } from './support/checked.ts'
import { skipWithout } from './support/missing.ts'

/*
 * Whatever people write, each format holds it so that parsers of others read it as it was written, and nothing else.
 */

const HOSTILE = [
  '=HYPERLINK("http://evil.example","x")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\tTab',
  ' =1+1',
  '＝1+1',
  "'=1",
  "''=1",
  'Line\r\nX-Injected: 1\r\nBEGIN:VEVENT',
  'One\u2028Two\u2029Three\u0085Four\u000bFive\u000cSix',
  'Quotes " , ; : \\ ^ ^n \\n \\N \\; "";x="y"',
  '<script>alert(1)</script>]]> a & b &amp; &#x1f; ]]&gt;',
  'x <![CDATA[y]]> <!-- z --> <?php',
  '\u0001\u001f\u007f\u009f controls',
  '\ufeffmark \u202eright \u200bno width',
  'lone \ud800 half \udfff',
  'noncharacters \ufffe \uffff \u{1ffff}',
  '😀'.repeat(60),
  `${'x'.repeat(70)}é${'y'.repeat(74)}東${'z'.repeat(73)}👩‍👩‍👧`,
  'END:VCALENDAR',
  ';VALUE=URI:http://evil.example',
  '{"a":[1]}',
  '%0d%0aX-Injected: 1',
]

const RANGE = 'start_date=2027-01-01&end_date=2027-12-31'

interface Made {
  readonly id: number
  /** As text. */
  readonly title: string
}

async function openHostile(t: TestContext): Promise<{ app: TestApp; made: Made[] }> {
  const app = await openTestApp(t)
  const made: Made[] = []
  for (const [index, text] of HOSTILE.entries()) {
    const day = `2027-01-${String(index + 1).padStart(2, '0')}`
    const { status, body } = await app.call('administrator', 'POST', '/events', {
      json: {
        ...{ title: text, description: `<p>${text}</p>`, excerpt: text, cost: text, event_status: 'canceled' },
        ...{ start_date: `${day} 10:00:00`, end_date: `${day} 11:30:00`, event_status_reason: text },
        ...{ venue: { venue: text, address: text, city: text }, categories: [`${text.slice(0, 60)} kind`] },
        ...{ tags: [`${text.slice(0, 60)} tag`] },
        ...{ organizer: [{ organizer: text, email: 'o@example.org' }] },
      },
    })
    assert.equal(status, 201, `${JSON.stringify(text)} ${JSON.stringify(body)}`)
    made.push({ id: body.id, title: decodeHTML(body.title) })
  }
  return { app, made }
}

async function read(app: TestApp, path: string): Promise<string> {
  const response = await fetchChecked(`${app.origin}/kalends/v1${path}`)
  assert.equal(response.status, 200, path)
  return response.text()
}

const titlesOf = (made: readonly Made[]): string[] => made.map(({ title }) => title)

test('a table read by another program has the cells that were written, and none is a formula', async (t) => {
  const { app, made } = await openHostile(t)
  const rows: Record<string, string>[] = parse(await read(app, `/events.csv?${RANGE}`), { columns: true })
  for (const [index, { title }] of made.entries()) {
    const row = rows[index] ?? {}
    assert.equal(row['id'], String(made[index]?.id))
    // The apostrophe that keeps a text from being a formula is the only difference.
    assert.ok([title, `'${title}`].includes(row['title'] ?? ''), JSON.stringify([title, row['title']]))
    for (const [column, cell] of Object.entries(row))
      assert.doesNotMatch(cell, /^\s*[=+@\t\r\n＝＋－＠]|^\s*-(?!\d)/, `${column}: ${JSON.stringify(cell)}`)
  }
  assert.equal(rows.length, made.length)
})

test('JSON Feed, JSCalendar and JSON-LD hold what was written, in lists and alone', async (t) => {
  const { app, made } = await openHostile(t)
  const feed = JSON.parse(await read(app, `/events.json?${RANGE}`))
  assert.deepEqual(
    feed.items.map((item: { title: string }) => item.title),
    titlesOf(made),
  )
  const group = JSON.parse(await read(app, `/events.jscal?${RANGE}`))
  assert.deepEqual(
    group.entries.map((entry: { title: string }) => entry.title),
    titlesOf(made),
  )
  const list = JSON.parse(await read(app, `/events.jsonld?${RANGE}`))
  assert.equal(list.itemListElement.length, made.length)
  for (const [index, { id, title }] of made.entries()) {
    assert.equal(JSON.parse(await read(app, `/events/${id}.jscal`)).title, title)
    assert.deepEqual(JSON.parse(await read(app, `/events/${id}.jsonld`)), list.itemListElement[index].item)
  }
})

test('calendars read by ical.js hold what was written, and no line of anybody else', async (t) => {
  const { app, made } = await openHostile(t)
  const eventsOf = (calendar: unknown): ICAL.Component[] =>
    new ICAL.Component(calendar as ConstructorParameters<typeof ICAL.Component>[0]).getAllSubcomponents('vevent')
  const check = (events: readonly ICAL.Component[], wanted: readonly Made[], what: string): void => {
    assert.equal(events.length, wanted.length, what)
    for (const [index, event] of events.entries()) {
      const text = String(event.getFirstPropertyValue('summary'))
      assert.equal(withoutControls(text), withoutControls(wanted[index]?.title ?? ''), what)
      assert.deepEqual(event.getAllProperties('x-injected'), [], what)
      assert.equal(event.getAllSubcomponents().length, 0, what)
    }
  }
  for (const ending of ['ics', 'jcal']) {
    const parsed = (text: string): unknown => (ending === 'ics' ? ICAL.parse(text) : JSON.parse(text))
    check(eventsOf(parsed(await read(app, `/events.${ending}?${RANGE}`))), made, ending)
    for (const one of made)
      check(eventsOf(parsed(await read(app, `/events/${one.id}.${ending}`))), [one], `${ending} ${one.title}`)
  }
})

/** Content lines hold no controls but tabs (RFC 5545 section 3.1), and no line ends but escaped ones. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}

const PYTHON = '/usr/bin/python3'
const skip = skipWithout(spawnSync(PYTHON, ['-c', 'import xml.etree']).status === 0, 'Python (python3)')

/** Prints the titles of the items of a feed as JSON; fails for what is not well-formed. */
const TITLES = `
import json, sys
from xml.etree import ElementTree
items = ElementTree.fromstring(sys.stdin.buffer.read()).findall('./channel/item')
print(json.dumps([[item.findtext('title') or '', item.findtext('category'), len(item)] for item in items]))
`

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold them, not even escaped
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

test('an XML parser reads the titles in a feed as they were written', { skip }, async (t) => {
  const { app, made } = await openHostile(t)
  const input = await read(app, `/events.rss?${RANGE}`)
  const found: [string, string][] = JSON.parse(execFileSync(PYTHON, ['-c', TITLES], { input, encoding: 'utf8' }))
  assert.deepEqual(
    found.map(([title]) => title),
    titlesOf(made).map((title) => title.replace(NOT_IN_XML, '').replace(/\r\n?/g, '\n')),
  )
  assert.equal(found.length, made.length)
})
