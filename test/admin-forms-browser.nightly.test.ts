import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { TestApp } from './support/app.ts'
import { closeBrowser, faultsInEveryLook, NO_BROWSER } from './support/browser.ts'
import { openSections } from './support/sign-in.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

const MINUTES = { skip: NO_BROWSER, timeout: 240_000 }

async function weekly({ call }: TestApp): Promise<readonly number[]> {
  const json = {
    title: 'Yoga',
    start_date: '2026-12-01 18:00',
    end_date: '2026-12-01 19:00',
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
    status: 'publish',
  }
  const { body: made } = await call('administrator', 'POST', '/events', { json })
  const { body } = await call('anonymous', 'GET', `/events?series=${made.id}`)
  return body.events.map(({ id }: { id: number }) => id)
}

async function titles({ call }: TestApp): Promise<readonly string[]> {
  const { body } = await call('anonymous', 'GET', '/events?start_date=2026-11-01')
  return body.events.map(({ title }: { title: string }) => title)
}

/** Goes on with the key Tab until something has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let steps = 0; steps < 150; steps += 1) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${wanted} cannot be reached with the key Tab`)
}

test('an event is written, published and changed with the keyboard alone', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  await page.goto(`${admin}/events`)
  await page.keyboard.press('n')
  await page.waitForURL(/\/events\/new$/)
  await tabTo(page, page.getByLabel('Title'))
  await page.keyboard.type('Regatta')
  await tabTo(page, page.getByLabel('Venue', { exact: true }))
  await page.keyboard.type('Boathouse')
  await tabTo(page, page.getByRole('button', { name: 'Publish', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/done=published/)
  await page.goto(`${admin}/events`)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.waitForURL(/\/events\/\d+$/)
  await tabTo(page, page.getByLabel('Title'))
  await page.keyboard.press('End')
  await page.keyboard.type(' of the bay')
  await page.keyboard.press('Enter')
  await page.waitForURL(/done=saved/)
  assert.deepEqual(await titles(site), ['Regatta of the bay'])
})

test('what is typed outlives the network, and is offered again', MINUTES, async (t) => {
  const { page, context, site, admin } = await signedIn(t)
  const [id] = await weekly(site)
  await page.goto(`${admin}/events/${id}`)
  await context.setOffline(true)
  await page.getByLabel('Title').fill('Yoga by the sea')
  await openSections(page)
  await page.getByLabel('Repeats').selectOption('DAILY')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.waitForURL(/chrome-error/).catch(() => undefined)
  await context.setOffline(false)
  await page.goto(`${admin}/events/${id}`)
  assert.equal(await page.getByLabel('Title').inputValue(), 'Yoga')
  await page.getByRole('button', { name: 'Restore' }).click()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Yoga by the sea')
  assert.equal(await page.getByLabel('Repeats').inputValue(), 'DAILY')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.waitForURL(/done=saved/)
  assert.equal((await titles(site))[0], 'Yoga by the sea')
  await page.goto(`${admin}/events/${id}`)
  assert.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0)
})

test('what is typed into the form of a venue is kept until it is saved, and no longer', MINUTES, async (t) => {
  const { page, context, site, admin } = await signedIn(t)
  const { body } = await site.call('administrator', 'POST', '/venues', { json: { venue: 'Hall' } })
  const address = `${admin}/venues/${body.id}`
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.goto(address)
  await page.getByLabel('City').click()
  await page.keyboard.type('Astoria')
  await page.goto(`${admin}/venues`)
  assert.deepEqual(asked, ['beforeunload'])
  await page.goto(address)
  await page.getByRole('button', { name: 'Restore' }).click()
  assert.equal(await page.getByLabel('City').inputValue(), 'Astoria')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/venues\?done=saved/)
  const saved = page.url()
  await page.goto(address)
  await page.getByLabel('City').fill('Portland')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/chrome-error/).catch(() => undefined)
  await context.setOffline(false)
  // An earlier page that says that something was saved does not mean this.
  await page.goto(saved)
  await page.goto(address)
  assert.equal(await page.getByLabel('City').inputValue(), 'Astoria')
  await page.getByRole('button', { name: 'Restore' }).click()
  assert.equal(await page.getByLabel('City').inputValue(), 'Portland')
  assert.deepEqual(asked, ['beforeunload'])
})

for (const collection of ['venues', 'organizers', 'categories', 'tags'] as const) {
  test(`who changes one of the ${collection} meanwhile loses nothing, nor does the other`, MINUTES, async (t) => {
    const { page, site, admin } = await signedIn(t)
    const json = { venue: 'Old', organizer: 'Old', name: 'Old' }
    const { body } = await site.call('administrator', 'POST', `/${collection}`, { json })
    const address = `${admin}/${collection}/${body.id}`
    await page.goto(address)
    const description = { json: { description: 'Theirs' } }
    await site.call('administrator', 'POST', `/${collection}/${body.id}`, description)
    await page.getByLabel('Name').fill('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Two versions of Old' }).waitFor()
    assert.deepEqual(await faultsInEveryLook(page), [])
    await page.getByRole('button', { name: 'Save selected versions' }).click()
    await page.waitForURL(/done=saved/)
    const after = (await site.call('administrator', 'GET', `/${collection}/${body.id}`)).body
    assert.equal(after.venue ?? after.organizer ?? after.name, 'Mine')
    assert.match(after.description, /Theirs/)
    await page.goto(address)
    assert.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0)
  })
}

test('a form that holds changes asks before it is left', MINUTES, async (t) => {
  const { page, admin } = await signedIn(t)
  await page.goto(`${admin}/events/new`)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.goto(`${admin}/events/new`)
  assert.deepEqual(asked, [])
  await page.getByLabel('Title').click()
  await page.keyboard.type('Half a ti')
  await page.goto(`${admin}/events`)
  assert.deepEqual(asked, ['beforeunload'])
})

test('the rule says its dates while it is written, and each scope changes its own', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  await page.goto(`${admin}/events/new`)
  await page.getByLabel('Title').fill('Choir')
  await page.getByLabel('Starts').fill('2026-12-04')
  await page.getByLabel('Ends', { exact: true }).fill('2026-12-04')
  await openSections(page)
  await page.getByLabel('Repeats').selectOption('WEEKLY')
  await page.getByLabel('Series ends').selectOption('count')
  await page.getByLabel('Number of dates').fill('3')
  await page.getByText('every Friday, 3 times').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL(/done=published/)
  const { body } = await site.call('anonymous', 'GET', '/events?start_date=2026-11-01')
  const [first, second, third] = body.events.map((event: { id: number }) => event.id)
  const change = async (id: number, title: string, scope: string): Promise<void> => {
    await page.goto(`${admin}/events/${id}`)
    await page.getByLabel('Title').fill(title)
    await page.getByLabel(scope, { exact: true }).check()
    await page.getByRole('button', { name: 'Update' }).click()
    await page.waitForURL(/done=saved/)
  }
  await change(second, 'Guests', 'This date only')
  assert.deepEqual(await titles(site), ['Choir', 'Guests', 'Choir'])
  await change(first, 'Chamber choir', 'All dates')
  assert.deepEqual(await titles(site), ['Chamber choir', 'Guests', 'Chamber choir'])
  await change(third, 'Opera', 'This and following dates')
  assert.deepEqual(await titles(site), ['Chamber choir', 'Guests', 'Opera'])
  await page.goto(`${admin}/events/${second}`)
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.waitForURL(/done=back/)
  assert.deepEqual(await titles(site), ['Chamber choir', 'Guests', 'Opera'])
})

/** Pastes a picture, as the clipboard of the browser does. */
const PASTE = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const blob = await new Promise((resolve) => canvas.toBlob(resolve))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([blob], 'poster.png', { type: 'image/png' }))
  document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
})()`

/** Drops a picture on the form, as the file manager of a visitor does. */
const DROP = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const blob = await new Promise((resolve) => canvas.toBlob(resolve))
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([blob], 'poster.png', { type: 'image/png' }))
  const form = document.querySelector('image-field').closest('form')
  for (const type of ['dragover', 'drop'])
    form.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
})()`

