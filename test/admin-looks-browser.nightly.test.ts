import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { Page } from 'playwright-core'
import { digestOf, makeLink } from '../src/accounts/sessions/index.ts'
import type { AdminDeps } from '../src/admin/deps.ts'
import { adminPages } from '../src/admin/index.ts'
import { insertSubmission } from '../src/admin/submissions/store.ts'
import type { TestApp } from './support/app.ts'
import { assertFits, closeBrowser, faultsInEveryLook, NO_BROWSER, SCREENS, visit } from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { walk, ZOOMED } from './support/layout.ts'
import { sampleImage } from './support/sample-image.ts'
import { signedIn } from './support/signed-in.ts'
import { upload } from './support/upload.ts'
import { eventually } from './support/webhook-receiver.ts'

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
  const submitted = await made('/events', { title: 'Draft', ...WHEN, status: 'pending' })
  await submission(site, submitted)
  await upload(site, 'administrator', { bytes: await sampleImage(1), texts: { alt_text: 'A boat' } })
  return [
    ...[`/events/${event}`, `/events/${event}/history`, `/events/${body.events[1].id}`],
    ...[`/venues/${venue}`, `/venues/${venue}/history`, `/organizers/${organizer}`, `/categories/${category}`],
    ...[`/categories/${category}/history`, `/tags/${tag}`, `/tags/${tag}/history`, `/organizers/${organizer}/history`],
    ...[`/webhooks/${await webhook(site)}`, '/users/author'],
    ...[`/queue/${submitted}/ask`, `/queue/${submitted}/decline`],
  ]
}

/** What whoever submitted an event has a link to. */
const SUBMITTER = 's'.repeat(43)

/** Has a visitor have submitted an event. */
async function submission({ app }: TestApp, event: number): Promise<void> {
  const who = { name: 'Grace', email: 'grace@example.net', created_at: '2026-11-28 10:00:00', language: 'en' }
  const row = { event_id: event, ...who, link: digestOf(SUBMITTER), sealed_link: '' }
  await app.storage.write((tx) => insertSubmission(tx, row))
}

/** A webhook that is told of nothing that happens here. */
async function webhook(site: TestApp): Promise<number> {
  const json = { url: 'https://hooks.example.org/in', events: ['organizer.deleted'], description: 'Search of the city' }
  const { body } = await site.call('administrator', 'POST', `${site.origin}/kalends/v1/webhooks`, { json })
  return body.id
}

const TABLE = ['Event Name,Event Start Date,Event Start Time', 'Winter Race,2027-01-05,10:00', 'Broken,some day,']

/** Has long work done, and returns the addresses of its reports below `/admin`: of a backup, an import and a change of many. */
async function reports(page: Page, admin: string): Promise<readonly string[]> {
  await page.goto(`${admin}/system`)
  await page.locator('button[value=backup]').click()
  await page.locator('table a.title[href^="/admin/work/"]').first().waitFor()
  const file = { name: 'winter.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE.join('\r\n')) }
  await page.goto(`${admin}/import`)
  await page.locator('main input[type=file]').setInputFiles(file)
  await page.locator('main form:has(input[type=file]) button').click()
  await page.locator('main table').first().waitFor()
  await page.locator('button[value=import]').click()
  await page.locator('button[value=import]').waitFor({ state: 'detached' })
  await eventually('three reports', async () => {
    await page.goto(`${admin}/system`)
    return (await page.locator('main table').getByText('Done', { exact: true }).count()) === 3
  })
  const links = page.locator('table a.title[href^="/admin/work/"]')
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(paths)].map((path) => path.slice('/admin'.length))
}

/**
 * Addresses that are no pages, that are there only with a mail server, an identity provider or passkeys, or that other tests look at: the
 * form for visitors, and subscriptions with all that befalls them.
 */
