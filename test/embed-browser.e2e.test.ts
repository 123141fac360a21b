import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { closeBrowser, NO_BROWSER, visit } from './support/browser.ts'
import { foreignSite } from './support/foreign-site.ts'

after(closeBrowser)

test('a page of another site shows the calendar, and texts of events as texts', {
  skip: NO_BROWSER,
  timeout: 600_000,
}, async (t) => {
  const app = await openTestApp(t, { siteName: 'Harbour' })
  const hostile = '<img src=x onerror="window.hit=1">'
  const sent = hostile.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  for (const [title, day, categories] of [
    ['Jazz', '2026-11-28', ['Music']],
    [`Attack ${sent}`, '2026-11-29', []],
    ['Over', '2026-11-01', ['Past & gone']],
  ] as const) {
    const json = { title, categories, start_date: `${day} 19:00`, end_date: `${day} 22:00`, venue: { venue: sent } }
    const { status, body } = await app.call('administrator', 'POST', '/events', { json })
    assert.equal(status, 201, JSON.stringify(body))
  }
  const script = `<script type="module" src="${app.origin}/embed/calendar.js"></script>`
  const element = (attributes: string) => `<kalends-calendar src="${app.origin}" ${attributes}></kalends-calendar>`
  const elsewhere = await foreignSite(t, {
    '/all': script + element(''),
    '/music': script + element('category="music"'),
    '/empty': script + element('category="past-gone"'),
    '/german': `${script}<div lang="de-AT">${element('')}</div>`,
    '/filtered': script + element('filter="search=jazz"'),
    '/arabic': `${script}<div lang="ar">${element('view="week" category="music"')}</div>`,
    '/month': script + element('view="month"'),
    '/hostile':
      script + element('view="x" category="../../admin" title="&quot;&gt;&lt;script&gt;window.hit=1&lt;/script&gt;"'),
    '/nowhere': `${script}<kalends-calendar src="javascript:window.hit=1"></kalends-calendar>`,
  })
  const { page } = await visit(t, { provokes: /hostile: (Framing .* "frame-ancestors 'self'"|.* 404 )/ })
  const titles = page.locator('kalends-calendar li a')
  await page.goto(`${elsewhere}/all`)
  await titles.first().waitFor()
  assert.deepEqual(await titles.allTextContents(), ['Jazz', `Attack ${hostile}`])
  assert.match((await page.locator('kalends-calendar li p').first().textContent()) ?? '', /22:00 EST · \S/)
  await page.goto(`${elsewhere}/music`)
  await titles.first().waitFor()
  assert.deepEqual(await titles.allTextContents(), ['Jazz'])
  await page.goto(`${elsewhere}/empty`)
  const link = page.getByRole('link', { name: 'Past & gone' })
  assert.equal(await link.getAttribute('href'), `${app.origin}/events/category/past-gone/`)
  await page.goto(`${elsewhere}/german`)
  await page.getByText('Samstag, 28. November').waitFor()
  assert.equal(await titles.first().getAttribute('href'), `${app.origin}/de/event/jazz/`)
  await page.goto(`${elsewhere}/filtered`)
  await titles.first().waitFor()
  assert.deepEqual(await titles.allTextContents(), ['Jazz'])
  await page.goto(`${elsewhere}/arabic`)
  const frame = page.locator('kalends-calendar iframe')
  assert.equal(await frame.getAttribute('title'), 'التقويم')
  assert.equal(await frame.getAttribute('src'), `${app.origin}/ar/events/category/music/week/?embed=1`)
  await page.goto(`${elsewhere}/month`)
  await page.frameLocator('kalends-calendar iframe').getByRole('heading', { name: 'November 2026' }).waitFor()
  for (const path of ['/hostile', '/nowhere']) {
    await page.goto(elsewhere + path, { waitUntil: 'networkidle' })
    assert.equal(await page.evaluate("'hit' in window"), false, path)
  }
})
