import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CallerRole, Role } from '../../src/http/auth/rights.ts'
import { STATUSES, type Status } from '../../src/model/status.ts'
import { type Answer, openTestApp } from '../support/app.ts'
import { CALLERS, isListed, mayRead, type Whose } from '../support/rights.ts'

/*
 * must hold 5: what the interface refuses to show is not shown, counted, embedded, or found by search here.
 */

const app = await openTestApp({ after })
const OWNERS = ['author', 'editor'] as const
const KINDS = { events: 'title', venues: 'venue', organizers: 'organizer' } as const
type Kind = keyof typeof KINDS

interface Planted {
  readonly kind: Kind
  readonly owner: Role
  readonly status: Status
  readonly id: number
  /** In its description alone. */
  readonly word: string
}

async function plant(kind: Kind, owner: Role, status: Status): Promise<Planted> {
  const word = `${status}${owner}${kind}`
  const times = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  const json = {
    [KINDS[kind]]: `A ${kind}`,
    slug: word,
    description: `<p>${word}</p>`,
    status: status === 'trash' ? 'draft' : status,
    ...(status === 'future' && { date: '2027-01-01 00:00:00' }),
    ...(kind === 'events' ? times : { phone: word }),
  }
  const { body, status: code } = await app.call(owner, 'POST', `/${kind}`, { json })
  assert.equal(code, 201, JSON.stringify(body))
  if (status === 'trash') await app.call(owner, 'DELETE', `/${kind}/${body.id}`)
  return { kind, owner, status, id: body.id, word }
}

const planted: Planted[] = []
for (const kind of Object.keys(KINDS) as Kind[])
  for (const owner of OWNERS) for (const status of STATUSES) planted.push(await plant(kind, owner, status))

const get = (as: CallerRole, path: string): Promise<Answer> =>
  app.call(as, 'GET', `${app.origin}/wp-json/tec/v1${path}`)
const whose = (as: CallerRole, { owner }: Planted): Whose => (as === owner ? 'own' : "others'")
const idsOf = (items: readonly { readonly id: number }[]): number[] => items.map(({ id }) => id).sort((a, b) => a - b)
const ASKED = 'publish,future,draft,pending,private'

for (const caller of CALLERS)
  test(`must hold 5: ${caller} reads what the interface shows, and learns nothing of other ids`, async () => {
    const status = caller === 'anonymous' ? 401 : 403
    const message = 'This ID does not exist or is not open to you.'
    const refusal = { code: 'rest_forbidden', message, data: { status } }
    for (const one of planted) {
      const answer = await get(caller, `/${one.kind}/${one.id}`)
      if (mayRead({ caller, whose: whose(caller, one), status: one.status })) {
        assert.deepEqual([answer.status, answer.body.status], [200, one.status], JSON.stringify(one))
        assert.match(answer.body.content.rendered, new RegExp(one.word))
      } else assert.deepEqual([answer.status, answer.body], [status, refusal], JSON.stringify(one))
    }
    for (const path of ['/events/0', '/venues/99999', '/organizers/99999999999999999999', `/venues/${planted[0]?.id}`])
      assert.deepEqual((await get(caller, path)).body, refusal, path)
  })

for (const caller of CALLERS)
  test(`must hold 5: lists show, count and find for ${caller} what may be read`, async () => {
    for (const kind of Object.keys(KINDS)) {
      const listed = planted.filter(
        (one) => one.kind === kind && isListed({ caller, whose: whose(caller, one), status: one.status }),
      )
      const all = await get(caller, `/${kind}?status=${ASKED}&per_page=100`)
      assert.deepEqual(idsOf(all.body), idsOf(listed))
      assert.equal(all.headers.get('x-wp-total'), String(listed.length))
      const usual = await get(caller, `/${kind}`)
      assert.deepEqual(idsOf(usual.body), idsOf(listed.filter(({ status }) => status === 'publish')))
      assert.equal((await get(caller, `/${kind}?status=trash`)).body.code, 'rest_invalid_param')
    }
    for (const one of planted) {
      const { body, headers } = await get(caller, `/${one.kind}?status=${ASKED}&search=${one.word}`)
      const isFound = isListed({ caller, whose: whose(caller, one), status: one.status })
      assert.deepEqual([idsOf(body), headers.get('x-wp-total')], [isFound ? [one.id] : [], String(Number(isFound))])
    }
  })

