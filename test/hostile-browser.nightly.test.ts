import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addUser } from '../src/accounts/users/index.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { assertFits, closeBrowser, NO_BROWSER, SCREENS, visit, WAYS } from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { sampleImage } from './support/sample-image.ts'
import { openSections, signInAs } from './support/sign-in.ts'
import { upload } from './support/upload.ts'

const MINUTES = { skip: NO_BROWSER, timeout: 1_200_000 }

/** Runs in attributes, in elements, behind the end of a script, as an address and as a handler. */
const ATTACK = `'"></script></title></textarea><script>window.hit=1</script><img src=x onerror="window.hit=1"><svg onload="window.hit=1">`

/** The same where an item has been written by somebody who escaped it. */
const ESCAPED = ATTACK.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What stands in every field of one event each. */
const TEXTS: Readonly<Record<string, string>> = {
  script: ATTACK,
  'escaped script': ESCAPED,
  'one word': 'W'.repeat(300),
  'right to left overrides': '\u202eevil\u2066 left \u202d\u2067 mixed',
  emoji: '🎉👩‍👩‍👧‍👦'.repeat(60),
  Arabic: 'ليلة العود '.repeat(20),
  // One letter each, in which no line can be broken.
  'enclosing marks': `a${'\u20dd'.repeat(150)}`,
  'Thai marks': `ก${'\u0e49'.repeat(150)}`,
  'a family of hundreds': '👩\u200d'.repeat(150),
}

/** An address that ends the attribute that it stands in, as far as addresses may. */
const ADDRESS = `https://nowhere.example/"onmouseover="window.hit=1"autofocus='onfocus='window.hit=1'`

/** Which of them has the longest description. */
const LONGEST = 2

/** Longest description, in characters: nearly what a body may have, of which a browser needs many seconds for a form. */
const HUGE = ONLY_NIGHTLY ? 100_000 : 995_000

let app: TestApp
let paths: readonly string[] = []
let forms: readonly string[] = []
const ends: (() => Promise<void>)[] = []

before(async () => {
  if (NO_BROWSER !== false) return
  app = await openTestApp({ after: (step) => void ends.push(step) }, { siteName: ATTACK.slice(0, 60) })
  const bytes = await sampleImage(1)
  const words = { title: ATTACK, alt_text: ATTACK, caption: ATTACK }
  const picture = (await upload(app, 'administrator', { bytes, name: 'x.png', texts: words })).body.id
  const made = []
  for (const [index, text] of Object.values(TEXTS).entries()) made.push(await makeEvent(index, text, picture))
  const pathsOf = (addresses: readonly (string | undefined)[]) =>
    addresses.flatMap((one) => (one === undefined ? [] : [new URL(one).pathname]))
  const terms = made.flatMap(({ categories, tags }) => [...categories, ...tags])
  const termPages = []
  for (const { urls } of terms) termPages.push((await app.call('anonymous', 'GET', urls.self)).body.url)
  paths = [
    ...['/', '/events/', '/events/past/', '/events/2026-11/', '/events/week/2026-11-23/', '/events/2026-11-24/'],
    ...['/events/map/', '/series/weekly/', '/embed/', '/events/?embed=1'],
    ...[`/search?q=${encodeURIComponent(ATTACK.slice(0, 190))}`, `/events/?search=${encodeURIComponent(ATTACK)}`],
    ...[`/embed/?view=month&of=${encodeURIComponent(ATTACK)}&search=${encodeURIComponent(ATTACK)}`],
    `/nowhere/${encodeURIComponent(ATTACK)}`,
    `/admin/login?next=${encodeURIComponent(ATTACK)}`,
    ...pathsOf(made.flatMap(({ url, venue, organizer }) => [url, venue.url, organizer[0].url])),
    ...pathsOf(termPages),
  ]
  forms = [
    ...(await makeOthers()),
    ...made.map(({ id }) => `/events/${id}/history`),
    ...['', '/events', '/venues', '/organizers', '/categories', '/tags', '/media', '/users', '/settings', '/profile'],
    ...[`/events?search=${encodeURIComponent(ATTACK)}`, `/events/new?done=${encodeURIComponent(ATTACK)}`],
    ...made.flatMap(({ id, venue, organizer }) => [
      `/events/${id}`,
      `/venues/${venue.id}`,
      `/organizers/${organizer[0].id}`,
    ]),
    ...made.slice(0, 2).flatMap(({ categories, tags }) => [`/categories/${categories[0].id}`, `/tags/${tags[0].id}`]),
  ]
})
after(async () => {
  await closeBrowser()
  for (const end of ends) await end()
})

