// npm run screenshots -- FOLDER [PAGE,...]: images of every public page and of the administration, on a desktop and a phone, in English, Arabic and
// German, light and dark; with names of pages only those.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { changePassword, makeLink } from '../src/accounts/sessions/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { openTestApp } from '../test/support/app.ts'
import { closeBrowser, visit } from '../test/support/browser.ts'
import { fillExhibition } from '../test/support/exhibition.ts'
import { openRemoteSite } from '../test/support/images.ts'
import { sampleImage } from '../test/support/sample-image.ts'
import { openSections } from '../test/support/sign-in.ts'
import { openReceiver } from '../test/support/webhook-receiver.ts'
import { fillOddities } from './screenshots/oddities.ts'
import { openStates } from './screenshots/states.ts'
import { shootImport, shootWork } from './screenshots/steps.ts'

const [folder = 'screenshots', only = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })

/** How pages are looked at. */
const SCREENS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const LOOKS = [
  { name: 'en-desktop', language: 'en', screen: 'desktop', colorScheme: 'light' },
  { name: 'en-phone-dark', language: 'en', screen: 'phone', colorScheme: 'dark' },
  { name: 'ar-phone', language: 'ar', screen: 'phone', colorScheme: 'light' },
  { name: 'de-dark', language: 'de', screen: 'desktop', colorScheme: 'dark' },
] as const

/** Milliseconds that anything on a page may take. */
const LONGEST_WAIT = 30_000

const ends: (() => Promise<void>)[] = []
const scope = { after: (step: () => Promise<void>) => void ends.push(step) }

