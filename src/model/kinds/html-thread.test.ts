import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from '../../base/text/fold.ts'
import { cleanHtml, cleanKey, textOfHtml } from '../../base/text/html.ts'
import { LONG_TEXT, recallMade } from '../../base/text/long-texts.ts'
import { prepareLongHtml } from './html-thread.ts'

const HOSTS = ['video.example']

const texts = [
  '<b>Müsli</b> ',
  'ab\n',
  `<iframe src="https://video.example/1"></iframe>Ärger `,
  '日本語<script>x</script>',
].map((part) => part.repeat(Math.ceil((3 * LONG_TEXT) / part.length)))

test('what another thread makes of long texts is what this one would have made', async () => {
  for (const [index, html] of texts.entries()) {
    const own = cleanHtml(html, { iframeHosts: HOSTS })
    const expected = { clean: own, seen: textOfHtml(own), folded: fold(textOfHtml(own)) }
    const body = index % 2 === 0 ? { description: html } : { venue: [{ excerpt: html, description: 'short' }] }
    await prepareLongHtml(body, { description: own }, HOSTS)
    assert.equal(recallMade('clean', cleanKey(html, HOSTS)), expected.clean)
    assert.equal(recallMade('clean', cleanKey(html, [])), undefined)
    for (const [making, from, result] of [
      ['seen', own, expected.seen],
      ['folded', expected.seen, expected.folded],
    ] as const)
      assert.ok(recallMade(making, from) === (from.length < LONG_TEXT ? undefined : result), making)
    assert.equal(cleanHtml(html, { iframeHosts: HOSTS }), expected.clean)
  }
})

test('texts that come at once are all prepared, and those beyond what may wait are refused', async () => {
  const bodies = Array.from({ length: 40 }, (_none, index) => ({ description: `${index} ${'x'.repeat(LONG_TEXT)}` }))
  const results = await Promise.allSettled(bodies.map((body) => prepareLongHtml(body, undefined, [])))
  const refused = results.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 8)
  for (const { reason } of refused) assert.equal(reason.code, 'rest_unavailable')
  for (const [index, { status }] of results.entries()) {
    const made = recallMade('clean', bodies[index]?.description ?? '')
    assert.equal(made !== undefined, status === 'fulfilled')
  }
})
