import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { openRemoteSite } from '../../../../test/support/images.ts'
import { translateKnown } from '../../../base/i18n/translate.ts'
import { addressGate } from '../../../base/outgoing/addresses.ts'
import { calendarAddress, fetchCalendar } from './fetch-calendar.ts'
import { notCalendar } from './not-calendar.ts'

const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'
const PLAIN = Buffer.from(CALENDAR)
const BASIC = `Basic ${Buffer.from('ada:s:ecret').toString('base64')}`

const PACKED: Readonly<Record<string, readonly [encoding: string, bytes: Buffer]>> = {
  '/gzip': ['gzip', gzipSync(PLAIN)],
  '/x-gzip': ['X-GZIP', gzipSync(PLAIN)],
  '/br': ['br', brotliCompressSync(PLAIN)],
  '/zstd': ['zstd', zstdCompressSync(PLAIN)],
  '/deflate': ['deflate', deflateSync(PLAIN)],
  '/raw': ['deflate', deflateRawSync(PLAIN)],
  '/twice': ['gzip, br', brotliCompressSync(gzipSync(PLAIN))],
  '/file.ics.gz': ['', gzipSync(PLAIN)],
  '/file-twice': ['gzip', gzipSync(gzipSync(PLAIN))],
  '/plain': ['gzip', PLAIN],
  '/identity': ['identity', PLAIN],
  '/unknown': ['compress', Buffer.from([0x1f, 0x9d, 0x90, 1, 2])],
  '/broken': ['br', Buffer.from('no brotli')],
  '/cut': ['gzip', gzipSync(PLAIN).subarray(0, 30)],
  '/bomb': ['gzip', gzipSync(Buffer.alloc(34_000_000))],
}

const site = await openRemoteSite(
  { after },
  {
    ...Object.fromEntries(
      Object.entries(PACKED).map(([path, [encoding, bytes]]) => [
        path,
        (response) => response.writeHead(200, encoding === '' ? {} : { 'content-encoding': encoding }).end(bytes),
      ]),
    ),
    '/private.ics': (response, request) =>
      request.headers.authorization === BASIC ? response.end(CALENDAR) : response.writeHead(401).end('Who are you?'),
    '/503.ics': (response) => response.writeHead(503).end(),
  },
)

async function outcome(url: string): Promise<string> {
  const address = calendarAddress(url)
  assert.ok(address, url)
  const fetched = await fetchCalendar(address, { gate: addressGate(['127.0.0.1']), patience: 20_000 })
  return fetched.ok ? String(fetched.response.bytes) : translateKnown('en', fetched.reason)
}

test('a calendar that was compressed is read, whatever the server says of it, within the usual bounds', async () => {
  const unreadable = 'the response is compressed in a way that cannot be read'
  for (const path of Object.keys(PACKED)) {
    const expected = ['/unknown', '/broken', '/cut'].includes(path) ? unreadable : CALENDAR
    assert.equal(await outcome(site.origin + path), path === '/bomb' ? 'the response is too large' : expected, path)
  }
})

test('name and password in an address open a calendar; without them the message asks for them', async () => {
  const url = `${site.origin}/private.ics`
  for (const scheme of ['http://', 'webcal://', 'WebCal://'])
    assert.equal(await outcome(url.replace('http://', `${scheme}ada:s%3Aecret@`)), CALENDAR, scheme)
  assert.match(await outcome(url), /requires a username and password/)
  assert.equal(
    await outcome(url.replace('http://', 'http://ada:wrong@')),
    'its server rejects the username and password',
  )
  assert.equal(await outcome(`${site.origin}/503.ics`), 'the server responded with 503')
  assert.equal(await outcome(url.replace('http://', 'webcals://ada:s%3Aecret@')), 'its server cannot be reached')
})

test('addresses of calendars are those of http(s) and webcal(s), credentials apart', () => {
  const credentials = { user: 'ada', password: 'secret' }
  const cases = [
    ['webcal://ada:secret@club.example/a.ics', 'https://club.example/a.ics', true],
    [' webcals://ada:secret@club.example/a.ics', 'https://club.example/a.ics', false],
    ['https://ada:secret@club.example/a.ics#x', 'https://club.example/a.ics', false],
    ['http://ada:secret@club.example:81/a.ics?b', 'http://club.example:81/a.ics?b', false],
  ] as const
  for (const [entered, url, isWebcal] of cases)
    assert.deepEqual(calendarAddress(entered), { url, credentials, isWebcal })
  for (const entered of ['ftp://club.example/a.ics', 'file:///a.ics', 'webcal://', 'a.ics', ''])
    assert.equal(calendarAddress(entered), undefined, entered)
})

test('what is no calendar is named for what it is', () => {
  const cases = [
    ['<!DOCTYPE html><html><body>Sign in</body></html>', 'is a web page (HTML), not a calendar'],
    ['\n <HTML lang="de"><head>', 'is a web page (HTML), not a calendar'],
    ['<?xml version="1.0"?>\n<!-- a -->\n<html xmlns="x">', 'is a web page (HTML), not a calendar'],
    ['<p>Not found</p>', 'is a web page (HTML), not a calendar'],
    ['', 'is empty'],
    [' \r\n\t', 'is empty'],
    ['{"error": "gone"}', 'is not a calendar: it starts with “{"error": "gone"}”'],
    [`${'Hello\tworld\n'.repeat(50)}`, `is not a calendar: it starts with “${'Hello world '.repeat(5)}”`],
    ['<rss version="2.0"><channel>', 'is not a calendar: it starts with “<rss version="2.0"><channel>”'],
  ] as const
  for (const [text, expected] of cases)
    assert.equal(translateKnown('en', notCalendar(Buffer.from(text))), expected, text)
  for (const bytes of [
    gzipSync(PLAIN),
    zstdCompressSync(PLAIN),
    Buffer.from('PK\u0003\u0004xx'),
    Buffer.from('BZh91AY'),
  ])
    assert.match(translateKnown('en', notCalendar(bytes)), /compressed/)
})
