import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfter } from './retry-after.ts'

const NOW = Date.UTC(2026, 10, 20, 18)

test('a server says when to come back in seconds or as a date, by its own clock', () => {
  const cases: readonly (readonly [string | undefined, string | undefined, number | undefined])[] = [
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['120', undefined, 120],
    [' 120 ', undefined, 120],
    ['0', undefined, 0],
    ['-5', undefined, undefined],
    ['1.5', undefined, undefined],
    ['9999999999', undefined, undefined],
    ['soon', undefined, undefined],
    ['Fri, 20 Nov 2026 18:02:00 GMT', undefined, 120],
    ['Friday, 20-Nov-26 18:02:00 GMT', undefined, 120],
    ['Fri, 20 Nov 2026 17:00:00 GMT', undefined, 0],
    ['Fri, 20 Nov 2026 18:02:00 GMT', 'Fri, 20 Nov 2026 18:01:00 GMT', 60],
    ['Fri, 20 Nov 2026 18:02:00 GMT', 'nonsense', 120],
  ]
  for (const [header, date, seconds] of cases) {
    const headers = { ...(header !== undefined && { 'retry-after': header }), ...(date !== undefined && { date }) }
    const wait = retryAfter(headers, NOW)
    assert.equal(wait === undefined ? undefined : wait / 1000, seconds, `${header} ${date}`)
  }
})
