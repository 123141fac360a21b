import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openTestApp } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'

/** A Sunday evening. */
const app = await openTestApp({ after }, { siteZone: 'UTC' })
app.clock.now = Date.UTC(2026, 10, 29, 18, 0, 0)

for (const [title, day, more] of [
  ['Jazz for free', '2026-12-05', { categories: ['Music'], cost: '0', is_virtual: true }],
  ['Jazz with friends', '2026-12-12', { categories: ['Music', 'Talks'], cost: '12' }],
  ['Chess', '2026-12-05', { categories: ['Talks'], tags: ['Quiet'], featured: true }],
] as const) {
  const json = { title, start_date: `${day} 19:00`, end_date: `${day} 21:00`, ...more }
  assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
}

/** What is asked for, each with the name of its chip. */
const FILTERS = [
  ['search=jazz', '“jazz”'],
  ['categories=music', 'Music'],
  ['tags=quiet', 'Quiet'],
  ['cost=free', 'Free'],
  ['is_virtual=true', 'Online'],
  ['featured=true', 'Featured'],
  ['start_date=2026-12-05&starts_before=2026-12-06', '5 – 6 December 2026'],
  ['start_date=2026-11-29&starts_before=2026-12-05', 'Next 7 days'],
] as const

const VIEWS = {
  List: '/events/',
  Month: '/events/2026-12/',
  Week: '/events/week/2026-11-30/',
  Day: '/events/2026-12-05/',
}

/** A view: its events, the chips that remove a filter, and the ways to the other views. */
async function read(path: string) {
  const response = await fetch(app.origin + path)
  assert.equal(response.status, 200, path)
  const text = (await response.text()).replaceAll('&amp;', '&').replaceAll('\u2009', ' ')
  const pairs = (pattern: RegExp) =>
    new Map([...text.matchAll(pattern)].map(([, href = '', name = '']) => [name, href] as const))
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(text) ?? []
  return {
    titles: new Set(main.match(/Jazz for free|Jazz with friends|Chess/g)),
    chips: pairs(/<a class="chip x" href="([^"]*)" aria-label="Remove filter: ([^"]*)"/g),
    views: pairs(/<li><a href="([^"]*)"(?: aria-current="page")?>(List|Month|Week|Day)</g),
  }
}

const asSet = (href: string): ReadonlySet<string> =>
  new Set((href.split('?')[1] ?? '').split('&').filter((one) => one !== ''))

test('every filter is a chip in every view, which removes it alone, and goes along to the other views', async () => {
  const chosen = fc.subarray([...FILTERS.slice(0, 6)], { maxLength: 3 })
  const drawn = fc.tuple(chosen, fc.constantFrom(undefined, ...FILTERS.slice(6)))
  for (const [filters, dates] of fc.sample(drawn, { numRuns: draws(60, 6), seed: SEED })) {
    const asked = [...filters, ...(dates === undefined ? [] : [dates])]
    const query = asked.map(([sent]) => sent).join('&')
    for (const [name, path] of Object.entries(VIEWS)) {
      const address = `${path}${query === '' ? '' : `?${query}`}`
      const { chips, views } = await read(address)
      assert.deepEqual([...chips.keys()].toSorted(), asked.map(([, chip]) => chip).toSorted(), address)
      for (const [sent, chip] of asked) {
        const rest = asked.filter((one) => one[0] !== sent).map(([other]) => other)
        assert.deepEqual(
          asSet(chips.get(chip) ?? ''),
          new Set(rest.flatMap((one) => one.split('&'))),
          `${address}: ${chip}`,
        )
        assert.equal((chips.get(chip) ?? '').split('?')[0], path, `${address} stays where it is`)
      }
      for (const [other, href] of views) {
        const kept = asSet(href)
        assert.ok(query === '' || query.split('&').every((one) => kept.has(one)), `${name} to ${other}: ${href}`)
      }
    }
  }
})

test('a filter holds in every view in which it stands', async () => {
  for (const [query, ...titles] of [
    ['', 'Jazz for free', 'Jazz with friends', 'Chess'],
    ['search=jazz', 'Jazz for free', 'Jazz with friends'],
    ['categories=talks&start_date=2026-12-05&starts_before=2026-12-06', 'Chess'],
    ['start_date=2026-12-12&starts_before=2026-12-12', 'Jazz with friends'],
  ] as const)
    for (const path of [VIEWS.List, VIEWS.Month])
      assert.deepEqual(
        [...(await read(`${path}?${query}`)).titles].toSorted(),
        [...titles].toSorted(),
        `${path}?${query}`,
      )
})

test('the days of a view of dates are those of the list behind it, unless today is one of them', async () => {
  for (const [path, list] of [
    ['/events/2026-12/', '/events/?start_date=2026-12-01&starts_before=2026-12-31'],
    ['/events/week/2026-12-09/', '/events/?start_date=2026-12-07&starts_before=2026-12-13'],
    ['/events/2026-12-05/', '/events/?start_date=2026-12-05&starts_before=2026-12-05'],
    ['/events/2026-11/', '/events/'],
    ['/events/today/', '/events/'],
  ] as const)
    assert.equal((await read(path)).views.get('List'), list, path)
})

