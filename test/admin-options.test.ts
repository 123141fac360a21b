import assert from 'node:assert/strict'
import test from 'node:test'
import { OPTION_LIST } from '../src/base/config.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('the page of the system shows the options of the server as they are, and no secret', async (t) => {
  const secret = 'correct horse battery staple and more'
  const site = await openTestApp(t, {
    ...{ secret, mediaLimit: '7000000', namespaces: 'tube/v1,film/v1' },
  })
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/system')
  const value = (flag: string): string | undefined =>
    new RegExp(`<code dir="ltr">${flag}</code></th><td><bdi dir="ltr">([^<]*)</bdi>`).exec(text)?.[1]
  assert.equal(value('--media-limit'), '7000000')
  assert.equal(value('--plain-sessions'), 'no')
  assert.equal(value('--namespaces'), 'tube/v1,film/v1')
  assert.equal(value('--trusted-proxies'), '–')
  assert.equal(value('KALENDS_SECRET'), '***')
  assert.doesNotMatch(text, /correct horse|postgres(ql)?:\/\/[^*]*:[^*]*@/)
  // What can be changed has its own page; everything else is here.
  const fixed = ['limitReads', 'limitCostlyReads', 'limitWrites', 'limitLogIns', 'limitGuesses', 'limitSubmissions']
  const open = await openTestApp(t, Object.fromEntries(fixed.map((name) => [name, undefined])))
  const page = text + (await (await visitor(open, 'administrator')).show('/admin/settings')).text
  for (const [name, { flag, env }] of OPTION_LIST)
    assert.ok(page.includes(`>${flag ?? env}<`) || page.includes(`name="${name}"`) || name === 'siteZone', name)
  const editor = await visitor(site, 'editor')
  assert.equal((await editor.show('/admin/system')).status, 403)
})
