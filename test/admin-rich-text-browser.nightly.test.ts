import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { TestApp } from './support/app.ts'
import { closeBrowser, NO_BROWSER, violations } from './support/browser.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

const MINUTES = { skip: NO_BROWSER, timeout: 240_000 }

const EVENT = { title: 'Regatta', start_date: '2026-12-01 18:00', end_date: '2026-12-01 19:00', status: 'publish' }

async function made({ call }: TestApp, description: string): Promise<number> {
  const { body } = await call('administrator', 'POST', '/events', { json: { ...EVENT, description } })
  return body.id
}

async function descriptionOf({ call }: TestApp, id: number): Promise<string> {
  return (await call('administrator', 'GET', `/events/${id}`)).body.description
}

async function update(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Update' }).click()
  await page.waitForURL(/done=saved/)
}

/** Whether the editor or the source of the description is shown. */
async function shown(page: Page): Promise<'editor' | 'source'> {
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  return (await page.locator('rich-text textarea').isVisible()) ? 'source' : 'editor'
}

/** How the first item of a list in the editor is shown: whether what stands outside is cut off, and its marker. */
const ITEM_STYLE =
  "(({ overflowX, listStyleType }) => [overflowX, listStyleType])(getComputedStyle(document.querySelector('.rich li')))"

test('a description is written with keys and buttons, and stored as HTML', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const id = await made(site, '')
  await page.goto(`${admin}/events/${id}`)
  const text = page.getByRole('textbox', { name: 'Description' })
  await text.click()
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Boats')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' and ')
  await page.keyboard.press('Control+i')
  await page.keyboard.type('wind')
  await page.keyboard.press('Control+i')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Heading', exact: true }).click()
  await page.keyboard.type('Programme')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.keyboard.type('Start')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Finish')
  assert.deepEqual(await page.evaluate(ITEM_STYLE), ['visible', 'disc'])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByLabel('URL').fill('sailing.example/rules')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await update(page)
  assert.equal(
    await descriptionOf(site, id),
    '<p><strong>Boats</strong> and <em>wind</em></p>\n<h2>Programme</h2>\n<ul><li>Start</li><li>Finish</li></ul>\n' +
      '<p><a href="https://sailing.example/rules">https://sailing.example/rules</a></p>',
  )
  await page.goto(`${admin}/events/${id}`)
  assert.equal(await shown(page), 'editor')
  assert.deepEqual(await violations(page), [])
})

/** Descriptions of other calendars: what has no button here either. */
const IMPORTED = [
  '<p>One<br />\ntwo</p>\n<p>Three &amp; four</p>',
  '<div class="wp-block-group"><h3 id="when" style="text-align:center">When</h3><p>At <time datetime="10:00">ten</time></p></div>',
  '<table><tbody><tr><th scope="row">Adults</th><td colspan="2">12 €</td></tr></tbody></table>\n<p>After</p>',
  '<figure class="wp-block-image"><img src="https://pictures.example/a.jpg" alt="A boat" width="300" height="200" /><figcaption>Boat</figcaption></figure>',
  '<ul><li>Plain</li><li><p>Paragraph</p><ul><li>Inner</li></ul></li></ul>',
  '<ol start="3" type="a"><li value="7">Seven</li></ol>',
  '<blockquote cite="https://quotes.example/">Bare words</blockquote>',
  '<pre>  two\n    lines</pre>',
  '<p><a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener"><strong>Both</strong></a> x<sup>2</sup></p>',
  '<p><span style="color:#ff0000">Red</span> <del datetime="2026-01-01">gone</del> <b>b</b> <i>i</i></p>',
  '<details open=""><summary>More</summary><p>Text</p></details>\n<hr />\n<dl><dt>A</dt><dd>B</dd></dl>',
  '<p><video src="https://films.example/a.mp4" controls=""></video></p>',
  '<p dir="rtl" lang="ar">مرحبا <bdi>A</bdi></p>',
]

