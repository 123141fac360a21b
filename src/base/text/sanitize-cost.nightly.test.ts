import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanHtml } from './html.ts'

test('a long description is cleaned in a fraction of a second', () => {
  const prose = 'The <b>harbour</b> opens at <a href="/x?a=1&amp;b=2">noon</a> &amp; closes late.\n\n'
  for (const piece of [prose, 'x\n', 'x\n\n', '<br>', '<p class="a">word</p>\n', '<i style="color:red">x</i>', '&']) {
    const started = process.cpuUsage()
    cleanHtml(piece.repeat(1_000_000 / piece.length))
    const { user } = process.cpuUsage(started)
    // Time of the processor, of which a quick one takes a thirtieth: linear, not quadratic.
    assert.ok(user < 12_000_000, `${piece} took ${user} µs`)
  }
})
