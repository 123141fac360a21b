import assert from 'node:assert/strict'
import test from 'node:test'
import { shownTarget } from './shown-target.ts'

test('an address without secrets is shown as it came', () => {
  for (const url of ['/', '/cal/events/v1/events?search=a%20b&page=2', '/x?', '/x?a', '*', '/x?search=token'])
    assert.equal(shownTarget(url), url)
})

test('the values of passwords and tokens are hidden, however their names are written', () => {
  for (const query of [
    'password=opensesame',
    'page=2&password=opensesame&x=1',
    'PassWord=opensesame',
    'p%61ssword=opensesame',
    'password[]=opensesame',
    'event%5Bpassword%5D=opensesame',
    'access_token=opensesame',
    '_wpnonce=opensesame',
    'apikey=opensesame',
    'password=a=opensesame',
    ';password=opensesame',
    '?password=opensesame',
    'rest_route=/cal/events/v1/events/7%3Fpassword%3Dopensesame',
    'next=%2Fx%253Fpassword%253Dopensesame',
    `search=${'x'.repeat(940)}&password=opensesame`,
  ]) {
    const shown = shownTarget(`/cal/events/v1/events/7?${query}`)
    assert.doesNotMatch(shown, /opensesame/, query)
    assert.match(shown, /=\*\*\*/, query)
  }
  assert.equal(shownTarget('/x?page=2&password=a&y=1'), '/x?page=2&password=***&y=1')
})

test('credentials in front of a host are cut out', () => {
  assert.equal(shownTarget('http://ann:opensesame@host/path?a=1'), 'http://host/path?a=1')
})

test('a long address is cut', () => {
  assert.equal(shownTarget(`/${'a'.repeat(20_000)}`).length, 1001)
})