const LINKED = { venues: 'venue', organizers: 'organizer' } as const

test('must hold 5: an event embeds the venues and organizers that its reader may read', async () => {
  const links = Object.entries(LINKED).map(([kind, member]) => [
    member,
    planted.filter((one) => one.kind === kind && one.status !== 'trash').map(({ id }) => id),
  ])
  const times = { start_date: '2028-03-01 10:00:00', end_date: '2028-03-01 12:00:00' }
  const json = { title: 'All', ...times, ...Object.fromEntries(links) }
  const { body: all } = await app.call('editor', 'POST', '/events', { json })
  for (const caller of CALLERS) {
    const [listed] = (await get(caller, `/events?include=${all.id}`)).body
    for (const event of [listed, (await get(caller, `/events/${all.id}`)).body])
      for (const kind of ['venues', 'organizers'] as const) {
        const expected = planted.filter(
          (one) =>
            one.kind === kind &&
            one.status !== 'trash' &&
            mayRead({ caller, whose: whose(caller, one), status: one.status }),
        )
        assert.deepEqual(idsOf(event[kind]), idsOf(expected))
        if (kind === 'organizers') assert.equal(event.organizer_names.length, expected.length)
      }
  }
})

test('must hold 5: a password hides the content of an event, and a wrong one opens nothing', async () => {
  const [venue, organizer] = [planted.find(isPublic('venues'))?.id, planted.find(isPublic('organizers'))?.id]
  const secret = { description: '<p>hidden</p>', excerpt: 'hidden', cost: '77', website: 'https://hidden.example/' }
  const links = { venue: [venue], organizer: [organizer], custom_fields: { key: 'hidden' } }
  const times = { start_date: '2029-03-01 10:00:00', end_date: '2029-03-01 12:00:00' }
  const json = { title: 'Closed', ...times, ...secret, ...links, tickets: [{ name: 'hidden' }], password: 'sesame' }
  const { id } = (await app.call('author', 'POST', '/events', { json })).body
  const locked = { rendered: 'Password protected', protected: true }
  for (const query of ['', 'password=wrong', 'search=hidden']) {
    const item = await get('subscriber', `/events/${id}?${query}`)
    const list = await get('anonymous', `/events?${query}&start_date=2029-01-01`)
    for (const event of query.startsWith('search') ? [item.body] : [item.body, list.body[0]]) {
      assert.deepEqual([event.content, event.excerpt, event.cost], [locked, locked, 'Password protected'])
      assert.deepEqual([event.all_day, event.featured, event.sticky, event.venues, event.organizers], LOCKED)
      assert.deepEqual([event.organizer_names, event.start_date], [[], '2029-03-01 10:00:00'])
      assert.doesNotMatch(JSON.stringify(event), /hidden|77"/)
    }
    assert.equal(list.headers.get('x-wp-total'), query.startsWith('search') ? '0' : '1')
  }
  const de = await app.call('anonymous', 'GET', `${app.origin}/de/wp-json/tec/v1/events/${id}`)
  assert.equal(de.body.cost, 'Passwortgeschützt')
  const opened = [
    (await get('subscriber', `/events/${id}?password=sesame`)).body,
    (await get('anonymous', '/events?password=sesame&start_date=2029-01-01')).body[0],
    (await get('author', `/events/${id}`)).body,
  ]
  for (const event of opened) {
    assert.deepEqual([event.content, event.cost], [{ rendered: '<p>hidden</p>', protected: true }, '$77'])
    assert.deepEqual([idsOf(event.venues), idsOf(event.organizers)], [[venue], [organizer]])
  }
  const list = await get('anonymous', '/events?password=sesame&per_page=1')
  assert.doesNotMatch(list.headers.get('link') ?? assert.fail('no link'), /sesame/)
  assert.match(list.headers.get('cache-control') ?? '', /no-store/)
})

const LOCKED = [null, null, null, [], []]

function isPublic(kind: Kind): (one: Planted) => boolean {
  return (one) => one.kind === kind && one.status === 'publish'
}