test('chips above the list filter it, and look chosen', async () => {
  const chipsOf = async (path: string) => {
    const text = (await (await fetch(app.origin + path)).text()).replaceAll('&amp;', '&')
    return [...text.matchAll(/<a class="chip" href="([^"]*)"( aria-current="true")?>([^<]*)</g)].map(
      ([, href = '', current, name = '']) => ({ href, name, isOn: current !== undefined }),
    )
  }
  for (const name of ['Today', 'Tomorrow', 'This weekend', 'Next 7 days', 'Free', 'Online']) {
    const chip = (await chipsOf('/events/?categories=music')).find((one) => one.name === name)
    assert.ok(chip, name)
    assert.ok(chip.href.startsWith('/events/?categories=music&') && !chip.isOn, `${name}: ${chip.href}`)
    const chosen = (await chipsOf(chip.href)).filter(({ isOn }) => isOn)
    assert.deepEqual(chosen, [{ href: '/events/?categories=music', name, isOn: true }], name)
  }
})

test('a period that starts today is shown whole at the end of a month and of a week', async () => {
  for (const [path, heading] of [
    ['/events/month/?start_date=2026-11-29&starts_before=2026-12-05', 'December 2026'],
    ['/events/month/?start_date=2026-11-29&end_date=2026-12-05', 'December 2026'],
    ['/events/week/?start_date=2026-11-29&starts_before=2026-12-05', '29 November – 5 December 2026'],
    ['/events/month/?start_date=2026-12-04&end_date=2026-12-05', 'December 2026'],
  ] as const) {
    const text = await (await fetch(app.origin + path)).text()
    assert.equal(/<h1>([^<]*)</.exec(text)?.[1]?.replace(/\s/g, ' '), heading, path)
    const { titles, chips } = await read(path)
    assert.deepEqual([...titles].toSorted(), ['Chess', 'Jazz for free'], path)
    assert.equal(chips.size, 1, path)
  }
})

test('whoever removes a filter of the present month stays there', async () => {
  const { chips } = await read('/events/month/?categories=music&search=jazz')
  assert.deepEqual([...chips.values()], ['/events/month/?categories=music', '/events/month/?search=jazz'].toSorted())
})

const SECRET = { status: 'draft', categories: ['Secret merger'] }

test('a filter has no name that only drafts give away', async () => {
  const json = { title: 'Plan', start_date: '2026-12-05 19:00', end_date: '2026-12-05 20:00', ...SECRET }
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201)
  const [{ id }] = body.categories
  const { chips } = await read(`/events/?categories=${id},music`)
  assert.deepEqual([...chips.keys()], [String(id), 'Music'])
})

test('a search for canceled events finds them alone, any other has them behind the rest', async () => {
  for (const [title, event_status] of [
    ['Regatta', 'scheduled'],
    ['Regatta off', 'canceled'],
  ] as const) {
    const json = { title, event_status, start_date: '2026-12-20 10:00', end_date: '2026-12-20 11:00' }
    assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
  }
  const found = async (query: string) => {
    const text = await (await fetch(`${app.origin}/search?q=regatta${query}`)).text()
    const [, body = ''] = text.split('<div class="timeline">')
    return body.match(/>(?:Regatta(?: off)?|Canceled)(?=<\/(?:a|h2)>)/g)
  }
  assert.deepEqual(await found(''), ['>Regatta', '>Canceled', '>Regatta off'])
  assert.deepEqual(await found('&event_status=canceled'), ['>Regatta off'])
  assert.deepEqual(await found('&event_status=scheduled'), ['>Regatta'])
})

test('titles have their own direction, and lines about events are cut in every script', async () => {
  const json = {
    title: '東京',
    description: '日本語。'.repeat(48),
    start_date: '2026-12-21 10:00',
    end_date: '2026-12-21 11:00',
  }
  const { status } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201)
  const list = await (await fetch(`${app.origin}/ar/events/?start_date=2026-12-21&starts_before=2026-12-21`)).text()
  assert.match(list, /<h3 class="title"><a [^>]* dir="auto">東京</)
  assert.match(list, /<p class="excerpt" dir="auto">(?:日本語。){35}…</)
  const day = await (await fetch(`${app.origin}/ar/events/2026-12-21/`)).text()
  assert.match(day, /<strong dir="auto">東京</)
})

test('who subscribes to a narrowed view reads which of its events that brings', async () => {
  for (const [path, name] of [
    ['/events/', 'Kalends'],
    ['/events/?categories=music&cost=free&start_date=2026-12-05', 'Kalends · Music · Free'],
    ['/events/2026-12/?categories=music', 'Kalends · Music'],
    ['/events/week/2026-11-30/?search=jazz', 'Kalends · “jazz”'],
    ['/events/category/talks/?tags=quiet', 'Talks · Quiet'],
  ] as const) {
    const text = await (await fetch(app.origin + path)).text()
    assert.equal(/<strong>Subscribe to (.*?)<\/strong>/.exec(text)?.[1], name, path)
  }
})

test('the same filters have one address, whichever was chosen first', async () => {
  const addressesOf = async (query: string): Promise<readonly string[]> => {
    const text = await (await fetch(`${app.origin}/events/?${query}`)).text()
    const hrefs = text.matchAll(/<a class="chip" href="([^"]*)"/g)
    return [...hrefs].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  }
  const period = 'start_date=2026-11-29&starts_before=2026-12-05'
  const both = `/events/?cost=free&${period}`
  assert.ok((await addressesOf('cost=free')).includes(both))
  assert.ok((await addressesOf(period)).includes(both))
})