/** An event with a text in each field, its venue, organizer, category and tag included. */
async function makeEvent(index: number, text: string, image: number) {
  const day = `2026-11-${20 + index}`
  const times = { start_date: `${day} 20:00:00`, end_date: `${day} 22:00:00` }
  const description = `<p>${text}</p>${ATTACK}<a href="javascript:hit=1">x</a>`
  const long = index === LONGEST ? 'word '.repeat(HUGE / 5) : description
  const region = { stateprovince: text, state: text, province: text }
  const place = { address: text, city: text, country: text, zip: text, phone: text, geo_lat: 46.2, geo_lng: -123.8 }
  const json = {
    ...{ title: text, description: long, excerpt: text, cost: text, image, featured: true, ...times },
    ...{
      venue: { venue: text, description, image, website: ADDRESS, ...place, ...region },
      organizer: { organizer: text, phone: text, description, website: ADDRESS },
    },
    ...{ categories: [text.slice(0, 150)], tags: [text.slice(0, 150)] },
    ...{ event_status: 'rescheduled', event_status_reason: text.slice(0, 200), is_virtual: true, virtual_url: ADDRESS },
    ...{
      website: ADDRESS,
      custom_fields: { dress_code: text },
      tickets: [{ name: text, price: '1', currency: 'EUR', url: ADDRESS }],
    },
    ...(index === 0 && { slug: 'weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] }),
  }
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
  const changed = { cost: `${text} 2`, venue: body.venue.id }
  assert.equal((await app.call('administrator', 'POST', `/events/${body.id}`, { json: changed })).status, 200)
  return body
}

/** A user, a subscription and a webhook with each text in their words; the addresses of their pages below `/admin`. */
async function makeOthers(): Promise<readonly string[]> {
  const paths = ['/subscriptions', '/webhooks', '/queue', '/system']
  for (const [index, text] of Object.values(TEXTS).entries()) {
    const name = `user-${index}`
    await addUser(app.app, { name, email: `${name}@example.org`, role: 'author', displayName: text })
    const make = async (collection: string, json: object) => {
      const address = `${app.origin}/kalends/v1/${collection}`
      const { status, body } = await app.call('administrator', 'POST', address, { json })
      assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
      return `/${collection}/${body.id}`
    }
    const url = `https://nowhere.example/${index}.ics`
    paths.push(
      await make('subscriptions', { url, name: text, paused: true }),
      await make('webhooks', { url, description: text, events: ['tag.deleted'], active: false }),
      `/users/${name}`,
    )
  }
  return paths
}

/** Looks at pages one after the other, on every screen: nothing may have run, and nothing be wider than the screen. */
async function lookAt(page: Page, addresses: readonly string[]): Promise<void> {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(`${page.url()}: ${dialog.type()}`)
    void dialog.dismiss()
  })
  const wide: string[] = []
  for (const address of addresses) {
    await page.goto(app.origin + address)
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport)
      await assertFits(page, `${address} on ${screen}`).catch((error: Error) => wide.push(error.message))
    }
    assert.equal(await page.evaluate("'hit' in window"), false, address)
  }
  assert.deepEqual(wide, [])
  assert.deepEqual(dialogs, [])
}

/** Addresses that texts name are nowhere. */
const NOWHERE = /ERR_|Failed to load resource/

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`hostile texts neither run nor break a public page on any screen, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, provokes: NOWHERE })
    await lookAt(page, paths)
  })
}

test('hostile texts neither run nor break a form of the administration on any screen', MINUTES, async (t) => {
  const { page } = await visit(t, { provokes: NOWHERE })
  await signInAs(page, app, 'administrator')
  await lookAt(
    page,
    forms.map((path) => `/admin${path}`),
  )
})

test('a form gives back what it was given, whatever it is', MINUTES, async (t) => {
  const { page } = await visit(t, { provokes: NOWHERE })
  await signInAs(page, app, 'administrator')
  for (const [name, text] of Object.entries(TEXTS)) {
    await page.goto(`${app.origin}/admin/events/new`)
    await page.locator('[name=title]').fill(text)
    await openSections(page)
    await page.locator('[name=cost]').fill(text)
    await page.locator('[name=start_date]').fill('2026-11-24')
    await page.locator('[name=end_date]').fill('2026-11-23')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('alert').first().waitFor()
    const given = [await page.locator('[name=title]').inputValue(), await page.locator('[name=cost]').inputValue()]
    assert.deepEqual(given, [text, text], name)
    assert.equal(await page.evaluate("'hit' in window"), false, name)
  }
})
