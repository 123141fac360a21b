// Only with --all: every page of the administration is inspected in every look.
// SQLite alone: how pages look does not depend on the database.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { Page } from 'playwright-core'
import { makeLink } from '../src/sessions/index.ts'
import type { TestApp } from './support/app.ts'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from './support/browser.ts'
import { ONLY_WITH_ALL } from './support/draws.ts'
import { samplePicture } from './support/sample-picture.ts'
import { signedIn } from './support/signed-in.ts'
import { upload } from './support/upload.ts'

after(closeBrowser)

const WHEN = { start_date: '2026-12-01 18:00', end_date: '2026-12-01 19:00', status: 'publish' }

/** Items of every kind, and the addresses of their pages below `/admin`. */
async function exhibits(site: TestApp): Promise<readonly string[]> {
  const made = async (path: string, json: object): Promise<number> =>
    (await site.call('administrator', 'POST', path, { json })).body.id
  const venue = await made('/venues', { venue: 'Hall', address: '1 Pier Road', city: 'Harbourtown', exclusive: true })
  const organizer = await made('/organizers', { organizer: 'Sailors', email: 'sailors@club.example' })
  const category = await made('/categories', { name: 'Sport' })
  const tag = await made('/tags', { name: 'wind' })
  const description =
    '<h2>Programme</h2><p>Some <strong>words</strong></p><ul><li>One</li></ul><table><tr><td>A</td></tr></table>'
  const event = await made('/events', {
    title: 'Regatta',
    description,
    venue,
    organizer,
    categories: [category],
    ...WHEN,
  })
  await site.call('administrator', 'POST', `/events/${event}`, { json: { title: 'Great regatta' } })
  const series = await made('/events', { title: 'Yoga', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'], ...WHEN })
  const { body } = await site.call('anonymous', 'GET', `/events?series=${series}`)
  await made('/events', { title: 'Draft', ...WHEN, status: 'pending' })
  await upload(site, 'administrator', { bytes: await samplePicture(1), texts: { alt_text: 'A boat' } })
  return [
    ...[`/events/${event}`, `/events/${event}/history`, `/events/${body.events[1].id}`],
    ...[`/venues/${venue}`, `/venues/${venue}/history`, `/organizers/${organizer}`, `/categories/${category}`],
    ...[`/categories/${category}/history`, `/tags/${tag}`],
  ]
}

const PAGES = [
  ...['', '/events', '/events?status=trash', '/events?orderby=title&order=desc', '/events/new'],
  ...[
    '/venues',
    '/venues?status=trash',
    '/venues/new',
    '/organizers',
    '/organizers/new',
    '/categories',
    '/categories/new',
  ],
  ...['/tags', '/tags/new', '/media', '/queue', '/sources', '/import', '/users', '/settings', '/system', '/profile'],
]

/** What is wrong with a page in any look. */
async function faultsOf(page: Page, address: string): Promise<readonly string[]> {
  const response = await page.goto(address)
  return [...(response?.status() === 200 ? [] : [`status ${response?.status()}`]), ...(await faultsInEveryLook(page))]
}

for (const locale of ['en', 'ar']) {
  test(`no page of the administration breaks a rule of accessibility, is too wide, or breaks its policy, in ${locale}`, {
    skip: NO_BROWSER || (locale !== 'en' && ONLY_WITH_ALL),
    timeout: 1_800_000,
  }, async (t) => {
    const { page: first, context, site, admin } = await signedIn(t)
    await first.goto(admin)
    const navigation = first.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    const links = await navigation.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const linked = links.filter((path) => path.startsWith('/admin')).map((path) => path.slice('/admin'.length))
    assert.ok(linked.length > 10, links.join(' '))
    const paths = [...new Set([...linked, ...PAGES, ...(await exhibits(site))])]
    const storageState = await context.storageState()
    const cards = [
      '/admin/login',
      (await makeLink(site.app, { name: 'administrator', purpose: 'setup' })).path,
      (await makeLink(site.app, { name: 'author' })).path,
    ]
    const { page } = await visit(t, { locale, storageState })
    for (const path of paths) assert.deepEqual(await faultsOf(page, admin + path), [], `${locale} ${path}`)
    assert.equal(await page.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr')
    await page.locator('button[value=delete]').click()
    await page.locator('[name=confirmed]').waitFor({ state: 'attached' })
    assert.deepEqual(await faultsInEveryLook(page), [], `${locale}: the question before a tag is deleted`)
    const out = await visit(t, { locale })
    for (const path of cards) assert.deepEqual(await faultsOf(out.page, site.origin + path), [], `${locale} ${path}`)
  })
}
