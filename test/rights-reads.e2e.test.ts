import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operationsOf, pagesOf, readsOf, UNLINKED, unvisited } from './rights/addresses.ts'
import { type ProbeCaller, people, programs } from './rights/callers.ts'
import { crawl } from './rights/crawl.ts'
import { FLAGS, plant } from './rights/plant.ts'
import { declaredPages, isCurious, readAll, textOf } from './rights/reading.ts'
import { type Secret, wordOf } from './rights/secrets.ts'
import { openTestApp } from './support/app.ts'
import { isAmong, WRITERS } from './support/rights.ts'

/*
 * Whatever is asked by whomever, no answer has a word of what that caller may not see. Who may is written down in
 * test/support/rights.ts and test/rights/callers.ts, from the documents.
 */

const app = await openTestApp({ after }, FLAGS)
const planted = await plant(app)

/** Names and texts of entries; nothing lists what is in the trash to those who do not write. */
function isShown({ role }: ProbeCaller, secret: Secret): boolean {
  if (secret.part !== 'name' && secret.part !== 'text') return false
  return secret.entry.status !== 'trash' || isAmong(WRITERS, role)
}

test('no answer of the API has a word of what its caller may not see', async () => {
  const addresses = readsOf(planted, await operationsOf(app))
  const { leaks, missed } = await readAll(planted, addresses, programs(app).filter(isCurious))
  assert.deepEqual(leaks, [])
  assert.deepEqual(missed(isShown), [])
})

test('no page has a word of what its reader may not see', async () => {
  const callers = await people(app)
  const administrator = callers.at(-1) as ProbeCaller
  const { addresses } = await crawl(app.origin, ['/', '/admin', ...UNLINKED], administrator.headers)
  const all = [...addresses.map((path) => ({ path })), ...pagesOf(planted)]
  assert.deepEqual(unvisited(declaredPages(), all), [])
  const { leaks, missed } = await readAll(planted, all, callers.filter(isCurious))
  assert.deepEqual(leaks, [])
  assert.deepEqual(missed(isShown), [])
})

/** Searches everywhere, by the parameter that they take. */
const SEARCHES = [
  ...['/cal/events/v1/events?status=any&search=', '/cal/events/v1/events?search=', '/cal/events/v1/venues?search='],
  ...['/cal/events/v1/organizers?search=', '/cal/events/v1/tags?hide_empty=false&search=', '/kalends/v1/search?q='],
  ...['/tec/v1/events?status=publish,draft,private&search=', '/tec/v1/venues?search=', '/tec/v1/tickets?search='],
  ...['/cal/events/v1/categories?hide_empty=false&search=', '/kalends/v1/events.csv?search=', '/search/?q='],
  ...[
    '/events/list/?tribe-bar-search=',
    '/kalends/v1/media?search=',
    '/admin/offers/venue?q=',
    '/admin/events?search=',
  ],
]

/** As the others, and nowhere. */
const UNKNOWN = wordOf(100_000)

test('a search by a word that the caller may not see answers like one by a word that is nowhere', async () => {
  const [byPassword, signedIn] = [programs(app).filter(isCurious), (await people(app)).filter(isCurious)]
  const differences: string[] = []
  for (const [index, search] of SEARCHES.entries()) {
    for (const caller of /^\/(?:cal|kalends|tec)/.test(search) ? byPassword : signedIn) {
      const ask = async (word: string): Promise<string> => {
        const answer = await fetch(app.origin + search + word, { headers: caller.headers, redirect: 'manual' })
        return (await answer.text()).replaceAll(word, '')
      }
      const hidden = planted.words.all().filter(([_word, secret]) => !caller.mayRead(secret))
      const nothing = await ask(UNKNOWN)
      for (const [word, secret] of hidden.filter((_one, place) => (place + index) % 20 === 0))
        if ((await ask(word)) !== nothing) differences.push(`${caller.name} ${search} ${JSON.stringify(secret)}`)
    }
  }
  assert.deepEqual(differences, [])
})

test('a batch reads no more than its requests would', async () => {
  for (const caller of programs(app).filter(isCurious)) {
    const paths = planted.entries.slice(0, 100).map(({ kind, id }) => `/cal/events/v1/${kind}s/${id}`)
    const answer = await fetch(`${app.origin}/kalends/v1/batch`, {
      method: 'POST',
      headers: { ...caller.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ atomic: false, requests: paths.map((path) => ({ method: 'GET', path })) }),
    })
    const { text } = await textOf(answer)
    const leaked = planted.words.in(text).filter(([_word, secret]) => !caller.mayRead(secret))
    assert.deepEqual(leaked, [], caller.name)
    assert.equal(planted.words.in(text).length > 0, caller.role !== 'anonymous')
  }
})
