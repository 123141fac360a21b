import assert from 'node:assert/strict'
import test from 'node:test'
import { OPTION_LIST } from '../src/config.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('the page of the system shows the options of the server as they are, and no secret', async (t) => {
  const secret = 'correct horse battery staple and more'
  const site = await openTestApp(t, {
    ...{ secret, requireIfMatch: 'yes', limitGuesses: '7/60', iframeHosts: 'tube.example,film.example' },
  })
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/system')
  const value = (flag: string): string | undefined =>
    new RegExp(`<code dir="ltr">${flag}</code></th><td><bdi dir="ltr">([^<]*)</bdi>`).exec(text)?.[1]
  assert.equal(value('--require-if-match'), 'yes')
  assert.equal(value('--plain-sessions'), 'no')
  assert.equal(value('--iframe-hosts'), 'tube.example,film.example')
  assert.equal(value('--limit-guesses'), '7/60')
  assert.equal(value('--security-contact'), '–')
  assert.equal(value('KALENDS_SECRET'), '***')
  assert.doesNotMatch(text, /correct horse|postgres(ql)?:\/\/[^*]*:[^*]*@/)
  // What can be changed has its own page; everything else is here.
  const page = text + (await ada.show('/admin/settings')).text
  for (const [name, { flag, env }] of OPTION_LIST)
    assert.ok(page.includes(`>${flag ?? env}<`) || page.includes(`name="${name}"`) || name === 'siteZone', name)
  const editor = await visitor(site, 'editor')
  assert.equal((await editor.show('/admin/system')).status, 403)
})