for (const [how, act] of [
  ['pasted', PASTE],
  ['dropped', DROP],
] as const) {
  test(`a picture is ${how}, shown, and sent with the form`, MINUTES, async (t) => {
    const { page, site, admin } = await signedIn(t)
    await page.goto(`${admin}/events/new`)
    await page.getByLabel('Title').fill('Regatta')
    await page.evaluate(act)
    await page.locator('img.preview').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.waitForURL(/done=published/)
    const { body } = await site.call('anonymous', 'GET', '/events?start_date=2026-11-01')
    assert.equal(body.events[0].image.width, 640)
  })
}

const TOO_LARGE = `(() => {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([new Uint8Array(17 * 1024 ** 2)], 'poster.png', { type: 'image/png' }))
  document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  return document.querySelector('image-field input').validationMessage
})()`

test('a picture that is too large is named before it is sent, wherever it comes from', MINUTES, async (t) => {
  const { page, admin } = await signedIn(t)
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  for (const [path, button] of [
    ['events/new', 'Publish'],
    ['venues/new', 'Save'],
    ['media', 'Upload'],
  ] as const) {
    await page.goto(`${admin}/${path}`)
    assert.equal(await page.evaluate(TOO_LARGE), 'This file is larger than 16 MB. Choose a smaller one.', path)
    await page.getByRole('button', { name: button, exact: true }).click()
  }
  assert.deepEqual(
    sent.filter((url) => !url.endsWith('/admin/recurrence')),
    [],
  )
})

test('a picture that meets no network is tried again, and the form goes with it', MINUTES, async (t) => {
  const { page, context, site, admin } = await signedIn(t)
  await page.goto(`${admin}/events/new`)
  await page.getByLabel('Title').fill('Regatta')
  await page.evaluate(PASTE)
  await page.locator('img.preview').waitFor()
  await page.getByLabel('Alt text').fill('A boat')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'You’re offline' }).waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Regatta')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL(/done=published/)
  const { body } = await site.call('anonymous', 'GET', '/events?start_date=2026-11-01')
  assert.equal(body.events[0].image.width, 640)
  await page.goto(`${admin}/media`)
  await page.locator('.pictures img[alt="A boat"]').waitFor()
})

test(
  'a file that is no picture is refused beside its field, and a page of pictures shows what was sent',
  MINUTES,
  async (t) => {
    const { page, admin } = await signedIn(t, { provokes: /status of 400/ })
    await page.goto(`${admin}/media`)
    await page.getByLabel('Image').setInputFiles({ name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('no') })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('image-field [role=alert]').waitFor()
    await page.evaluate(PASTE)
    await page.getByLabel('Alt text').fill('A poster')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.waitForURL(/done=saved/)
    await page.locator('.pictures img[alt="A poster"]').waitFor()
  },
)
