import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredType } from './cache-key.ts'

const CSV = 'text/csv'
const CAL = 'text/calendar'

for (const [accept, type] of [
  [undefined, ''],
  ['', ''],
  ['*/*', ''],
  ['application/json', ''],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', ''],
  ['text/csv', CSV],
  ['TEXT/CSV ; header=present', CSV],
  ['text/csv, */*', CSV],
  ['text/csv;q=0.5, */*', ''],
  ['text/csv;q=0.5, */*;q=0.1', CSV],
  ['text/csv, application/json', ''],
  ['text/csv, application/json;q=0.9', CSV],
  ['text/csv;q=0', ''],
  ['text/csv;q=2', ''],
  ['text/csv;q=x', ''],
  ['text/csv;q=0.3, text/calendar;q=0.4', CAL],
  ['text/calendar, text/csv', CAL],
  ['text/csvx, application/x-feed+json', ''],
  ['text/*, application/*', ''],
  ['text/csv, text/*', CSV],
  ['application/ld+json, application/activity+json', 'application/ld+json'],
  [`${'a/b,'.repeat(60)}text/csv`, ''],
] as const)
  test(`Accept: ${accept?.slice(0, 60)} prefers ${type || 'JSON'}`, () => assert.equal(preferredType(accept), type))
