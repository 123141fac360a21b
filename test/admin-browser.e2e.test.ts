import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { closeBrowser, NO_BROWSER, violations, visit } from './support/browser.ts'
import { foreignSite } from './support/foreign-site.ts'
import { kalends, openDataFolder, startServer } from './support/server.ts'
import { openSections } from './support/sign-in.ts'

after(closeBrowser)

const PASSWORD = 'seven quiet otters'

/** A server that has just been started for the first time, and the link that it printed. */
async function firstStart(t: TestContext) {
  const data = await openDataFolder(t)
  const server = await startServer(data)
  const setup = /Set up {4}(\S+)/.exec(server.output())?.[1] ?? ''
  const picture = join(data, 'poster.png')
  await writeFile(
    picture,
    await sharp({ create: { width: 640, height: 480, channels: 3, background: '#357' } })
      .png()
      .toBuffer(),
  )
  return { server, setup, picture }
}

async function setUp(page: Page, setup: string): Promise<void> {
  await page.goto(setup)
  await page.getByLabel('Site name').fill('Harbour')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set up calendar' }).click()
}

for (const javaScriptEnabled of [true, false]) {
  test(`from the first start to a published event with a picture, scripts ${javaScriptEnabled ? 'on' : 'off'}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    const { server, setup, picture } = await firstStart(t)
    const { page } = await visit(t, { javaScriptEnabled })
    await setUp(page, setup)
    await page.getByLabel('Title').fill('Night of the museums')
    await page.getByLabel('Venue', { exact: true }).fill('Harbour Hall')
    await openSections(page)
    await page.getByLabel('Organizers').fill('City of Harbour')
    await page.getByLabel('Categories').fill('Culture')
    await page.locator('#f-file').setInputFiles(picture)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    // The page before has a status, too.
    await page
      .getByRole('status')
      .filter({ hasText: /^Published/ })
      .waitFor()
    const month = (await page.getByLabel('Starts').inputValue()).slice(0, '2026-11'.length)
    const visitor = await visit(t, { javaScriptEnabled })
    await visitor.page.goto(`${server.origin}/events/${month}/`)
    await visitor.page.getByRole('link', { name: 'Night of the museums' }).first().click()
    await visitor.page.getByRole('heading', { name: 'Night of the museums', level: 1 }).waitFor()
    await visitor.page.locator('.pic a img').waitFor()
    await openSections(page)
    await page.getByLabel('Cost').fill('€5')
    await page.getByRole('button', { name: 'Update' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved/ })
      .waitFor()
    const { events } = (await (await fetch(`${server.origin}/cal/events/v1/events`)).json()) as {
      events: { title: string; cost: string; image: object }[]
    }
    assert.deepEqual(
      events.map(({ title, cost }) => [title, cost]),
      [['Night of the museums', '€5']],
    )
    assert.ok(events[0]?.image)
    await page.getByRole('button', { name: 'Move to trash' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Moved to trash/ })
      .waitFor()
  })
}

test('who follows a link that the command line has made chooses a password, and signs in with it', {
  skip: NO_BROWSER,
}, async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data)
  await kalends('user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org', '--data', data)
  const told = await kalends('user', 'link', 'ann', '--data', data)
  const path = /http:\/\/[^/\s]+(\/admin\/link\/[\w-]+)/.exec(told)?.[1] ?? ''
  const { page, context } = await visit(t, { javaScriptEnabled: false })
  await page.goto(server.origin + path)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await context.clearCookies()
  await page.goto(server.origin + path)
  await page.getByRole('heading', { name: 'This link doesn’t work', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Username or email').fill('ann@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('two browsers edit one event: the second sees both versions, and both changes survive', {
  skip: NO_BROWSER,
}, async (t) => {
  const { setup } = await firstStart(t)
  const { page, context } = await visit(t)
  await setUp(page, setup)
  await page.getByLabel('Title').fill('Regatta')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const other = await context.newPage()
  await other.goto(page.url())
  await openSections(other)
  await other.getByLabel('Cost').fill('Free')
  await other.getByRole('button', { name: 'Update' }).click()
  await page.getByLabel('Title').fill('Great regatta')
  await page.getByRole('button', { name: 'Update' }).click()
  assert.match((await page.getByRole('heading', { level: 1 }).textContent()) ?? '', /^Two versions of /)
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Save selected versions' }).click()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Great regatta')
  assert.equal(await page.getByLabel('Cost').inputValue(), 'Free')
})

test('a page of another site can neither frame the sign-in nor send a form of it', { skip: NO_BROWSER }, async (t) => {
  const { server, setup } = await firstStart(t)
  const { page, context } = await visit(t, { provokes: /Framing .* "frame-ancestors 'none'"/ })
  await setUp(page, setup)
  const evil = await foreignSite(t, {
    '/form': `<form method="post" action="${server.origin}/admin/profile"><input name="action" value="end-all"><button>Win</button></form>`,
    '/frame': `<iframe src="${server.origin}/admin/profile"></iframe>`,
  })
  const attack = await context.newPage()
  await attack.goto(`${evil}/form`)
  await attack.getByRole('button').click()
  await attack.waitForURL(/admin/)
  assert.match(await attack.content(), /Changes cannot be sent from pages on other sites/)
  await page.goto(`${server.origin}/admin/profile`)
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Profile')
  const framing = await context.newPage()
  await framing.goto(`${evil}/frame`, { waitUntil: 'networkidle' })
  const frame = framing.frames().find((one) => one !== framing.mainFrame())
  assert.doesNotMatch((await frame?.content()) ?? '', /Sign out everywhere/)
})
