import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { changePassword } from '../src/accounts/sessions/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import {
  closeBrowser,
  faultsInEveryLook,
  gotoWithoutScripts,
  NO_BROWSER,
  SCREENS,
  violations,
  visit,
  WAYS,
} from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { FORM, submit } from './support/submissions.ts'

after(closeBrowser)

/** A calendar of its own for a test, with a venue and categories to choose from. */
async function harbourtown(t: TestContext): Promise<TestApp> {
  const app = await openTestApp(t, { submissions: 'yes', siteName: 'Harbourtown' })
  const made = async (path: string, json: object): Promise<void> =>
    assert.equal((await app.call('administrator', 'POST', path, { json })).status, 201)
  await made('/venues', { venue: 'Old Customs House' })
  for (const name of ['Music', 'Talks']) await made('/categories', { name })
  return app
}

const ALL_SCREENS = { ...SCREENS, narrow: { width: 320, height: 640 } }

const LANGUAGES_AND_WAYS = ['en', 'ar'].flatMap((language) =>
  WAYS.map(({ javaScriptEnabled: hasScripts, way }) => ({ language, hasScripts, way })),
)

for (const { language, hasScripts, way } of LANGUAGES_AND_WAYS) {
  test(`axe finds nothing on the form of visitors in ${language}, on any screen, light or dark, ${way}`, {
    skip: NO_BROWSER || (!(language === 'en' && hasScripts) && ONLY_NIGHTLY),
    timeout: 240_000,
  }, async (t) => {
    const app = await harbourtown(t)
    const { page } = await visit(t)
    const goTo = (address: string) => (hasScripts ? page.goto(address) : gotoWithoutScripts(page, address))
    const assertGood = async (name: string): Promise<void> => {
      assert.deepEqual(await faultsInEveryLook(page, ALL_SCREENS), [], name)
    }
    await goTo(`${app.origin}/${language}/submit/`)
    await assertGood('empty')
    await page.locator('[name=title]').fill(`${'W'.repeat(150)} \u202eevil 🎉`)
    await page.locator('[name=description]').fill('"><script>window.hit=1</script>'.repeat(200))
    await page.locator('[name=submitter_name]').fill('G')
    await page.locator('[name=submitter_email]').fill('nobody@nowhere')
    await page.locator('form.submit button').click()
    await page.locator('[role=alert]').waitFor()
    await assertGood('refused')
    assert.equal(await page.evaluate("'hit' in window"), false)
    const { to } = await submit(app, { ...FORM, title: 'W'.repeat(150) })
    const token = new URL(to, app.origin).searchParams.get('link')
    await goTo(`${app.origin}/${language}/submit/link/${token}/`)
    await assertGood('stored')
    await goTo(`${app.origin}/${language}/submit/?done=1&link=${token}`)
    await page.locator('[role=status]').waitFor()
    await assertGood('sent')
  })
}

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`a visitor submits an event by keyboard and an editor publishes it, ${how}`, {
    skip: NO_BROWSER,
    timeout: 120_000,
  }, async (t) => {
    const title = `Lantern walk ${how}`
    const app = await harbourtown(t)
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    await page.goto(`${app.origin}/events/`)
    await page.getByRole('link', { name: 'Submit an event' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Title').focus()
    await page.keyboard.type(title)
    await page.getByLabel('Description').focus()
    await page.keyboard.type('Bring a light.')
    await page.getByLabel('Category').focus()
    await page.keyboard.type('Music')
    await page.getByLabel('Venue').fill('Old Customs House')
    await page.getByLabel('Organizer').fill('Night Club')
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Your email address').fill('grace@example.net')
    await page.getByRole('button', { name: 'Submit for review' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor()

    const password = 'seven quiet otters'
    const editor = await findLogin(app.app.storage, 'editor')
    await changePassword(app.app, editor?.id ?? 0, password)
    await page.goto(`${app.origin}/admin/login?next=/admin/queue`)
    await page.getByLabel('Username or email').fill('editor')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const row = page.getByRole('row').filter({ hasText: title })
    await row.getByText('grace@example.net').waitFor()
    if (javaScriptEnabled) {
      assert.deepEqual(await violations(page), [])
      await page.setViewportSize(SCREENS.phone)
      const box = await page.locator('.wide').evaluate((one) => [one.scrollWidth, one.clientWidth])
      assert.equal(box[0], box[1], 'who sent an event stands within the width of a phone')
      await page.setViewportSize(SCREENS.desktop)
    }
    await row.getByRole('checkbox').check()
    await page.getByLabel('With selected items').selectOption('publish')
    await page.getByRole('button', { name: 'Apply' }).click()
    // There is no mail server: editors are shown what to send.
    await page.getByRole('heading', { name: 'Tell whoever submitted the event' }).waitFor()
    await page.locator('a[href^="mailto:grace@example.net"]').waitFor()
    await page.goto(`${app.origin}/events/`)
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('link', { name: 'Night Club' }).waitFor()
    await page.getByRole('link', { name: 'Old Customs House' }).first().waitFor()
  })
}

const LARGE_FILE = { name: 'lanterns.png', mimeType: 'image/png', buffer: Buffer.alloc(17 * 1024 ** 2) }

test('a picture that is too large is named before anything is sent, and what was typed stays', {
  skip: NO_BROWSER,
  timeout: 120_000,
}, async (t) => {
  const app = await harbourtown(t)
  const { page } = await visit(t, { viewport: SCREENS.desktop })
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  await page.goto(`${app.origin}/submit/`)
  await page.getByLabel('Title').fill('Lantern walk')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Your email address').fill('grace@example.net')
  const file = page.getByLabel('Image', { exact: true })
  await file.setInputFiles(LARGE_FILE)
  const told = await page.evaluate("document.querySelector('input[type=file]').validationMessage")
  assert.equal(told, 'This file is larger than 8 MB. Choose a smaller one.')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  assert.deepEqual(sent, [])
  assert.equal(await page.getByLabel('Title').inputValue(), 'Lantern walk')
  await file.setInputFiles([])
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor()
})

test('without scripts a page says what to do after a picture that is too large, and back is what was typed', {
  skip: NO_BROWSER,
  timeout: 120_000,
}, async (t) => {
  const app = await harbourtown(t)
  const { page } = await visit(t, { viewport: SCREENS.desktop, javaScriptEnabled: false })
  await page.goto(`${app.origin}/de/submit/`)
  await page.getByLabel('Titel').fill('Laternenumzug')
  await page.getByLabel('Ihr Name').fill('Grace Hopper')
  await page.getByLabel('Ihre E-Mail-Adresse').fill('grace@example.net')
  await page.getByLabel('Bild', { exact: true }).setInputFiles(LARGE_FILE)
  await page.locator('form.submit button').click()
  await page.getByText('Gehen Sie zurück: Was Sie geschrieben haben, steht noch da.').waitFor()
  await page.goBack()
  assert.equal(await page.getByLabel('Titel').inputValue(), 'Laternenumzug')
})
