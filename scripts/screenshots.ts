// npm run screenshots -- FOLDER: pictures of every public page and of the administration, on a desktop and a phone, in English and Arabic, light and dark.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { changePassword } from '../src/sessions/index.ts'
import { findLogin } from '../src/users/index.ts'
import { openTestApp } from '../test/support/app.ts'
import { closeBrowser, SCREENS, visit } from '../test/support/browser.ts'
import { fillExhibition } from '../test/support/exhibition.ts'

const [folder = 'screenshots', only = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })

const ends: (() => Promise<void>)[] = []
const scope = { after: (step: () => Promise<void>) => void ends.push(step) }
const app = await openTestApp(scope, { siteName: 'Harbourtown Calendar' })
const { event, venue } = await fillExhibition(app)

const PAGES: Readonly<Record<string, string>> = {
  front: '/',
  list: '/events/',
  past: '/events/past/',
  month: '/events/2026-11/',
  week: '/events/week/2026-11-23/',
  day: '/events/2026-11-28/',
  event: `/event/${event.slug}/`,
  venue: `/venue/${venue.slug}/`,
  organizer: '/organizer/harbourtown-arts/',
  series: '/series/yoga/',
  category: '/events/category/music/',
  search: '/search?q=choir',
  empty: '/search?q=nothinglikeit',
  emptymonth: '/events/2031-03/',
  missing: '/nowhere/',
  map: '/events/map/',
}

const PASSWORD = 'seven quiet otters'
const owner = await findLogin(app.app.storage, 'administrator')
await changePassword(app.app, owner?.id ?? 0, PASSWORD)
const weekly = { title: 'Yoga', start_date: '2026-11-24 18:00', end_date: '2026-11-24 19:00', status: 'publish' }
const json = { ...weekly, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=26'] }
const made = await app.call('administrator', 'POST', '/events', { json })

const ADMIN_PAGES: Readonly<Record<string, string>> = {
  overview: '/admin',
  events: '/admin/events',
  form: `/admin/events/${event.id}`,
  newform: '/admin/events/new',
  series: `/admin/events/${made.body.id}`,
  venues: '/admin/venues',
  media: '/admin/media',
  settings: '/admin/settings',
  system: '/admin/system',
  users: '/admin/users',
}

/** Pages in one look: their first screen, or all of them. */
async function shoot(pages: Readonly<Record<string, string>>, page: Page, { name, isWhole }: Shot): Promise<void> {
  for (const [title, path] of Object.entries(pages)) {
    if (only !== '' && !only.split(',').includes(title)) continue
    await page.goto(app.origin + path)
    await page.screenshot({ path: join(folder, `${title}-${name}.png`), fullPage: isWhole })
  }
}

interface Shot {
  readonly name: string
  readonly isWhole: boolean
}

const LOOKS = [
  { name: 'en-desktop', language: 'en', screen: 'desktop', colorScheme: 'light' },
  { name: 'en-phone', language: 'en', screen: 'phone', colorScheme: 'light' },
  { name: 'ar-phone', language: 'ar', screen: 'phone', colorScheme: 'light' },
  { name: 'en-dark', language: 'en', screen: 'desktop', colorScheme: 'dark' },
] as const

for (const { name, language, screen, colorScheme } of LOOKS) {
  const look = { locale: language, viewport: SCREENS[screen], colorScheme, deviceScaleFactor: 1 }
  const { page } = await visit(scope, look)
  const paths = Object.entries(PAGES).map(([title, path]) => [title, `/${language}${path}`])
  await shoot(Object.fromEntries(paths), page, { name, isWhole: false })
  await page.goto(`${app.origin}/admin/login`)
  await page.locator('[name=login]').fill('administrator')
  await page.locator('[name=password]').fill(PASSWORD)
  await page.locator('main button').click()
  await shoot(ADMIN_PAGES, page, { name: `admin-${name}`, isWhole: true })
}
for (const end of ends.toReversed()) await end()
await closeBrowser()
