import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openTestApp } from '../support/app.ts'
import { testFolder } from '../support/test-storage.ts'

const ROOT = join(import.meta.dirname, '../..')
const EXAMPLE = join(ROOT, 'examples/eleventy')
const CLIENT = join(ROOT, 'clients/typescript')
const run = promisify(execFile)

/** Where somebody has run `npm install` in the example, or has Eleventy elsewhere: `KALENDS_TEST_ELEVENTY`. */
const ELEVENTY = [process.env['KALENDS_TEST_ELEVENTY'] ?? '', join(EXAMPLE, 'node_modules/@11ty/eleventy')].find(
  (folder) => existsSync(join(folder, 'cmd.cjs')),
)

/** A calendar with events, and a copy of the example with the client built from here. */
async function open(t: TestContext) {
  const app = await openTestApp(t, { siteName: 'Harbour' })
  app.clock.now = Date.now()
  const year = new Date().getUTCFullYear() + 1
  const add = async (event: object): Promise<void> => {
    const { status, body } = await app.call('editor', 'POST', '/events', { json: event })
    assert.equal(status, 201, JSON.stringify(body))
  }
  await add({ title: 'Gone', start_date: '2001-05-01 10:00', end_date: '2001-05-01 11:00' })
  await add({
    ...{ title: 'Tea & <b>cake</b>', start_date: `${year}-05-01 15:00`, end_date: `${year}-05-01 17:00` },
    ...{ venue: { venue: 'Old Mint', city: 'Hoboken' }, description: '<p>Bring <i>cups</i>.</p>' },
  })
  await add({
    title: 'Fair',
    start_date: `${year}-05-09`,
    end_date: `${year}-05-10`,
    all_day: true,
    event_status: 'canceled',
  })
  await add({ title: 'Праздник', start_date: `${year}-06-02 20:00`, end_date: `${year}-06-02 22:00` })
  await add({ title: 'Concert', start_date: `${year}-06-01 20:00`, end_date: `${year}-06-01 22:00` })
  const folder = join(testFolder(t), 'site')
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !/node_modules|_site/.test(path) })
  const client = join(folder, 'node_modules/@kalends/client')
  cpSync(join(CLIENT, 'package.json'), join(client, 'package.json'))
  await run(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-p',
    CLIENT,
    '--outDir',
    join(client, 'dist'),
  ])
  return { folder, year, site: app.origin }
}

test('the data of the static site are the coming events and their months', async (t) => {
  const { folder, year, site } = await open(t)
  const program = `import calendar from ${JSON.stringify(pathToFileURL(join(folder, '_data/calendar.js')).href)}
    console.log(JSON.stringify(await calendar()))`
  const env = { ...process.env, KALENDS_SITE: site }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env })
  const { name, events, months } = JSON.parse(stdout)
  assert.equal(name, 'Harbour')
  assert.deepEqual(
    months.map(({ key, title, events: own }: { key: string; title: string; events: object[] }) => [
      key,
      title,
      own.length,
    ]),
    [
      [`${year}-05`, `May ${year}`, 2],
      [`${year}-06`, `June ${year}`, 2],
    ],
  )
  const [tea, fair] = events
  assert.equal(events.at(-1).slug, 'праздник')
  assert.deepEqual([tea.title, tea.place, fair.isCanceled], ['Tea & cake', 'Old Mint, Hoboken', true])
  assert.equal(tea.datetime, `${year}-05-01T15:00:00-04:00`)
  assert.match(tea.date, /May 1, \d{4}, 3:00\sPM$/)
  assert.equal(fair.datetime, `${year}-05-09`)
  assert.match(fair.date, /May 9, \d{4}$/)
})

test('Eleventy builds a page for each event and month', {
  skip: ELEVENTY === undefined && 'needs Eleventy: npm install in examples/eleventy',
}, async (t) => {
  const { folder, year, site } = await open(t)
  const installed = ELEVENTY ?? ''
  await run(process.execPath, [join(installed, 'cmd.cjs')], {
    cwd: folder,
    env: { ...process.env, KALENDS_SITE: site },
  })
  const pages = readdirSync(join(folder, '_site'), { recursive: true }).filter((path) => String(path).endsWith('.html'))
  assert.deepEqual(pages.sort(), [
    `${year}-05/index.html`,
    `${year}-06/index.html`,
    'event/concert/index.html',
    'event/fair/index.html',
    'event/tea-cake/index.html',
    'event/праздник/index.html',
    'index.html',
  ])
  const page = (path: string): string => readFileSync(join(folder, '_site', path, 'index.html'), 'utf8')
  assert.match(
    page('event/tea-cake'),
    /<h1>Tea &amp; cake<\/h1>[\s\S]*Old Mint, Hoboken[\s\S]*<p>Bring <i>cups<\/i>\.<\/p>/,
  )
  assert.match(page('event/tea-cake'), /<title>Tea &amp; cake · Harbour<\/title>/)
  assert.match(page(`${year}-05`), /\/event\/fair\/">Fair<\/a> \(canceled\)/)
  assert.match(page(''), new RegExp(`<a href="/${year}-06/">June ${year}</a> \\(2\\)`))
})
