import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp, type Sending, type TestApp } from '../support/app.ts'
import { tecClient } from '../support/tec.ts'

/*
 * must hold 2: every route answers every status that the documents list for it as both of them say: each answer of a test is
 * compared with them.
 */

type As = Parameters<TestApp['call']>[0]

const app = await openTestApp({ after })
const careful = await openTestApp({ after }, { requireIfMatch: 'true' })
const limited = await openTestApp({ after }, { limitReads: '1/3600', limitWrites: '1/3600' })

interface Operation {
  readonly method: string
  readonly path: string
  /** Errors that it lists, as `4XX` where they are many. */
  readonly statuses: readonly string[]
}

const { body: document } = await tecClient(app).call('anonymous', 'GET', '/docs')
const operations = Object.entries<Record<string, { readonly responses: object }>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(
      ([method, { responses }]): Operation => ({
        ...{ method: method.toUpperCase(), path },
        statuses: Object.keys(responses).filter((status) => status >= '400'),
      }),
    ),
)

/** Errors that every route lists and that no request alone provokes. */
const ELSEWHERE = new Set(['409', '415', '500', '503', 'default'])

/** Longer than any body may be. */
const LONG = { title: 'x'.repeat(2_100_000) }

/** Whether no request has an error that every route lists: what is created has no version, and is not looked for. */
function isImpossible({ method, path }: Operation, status: string): boolean {
  // `fetch` sends no body with it.
  if (status === '413') return method === 'GET'
  if (path.includes('{id}')) return false
  return method === 'POST' ? ['404', '412'].includes(status) : status === '404' && ['/', '/docs'].includes(path)
}

let made = 0

/** An item of its own for each request, by the collection of its path; a ticket of a new event for those. */
async function itemIn(target: TestApp, path: string): Promise<number> {
  const tec = tecClient(target)
  const collection = path.split('/')[1]
  made += 1
  if (collection === 'venues' || collection === 'organizers')
    return (await tec.create(`/${collection}`, { title: `One ${made}` })).id
  const event = await tec.create('/events', { ...WALK, tickets: [{ name: `Adult ${made}` }] })
  if (collection !== 'tickets') return event.id
  return (await tec.call('anonymous', 'GET', `/tickets?event=${event.id}`)).body[0].id
}

/** What an operation is sent so that it has a status; undefined where that takes more than one request. */
interface Provocation {
  readonly as?: As
  readonly sending?: Sending
  readonly id?: number | string
  /** Requests before the one that counts. */
  readonly before?: Sending
  readonly on?: TestApp
}

const WALK = { title: 'Walk', start_date: '2031-05-06 17:00:00', end_date: '2031-05-06 18:00:00' }
const BASIC = { authorization: `Basic ${btoa('nobody:wrong')}` }
const KEY = () => ({ 'idempotency-key': `"${made}"` })

/** What provokes each status. */
const PROVOKED: Readonly<Record<string, (operation: Operation) => Provocation>> = {
  400: () => ({ as: 'editor', sending: { query: { strict: 1, unknown: 1 } } }),
  401: ({ method }) => (method === 'GET' ? { sending: { headers: BASIC } } : { as: 'anonymous' }),
  403: () => ({ as: 'subscriber', id: 987_654 }),
  404: ({ path }) => (path.includes('{id}') ? { as: 'editor', id: 'x' } : { sending: { query: { page: 999 } } }),
  410: () => ({ as: 'editor', before: {} }),
  412: () => ({ as: 'editor', sending: { headers: { 'if-match': '"another"' } } }),
  422: () => ({
    ...{
      as: 'editor',
      before: { json: WALK, headers: KEY() },
    },
    sending: { json: { title: 'Other' }, headers: KEY() },
  }),
  413: () => ({ as: 'editor', sending: { json: LONG } }),
  428: () => ({ as: 'editor', on: careful }),
  429: () => ({ as: 'editor', before: {}, on: limited, id: 987_654 }),
}

for (const operation of operations) {
  const { method, path, statuses } = operation
  for (const status of statuses.filter((one) => !ELSEWHERE.has(one) && !isImpossible(operation, one)))
    test(`must hold 2: ${method} ${path} answers ${status} as both documents say`, async () => {
      const provoke = PROVOKED[status] ?? assert.fail(`nothing provokes ${status}`)
      made += 1
      const { as = 'anonymous', sending = {}, before, on = app, id } = provoke(operation)
      const own = path.includes('{id}') ? (id ?? (await itemIn(on, path))) : 0
      const tec = tecClient(on)
      const address = path.replace('{id}', String(own))
      const hasBody = method !== 'GET' && sending.json === undefined
      if (before !== undefined) await tec.call(as, method, address, before)
      const { query, ...rest } = { ...(hasBody && { json: WALK }), ...sending }
      const answer = await tec.call(as, method, address, { ...rest, ...(query && { query }) })
      assert.equal(String(answer.status), status, JSON.stringify(answer.body))
      assert.equal(answer.body.data.status, answer.status)
    })
}