const DIARY = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:tides@club.example', 'DTSTART:20261205T100000Z']
const tile = await sampleImage(2)
/** What is elsewhere: tiles of a map, and a calendar that is followed. */
const elsewhere = await openRemoteSite(scope, {
  '/tile': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(tile),
  '/diary.ics': (response) =>
    void response.end([...DIARY, 'SUMMARY:High tide', 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')),
})
const receiver = await openReceiver(scope)

const app = await openTestApp(scope, {
  ...{ siteName: 'Harbourtown Calendar', submissions: 'yes', fetchAllow: '127.0.0.1' },
  mapTiles: `${elsewhere.origin}/tile?z={z}&x={x}&y={y}`,
})
const { event, venue } = await fillExhibition(app)
await fillOddities(app)

const PAGES: Readonly<Record<string, string>> = {
  front: '/',
  list: '/events/',
  past: '/events/past/',
  month: '/events/2026-11/',
  week: '/events/week/2026-11-23/',
  day: '/events/2026-11-28/',
  event: `/event/${event.slug}/`,
  long: '/event/long/',
  cancelled: '/event/cancelled/',
  webinar: '/event/webinar/',
  stamp: '/event/stamp/',
  filtered: '/events/category/music/?cost=free&tribe-bar-search=choir',
  venue: `/venue/${venue.slug}/`,
  organizer: '/organizer/harbourtown-arts/',
  series: '/series/yoga/',
  date: '/event/yoga/2026-12-01/',
  locked: '/event/members-evening/',
  tag: '/events/tag/accessible/',
  online: '/events/?is_virtual=true',
  category: '/events/category/music/',
  search: '/search?q=choir',
  empty: '/search?q=nothinglikeit',
  emptymonth: '/events/2031-03/',
  emptycategory: '/events/category/quiet/',
  missing: '/nowhere/',
  map: '/events/map/',
  submit: '/submit/',
  submitted: '/submit/?done=1',
  embed: '/embed/',
  reference: '/reference/',
  guide: '/reference/guides/getting-started/',
}

const PASSWORD = 'seven quiet otters'
const owner = await findLogin(app.app.storage, 'administrator')
await changePassword(app.app, owner?.id ?? 0, PASSWORD)
const weekly = { title: 'Yoga', start_date: '2026-11-24 18:00', end_date: '2026-11-24 19:00', status: 'publish' }
const json = { ...weekly, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=26'] }
const made = await app.call('administrator', 'POST', '/events', { json })
const closed = { title: 'Members’ evening', start_date: '2026-11-29 19:00', end_date: '2026-11-29 22:00' }
const protectedBy = { ...closed, slug: 'members-evening', password: 'sesame', status: 'publish' }
await app.call('administrator', 'POST', '/events', { json: protectedBy })
await app.call('administrator', 'POST', '/categories', { json: { name: 'Quiet' } })
const states = await openStates(scope, app.origin)
const [subscription, webhook] = [await followedSubscription(), await testedWebhook()]
await submitEvent()

const [venueId, organizerId] = [await idOf('venues'), await idOf('organizers')]
const [categoryId, tagId] = [await idOf('categories'), await idOf('tags')]
const links = {
  setup: await makeLink(app.app, { name: 'administrator', purpose: 'setup' }),
  invitation: await makeLink(app.app, { name: 'author' }),
}

/** Pages for people who are not signed in. */
const CARDS: Readonly<Record<string, string>> = {
  login: '/admin/login',
  setup: links.setup.path,
  invitation: links.invitation.path,
  uselesslink: '/admin/link/used',
}

/** The first item of a list. */
async function idOf(collection: string): Promise<number> {
  const { body } = await app.call('administrator', 'GET', `/${collection}?hide_empty=false&per_page=1`)
  return body[collection][0].id
}

const ADMIN_PAGES: Readonly<Record<string, string>> = {
  overview: '/admin',
  events: '/admin/events',
  form: `/admin/events/${event.id}`,
  newform: '/admin/events/new',
  series: `/admin/events/${made.body.id}`,
  history: `/admin/events/${event.id}/history`,
  trash: '/admin/trash',
  venues: '/admin/venues',
  venueform: '/admin/venues/new',
  venue: `/admin/venues/${venueId}`,
  venuehistory: `/admin/venues/${venueId}/history`,
  organizers: '/admin/organizers',
  organizer: `/admin/organizers/${organizerId}`,
  categories: '/admin/categories',
  category: `/admin/categories/${categoryId}`,
  newcategory: '/admin/categories/new',
  tags: '/admin/tags',
  tag: `/admin/tags/${tagId}`,
  media: '/admin/media',
  queue: '/admin/queue',
  import: '/admin/import',
  subscriptions: '/admin/subscriptions',
  subscription: `/admin/subscriptions/${subscription}`,
  unfollow: `/admin/subscriptions/${subscription}/remove`,
  webhooks: '/admin/webhooks',
  webhook: `/admin/webhooks/${webhook}`,
  settings: '/admin/settings',
  system: '/admin/system',
  users: '/admin/users',
  user: '/admin/users/author',
  profile: '/admin/profile',
}

/** A calendar that is followed, and was synced once. */
async function followedSubscription(): Promise<number> {
  const address = `${app.origin}/kalends/v1/subscriptions`
  const subscription = { url: `${elsewhere.origin}/diary.ics`, name: 'Sailing Club' }
  const { body } = await app.call('administrator', 'POST', address, { json: subscription })
  await app.call('administrator', 'POST', `${address}/${body.id}/sync`)
  return body.id
}

/** A webhook with a message that arrived. */
async function testedWebhook(): Promise<number> {
  const address = `${app.origin}/kalends/v1/webhooks`
  const hook = { url: `${receiver.origin}/in`, events: ['event.created'], description: 'Search of the city' }
  const { body } = await app.call('administrator', 'POST', address, { json: hook })
  await app.call('administrator', 'POST', `${address}/${body.id}/test`)
  return body.id
}

/** An event that a visitor sent, and one in the trash. */
async function submitEvent(): Promise<void> {
  const { origin } = app
  const body = new FormData()
  const times = { start_date: '2026-12-05', start_date_time: '17:00', end_date: '2026-12-05', end_date_time: '18:30' }
  const sender = { submitter_name: 'Grace Hopper', submitter_email: 'grace@example.net' }
  const form = { title: 'Lantern walk', venue: 'Old Pier', timezone: 'America/New_York', ...times, ...sender }
  for (const [name, value] of Object.entries(form)) body.append(name, value)
  const { status } = await fetch(`${origin}/submit/`, { method: 'POST', headers: { origin }, body })
  if (status !== 200) throw new Error(`/submit/: ${status}`)
  const cancelled = await app.call('administrator', 'POST', '/events', { json: { ...weekly, title: 'Boat trip' } })
  await app.call('administrator', 'DELETE', `/events/${cancelled.body.id}`)
}

/** The map of places, as it is once someone has asked for it. */
async function shootMap(page: Page, { language, name }: { readonly language: string; readonly name: string }) {
  if (only !== '' && !only.split(',').includes('shownmap')) return
  await page.goto(`${app.origin}/${language}/events/map/`)
  await page.locator('event-map button').click()
  await page.locator('.map img.leaflet-tile-loaded').first().waitFor({ state: 'attached' })
  await page.screenshot({ path: join(folder, `shownmap-${name}.png`) })
}

/** Changes that someone else has made to the event. */
let changes = 0

/** Images are decoded beside everything else: one that is there may not be drawn yet. Bars at the end of a screen would cover what is below them. */
const DRAWN = `for (const bar of document.querySelectorAll('.publish, .bulk')) bar.style.position = 'static'
Promise.allSettled([...document.images].filter((one) => one.complete).map((one) => one.decode()))`

/** Takes an image of a page as it is, if it is wanted. */
function shotOf(page: Page, name: string) {
  return async (title: string): Promise<void> => {
    if (only === '' || only.split(',').includes(title)) await keep(page, { title, name })
  }
}

/** Screens of a page that an image shows. */
const MOST_SCREENS = 4

async function keep(page: Page, { title, name }: { readonly title: string; readonly name: string }): Promise<void> {
  await page.evaluate(DRAWN)
  const { width, height } = page.viewportSize() ?? SCREENS.desktop
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight')
  const clip = { x: 0, y: 0, width, height: Math.min(whole, MOST_SCREENS * height) }
  await page.screenshot({ path: join(folder, `${title}-${name}.png`), fullPage: true, clip })
}

/** Pages that follow when someone does something; what they would change stays as it is. */
async function shootSteps(page: Page, name: string): Promise<void> {
  const shot = shotOf(page, name)
  await page.goto(`${app.origin}/admin/events/${event.id}`)
  changes += 1
  const json = { cost: `€${changes}`, featured: changes % 2 === 1 }
  await app.call('administrator', 'POST', `/events/${event.id}`, { json })
  await openSections(page)
  await page.locator('[name=title]').fill('Lantern parade')
  await page.locator('[name=cost]').fill('Free')
  await page.locator('button[value=update]:visible').click()
  await page.locator('.versions').first().waitFor()
  await shot('conflict')
  await page.goto(`${app.origin}/admin/events/new`)
  await openSections(page)
  await page.locator('[name=title]').fill('Night market')
  await page.locator('[name=timezone]').fill('Nowhere/At_all')
  await page.locator('button[value=publish]').click()
  await page.locator('[role=alert]').waitFor()
  await shot('refused')
  await page.goto(`${app.origin}/admin/trash`)
  await page.locator('button[name=delete]').first().click()
  await page.locator('[name=confirmed]').waitFor({ state: 'attached' })
  await shot('confirm')
  const admin = `${app.origin}/admin`
  await shootImport(page, { admin, shot })
  await shootWork(page, { admin, shot })
}

/** The pages that are wanted, in one look. */
async function shoot(pages: Readonly<Record<string, string>>, page: Page, name: string): Promise<void> {
  for (const [title, path] of Object.entries(pages)) {
    if (only !== '' && !only.split(',').includes(title)) continue
    await page.goto(path.startsWith('/') ? app.origin + path : path)
    if (title.startsWith('foreign')) await page.locator('kalends-calendar a, kalends-calendar iframe').first().waitFor()
    await keep(page, { title, name })
  }
}

for (const { name, language, screen, colorScheme } of LOOKS) {
  const look = { locale: language, viewport: SCREENS[screen], colorScheme, deviceScaleFactor: 1 }
  const { page, context } = await visit(scope, { ...look, provokes: /status of 4(09|29)|status of 503/ })
  context.setDefaultTimeout(LONGEST_WAIT)
  const paths = Object.entries(PAGES).map(([title, path]) => [title, `/${language}${path}`])
  await shoot(Object.fromEntries(paths), page, name)
  await shoot(states(language), page, name)
  await shootMap(page, { language, name })
  await shoot(CARDS, page, `admin-${name}`)
  await page.goto(`${app.origin}/admin/login`)
  await page.locator('[name=login]').fill('administrator')
  await page.locator('[name=password]').fill(PASSWORD)
  await page.locator('main button').click()
  await shoot(ADMIN_PAGES, page, `admin-${name}`)
  await shootSteps(page, `admin-${name}`)
}
for (const end of ends.toReversed()) await end()
await closeBrowser()
