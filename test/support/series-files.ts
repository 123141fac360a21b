import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import type { TestApp } from './app.ts'

/** An event as it is answered. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
export type Item = any

/** What tests of the iCalendar files of series do. */
export interface SeriesFiles {
  /** Address below which the files are. */
  readonly origin: string
  /** Writes as an administrator; the body of the answer. */
  send(method: string, path: string, json?: object): Promise<Item>
  /** All dates of a series as the list has them. */
  datesOf(series: number): Promise<Item[]>
  /** A file as it is written; another program reads it on the way. */
  fileAt(path: string): Promise<string>
}

/** Those steps in an application. */
export function filesOfSeries(app: TestApp): SeriesFiles {
  const FILES = `${app.origin}/kalends/v1`
  async function send(method: string, path: string, json: object = {}): Promise<Item> {
    const sent = method === 'DELETE' ? { query: json as never } : { json }
    const { status, body } = await app.call('administrator', method, path, sent)
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
    return body
  }

  async function datesOf(series: number): Promise<Item[]> {
    const all: Item[] = []
    for (let page = 1, total = 1; all.length < total; page += 1) {
      const query = { series, start_date: '1900-01-01', end_date: '9999-12-31', per_page: 50, page }
      const { status, body } = await app.call('anonymous', 'GET', '/events', { query })
      assert.equal(status, 200, JSON.stringify(body))
      total = body.total
      all.push(...body.events)
    }
    return all
  }

  async function fileAt(path: string): Promise<string> {
    const { status, body } = await app.call('anonymous', 'GET', `${FILES}${path}`, {
      headers: { 'accept-encoding': 'identity' },
    })
    assert.equal(status, 200, String(body))
    for (const event of new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent')) {
      const start = event.getFirstPropertyValue('dtstart')
      const rule = event.getFirstPropertyValue('rrule')
      assert.ok(start instanceof ICAL.Time)
      if (rule !== null) assert.ok(rule instanceof ICAL.Recur)
    }
    return body
  }

  return { origin: FILES, send, datesOf, fileAt }
}
