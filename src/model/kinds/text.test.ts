import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, inline, line, name } from './text.ts'

const CONTEXT = { now: 0, siteZone: 'UTC' }

test('nothing is made of HTML whose sender will be refused, while wrong values are still found', () => {
  const refused = { ...CONTEXT, checkOnly: true }
  assert.deepEqual(html.parse('a\nb', refused), { ok: true, value: '' })
  assert.deepEqual(inline.parse('<b>a</b>', refused), { ok: true, value: '' })
  assert.equal(html.parse(['a'], refused).ok, false)
  assert.deepEqual(html.parse('a\nb', CONTEXT), { ok: true, value: '<p>a<br />\nb</p>' })
})

test('text that is too long is refused before any work is done on it', () => {
  assert.deepEqual(html.parse('a'.repeat(1_000_001), CONTEXT), {
    ok: false,
    code: 'rest_invalid_param',
    reason: 'too_long',
  })
  assert.deepEqual(name().parse('<b>'.repeat(10_000), CONTEXT), {
    ok: false,
    code: 'rest_invalid_param',
    reason: 'too_long',
  })
  assert.deepEqual(line.parse('x'.repeat(2_001), CONTEXT), {
    ok: false,
    code: 'rest_invalid_param',
    reason: 'too_long',
  })
  assert.equal(name().parse('<b>x</b>', CONTEXT).ok, true)
})

test('frames stay only from hosts of the configuration', () => {
  const frame = '<iframe src="https://video.example/1"></iframe>'
  const withHosts = html.parse(frame, { ...CONTEXT, iframeHosts: ['video.example'] })
  assert.ok(withHosts.ok && withHosts.value.includes('iframe'))
  const without = html.parse(frame, CONTEXT)
  assert.ok(without.ok && !without.value.includes('iframe'))
})