const ELSEWHERE = [
  ...['/admin/forgot', '/admin/link/stop/:token'],
  ...[
    '/admin/logout',
    '/admin/offers/:field',
    '/admin/oidc/:id',
    '/admin/oidc/:id/callback',
    '/admin/oidc/:id/logout',
    '/admin/passkey',
    '/admin/profile/identities',
    '/admin/profile/sign-in',
    '/admin/recurrence',
    '/admin/subscriptions/:id',
    '/admin/subscriptions/:id/remove',
  ],
  '/submit',
]

/** Pages of the administration that are not among these addresses. */
function leftOut(addresses: readonly string[]): readonly string[] {
  const patterns = adminPages({ config: { mediaLimit: 1 } } as AdminDeps).map(({ path }) => path)
  return patterns.filter((pattern) => {
    const shape = new RegExp(`^${pattern.replace(/:\w+/g, '[^/?]+')}$`)
    return !addresses.some((address) => shape.test(address.replace(/\?.*/, '')))
  })
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
  ...[
    '/tags',
    '/tags/new',
    '/media',
    '/queue',
    '/subscriptions',
    '/import',
    '/users',
    '/settings',
    '/system',
    '/profile',
    '/confirm',
  ],
]

/** What is wrong with a page in any look, and at 400 %. */
async function faultsOf(page: Page, address: string): Promise<readonly string[]> {
  const response = await page.goto(address)
  const faults = [...(response?.status() === 200 ? [] : [`status ${response?.status()}`])]
  faults.push(...(await faultsInEveryLook(page)))
  await page.setViewportSize(ZOOMED)
  await assertFits(page, 'at 400 %').catch((error: Error) => faults.push(error.message))
  return faults
}

for (const locale of ['en', 'ar']) {
  test(`no page of the administration breaks a rule of accessibility, is too wide, or breaks its policy, in ${locale}`, {
    skip: NO_BROWSER || (locale !== 'en' && ONLY_NIGHTLY),
    timeout: 1_800_000,
  }, async (t) => {
    const { page: first, context, site, admin } = await signedIn(t)
    await first.goto(admin)
    const navigation = first.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    const links = await navigation.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const linked = links.filter((path) => path.startsWith('/admin')).map((path) => path.slice('/admin'.length))
    assert.ok(linked.length > 10, links.join(' '))
    const paths = [...new Set([...linked, ...PAGES, ...(await exhibits(site)), ...(await reports(first, admin))])]
    const storageState = await context.storageState()
    const cards = [
      '/admin/login',
      (await makeLink(site.app, { name: 'administrator', purpose: 'setup' })).path,
      (await makeLink(site.app, { name: 'author' })).path,
      `/submit/link/${SUBMITTER}`,
    ]
    const seen = [...paths.map((path) => `/admin${path}`), ...cards]
    assert.deepEqual(leftOut(seen).toSorted(), ELSEWHERE, 'pages that nobody looks at')
    const { page } = await visit(t, { locale, storageState })
    for (const path of paths) assert.deepEqual(await faultsOf(page, admin + path), [], `${locale} ${path}`)
    assert.equal(await page.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr')
    await page.goto(admin + (paths.find((path) => /^\/tags\/\d+$/.test(path)) ?? ''))
    await page.locator('button[value=delete]').click()
    await page.locator('button[value=restore]').waitFor()
    assert.deepEqual(await faultsInEveryLook(page), [], `${locale}: the message after a tag was deleted`)
    const out = await visit(t, { locale })
    for (const path of cards) assert.deepEqual(await faultsOf(out.page, site.origin + path), [], `${locale} ${path}`)
  })
}

test('the key Tab leads through every page of the administration to its end, and the focus is seen', {
  skip: NO_BROWSER || ONLY_NIGHTLY,
  timeout: 1_800_000,
}, async (t) => {
  const { page, site, admin } = await signedIn(t)
  await page.setViewportSize(SCREENS.desktop)
  page.on('dialog', (dialog) => void dialog.accept())
  for (const path of [...PAGES, ...(await exhibits(site))]) {
    await page.goto(admin + path)
    assert.ok((await walk(page)) > 10, path)
  }
})
