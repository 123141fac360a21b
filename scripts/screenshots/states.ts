import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../../test/support/app.ts'
import type { TestScope } from '../../test/support/at-end.ts'
import { fillExhibition } from '../../test/support/exhibition.ts'
import { foreignSite } from '../../test/support/foreign-site.ts'

/** Pages that one calendar cannot show all: their addresses in a language, by the names of their images. */
export type States = (language: string) => Readonly<Record<string, string>>

/** Opens calendars in other states than that of `origin`: empty, asked too often, without its data, and in a page of another site. */
export async function openStates(scope: TestScope, origin: string): Promise<States> {
  const { origin: empty } = await openTestApp(scope, { siteName: 'Quiet Bay', submissions: 'yes' })
  const [front, busy, lost] = [await monthInFront(scope), await askedTooOften(scope), await withoutData(scope)]
  const around = (content: string): string =>
    `<!doctype html><html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Harbour Club</title><body style="font-family: serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem"><h1>Harbour Club</h1><p>We meet on Fridays. This is what is on in town:</p><script type="module" src="${origin}/embed/calendar.js"></script>${content}<p>See you there!</p>`
  const pages = ['en', 'ar', 'de'].flatMap((language) =>
    ['list', 'month'].map((view): [string, string] => [
      `/${language}/${view}`,
      around(`<kalends-calendar src="${origin}" view="${view}" lang="${language}"></kalends-calendar>`),
    ]),
  )
  const elsewhere = await foreignSite(scope, Object.fromEntries(pages))
  return (language) => ({
    emptyfront: `${empty}/${language}/`,
    emptylist: `${empty}/${language}/events/`,
    emptyweek: `${empty}/${language}/events/week/`,
    emptyday: `${empty}/${language}/events/today/`,
    emptymap: `${empty}/${language}/events/map/`,
    frontmonth: `${front}/${language}/`,
    toomany: `${busy}/${language}/events/`,
    unavailable: `${lost}/${language}/events/`,
    foreignlist: `${elsewhere}/${language}/list`,
    foreignmonth: `${elsewhere}/${language}/month`,
  })
}

/** A calendar whose start page is the month. */
async function monthInFront(scope: TestScope): Promise<string> {
  const app = await openTestApp(scope, { siteName: 'Harbourtown Calendar', frontPage: 'month' })
  await fillExhibition(app)
  return app.origin
}

/** A calendar that this machine has asked as often as it may. */
async function askedTooOften(scope: TestScope): Promise<string> {
  const { origin } = await openTestApp(scope, { siteName: 'Harbourtown Calendar', limitReads: '1/3600' })
  await expectStatus(origin, 200)
  await expectStatus(origin, 429)
  return origin
}

/** A calendar whose database someone has taken away. */
async function withoutData(scope: TestScope): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'kalends-screenshots-'))
  scope.after(() => rm(data, { recursive: true, force: true }))
  const { origin } = await openTestApp(scope, { siteName: 'Harbourtown Calendar', data })
  for (const name of await readdir(data)) if (name.startsWith('kalends.db')) await rm(join(data, name))
  await expectStatus(origin, 503)
  return origin
}

async function expectStatus(origin: string, wanted: number): Promise<void> {
  const { status } = await fetch(`${origin}/events/?search=${wanted}`)
  if (status !== wanted) throw new Error(`${origin}: ${status} instead of ${wanted}`)
}