test('an imported description comes out of the editor as it went in, but for what was written', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  for (const description of IMPORTED) {
    const id = await made(site, `<p>First</p>\n${description}`)
    const before = await descriptionOf(site, id)
    await page.goto(`${admin}/events/${id}`)
    assert.equal(await shown(page), 'editor', description)
    await page.getByRole('textbox', { name: 'Description' }).press('Control+Home')
    await page.keyboard.type('Very ')
    await update(page)
    const after = withoutSpaces(await descriptionOf(site, id))
    assert.equal(after, withoutSpaces(before).replace('First', 'Very First'))
  }
})

function withoutSpaces(markup: string): string {
  return markup.replaceAll(/\s*\n\s*/g, '').replaceAll(' />', '>')
}

test('a text that the editor cannot hold is left to its source, which says why', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const id = await made(site, '<p>Before <a name="here" title="anchor"></a>after</p>')
  const before = await descriptionOf(site, id)
  await page.goto(`${admin}/events/${id}`)
  assert.equal(await shown(page), 'source')
  await page.getByText('The editor can’t display all of this text').waitFor()
  await page.getByLabel('Title').fill('Great regatta')
  await update(page)
  assert.equal(await descriptionOf(site, id), before)
})

test('source and editor show the same text, and a draft brings back what was written', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const id = await made(site, 'Two paragraphs\n\nof text')
  await page.goto(`${admin}/events/${id}`)
  const source = page.getByRole('button', { name: 'HTML source' })
  await source.click()
  assert.equal(await page.getByLabel('Description').inputValue(), 'Two paragraphs\n\nof text')
  // Beside the field there are its buttons, and nothing is left of the editor.
  assert.equal(await page.locator('rich-text .field > div').count(), 1)
  await page.getByLabel('Description').fill('<h2>Title</h2>\n<p onclick="alert(1)">Text</p>')
  await source.click()
  assert.equal(await page.locator('.rich h2').textContent(), 'Title')
  await page.getByRole('textbox', { name: 'Description' }).press('Control+End')
  await page.keyboard.type(' and more')
  // Leaving keeps the draft, as it does for every other field.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${admin}/events/${id}`)
  await page.getByRole('button', { name: 'Restore' }).click()
  assert.equal(await page.locator('.rich h2').textContent(), 'Title')
  assert.equal(await page.locator('.rich p').textContent(), 'Text and more')
  await update(page)
  assert.equal(withoutSpaces(await descriptionOf(site, id)), '<h2>Title</h2><p>Text and more</p>')
})

test('a picture is uploaded into a description', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t, { provokes: /status of 400/ })
  const id = await made(site, 'Look:')
  await page.goto(`${admin}/events/${id}`)
  await page.getByRole('textbox', { name: 'Description' }).press('Control+End')
  await page.getByTitle('Image', { exact: true }).click()
  const dialog = page.getByRole('dialog')
  assert.deepEqual(await violations(page), [])
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('none') })
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor()
  const drawn = await page.evaluate(DRAWN)
  const buffer = Buffer.from(String(drawn).split(',')[1] ?? '', 'base64')
  await dialog.getByLabel('File').setInputFiles({ name: 'boat.png', mimeType: 'image/png', buffer })
  await dialog.getByLabel('Alt text').fill('A boat')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await dialog.waitFor({ state: 'detached' })
  await update(page)
  assert.match(await descriptionOf(site, id), /<img src="[^"]+" alt="A boat" width="64" height="48" \/>/)
})

const DRAWN = `Object.assign(document.createElement('canvas'), { width: 64, height: 48 }).toDataURL()`

test('scripts of a page of the administration are at most 150 KB', MINUTES, async (t) => {
  const { page, admin } = await signedIn(t)
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(`${admin}/events/new`)
  await shown(page)
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(total > 20_000 && total <= 150 * 1024, `${total} bytes`)
})
