import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { changePassword } from '../src/accounts/sessions/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { openTestApp } from './support/app.ts'
import type { TestScope } from './support/at-end.ts'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, violations, visit } from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { openRemoteSite } from './support/images.ts'

after(closeBrowser)

const PASSWORD = 'seven quiet otters'

/** A diary with an event, and one that cannot be read. */
const DIARY = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20270105T100000Z', 'SUMMARY:Regatta'],
  ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:2', 'DTSTART:nonsense', 'END:VEVENT', 'END:VCALENDAR', ''],
]

/** A calendar with an administrator, and another site with a diary. */
async function open(t: TestScope) {
  const other = await openRemoteSite(t, {
    '/diary.ics': (response) => void response.end(DIARY.join('\r\n')),
    '/broken.ics': (response) => void response.writeHead(503).end(),
  })
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const owner = await findLogin(app.app.storage, 'administrator')
  await changePassword(app.app, owner?.id ?? 0, PASSWORD)
  return { app, other }
}

async function signIn(page: Awaited<ReturnType<typeof visit>>['page'], origin: string): Promise<void> {
  await page.goto(`${origin}/admin/login`)
  await page.getByLabel('Username or email').fill('administrator')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

for (const javaScriptEnabled of [true, false]) {
  test(`a calendar is followed and followed no longer in a browser, scripts ${javaScriptEnabled ? 'on' : 'off'}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    const { app, other } = await open(t)
    const { page } = await visit(t, { javaScriptEnabled })
    await signIn(page, app.origin)
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Calendar subscriptions' })
      .click()
    await page.getByLabel('URL').fill(`${other.origin}/diary.ics`)
    await page.getByLabel('Name', { exact: true }).fill('Rowers')
    await page.getByLabel('Sync every').selectOption({ label: '6 hours' })
    await page.getByLabel('Categories').fill('Water, Sports')
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    assert.equal(await page.getByRole('status').textContent(), 'Synced')
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Rowers')
    const { body } = await app.call('anonymous', 'GET', '/events', { query: { start_date: '2027-01-01' } })
    assert.deepEqual(
      body.events.map(({ title }: { title: string }) => title),
      ['Regatta'],
    )
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('link', { name: 'Unsubscribe' }).click()
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    assert.match((await page.getByRole('status').textContent()) ?? '', /^Moved to trash/)
    await page.getByRole('button', { name: 'Restore' }).click()
    assert.equal(await page.getByRole('status').textContent(), 'Restored')
    await page.getByRole('link', { name: 'Rowers' }).waitFor()
  })
}

for (const isWriting of [false, true]) {
  const what = isWriting ? 'offers it to whoever is writing meanwhile' : 'goes on to what came of it'
  test(`the page of a subscription that is being synced survives being loaded again, and ${what}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    const { app } = await open(t)
    const held = Promise.withResolvers<void>()
    const slow = await openRemoteSite(t, {
      '/slow.ics': (response) => void held.promise.then(() => response.end(DIARY.join('\r\n'))),
    })
    const subscriptions = `${app.origin}/kalends/v1/subscriptions`
    const json = { url: `${slow.origin}/slow.ics`, name: 'Sailors' }
    const { body } = await app.call('administrator', 'POST', subscriptions, { json })
    const { page } = await visit(t)
    await signIn(page, app.origin)
    await page.getByRole('navigation', { name: 'Administration' }).waitFor()
    const synced = app.call('administrator', 'POST', `${subscriptions}/${body.id}/sync`)
    const address = `${app.origin}/admin/subscriptions/${body.id}`
    const progress = page.getByRole('status').filter({ hasText: 'Syncing. You can leave' })
    // The sync has perhaps not begun when the page is asked for the first time.
    do await page.goto(address)
    while ((await progress.count()) === 0)
    await page.reload()
    await progress.filter({ hasText: '0 events so far' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await page.goto(`${app.origin}/admin/subscriptions`)
    await progress.filter({ hasText: 'Sailors' }).waitFor()
    await page.goto(address)
    await progress.waitFor()
    if (isWriting) await page.getByLabel('Name', { exact: true }).fill('Sailors!')
    held.resolve()
    await synced
    if (isWriting) {
      await page.getByRole('status').filter({ hasText: 'Finished.' }).waitFor()
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Sailors!')
      await page.getByRole('link', { name: 'Refresh' }).click()
    }
    await page
      .getByRole('status')
      .filter({ hasText: /^Synced$/ })
      .waitFor()
    await page.getByRole('cell', { name: '1', exact: true }).first().waitFor()
  })
}

for (const locale of ['en', 'ar']) {
  test(`no page of subscriptions breaks a rule of accessibility, or is wider than its screen, in any look in ${locale}`, {
    skip: NO_BROWSER || (locale !== 'en' && ONLY_NIGHTLY),
  }, async (t) => {
    const { app, other } = await open(t)
    const subscriptions = `${app.origin}/kalends/v1/subscriptions`
    for (const [name, path] of [
      ['Rowers', '/diary.ics'],
      [`${'A very long name of a calendar '.repeat(3)}with${'outspaces'.repeat(8)}`, '/broken.ics'],
    ] as const) {
      const { body } = await app.call('administrator', 'POST', subscriptions, {
        json: { url: other.origin + path, name },
      })
      await app.call('administrator', 'POST', `${subscriptions}/${body.id}/sync`)
    }
    const { page, context } = await visit(t)
    await signIn(page, app.origin)
    await page.getByRole('navigation', { name: 'Administration' }).waitFor()
    const storageState = await context.storageState()
    const { page: looked } = await visit(t, { locale, storageState })
    for (const path of ['', '/subscriptions', '/subscriptions/1', '/subscriptions/2', '/subscriptions/1/remove']) {
      await looked.goto(`${app.origin}/admin${path}`)
      assert.deepEqual(await faultsInEveryLook(looked), [], `${locale} ${path}`)
    }
  })
}
