import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import fc from 'fast-check'
import { NAMESPACE } from '../src/http/address.ts'
import type { Role } from '../src/http/auth/rights.ts'
import { OWN_NAMESPACE } from '../src/http/namespace.ts'
import { openTestApp, type Sending } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'
import { type Described, requestsOf, type Suggested } from './support/generated.ts'
import { assertCopiesFollow, assertJournalMirrors } from './support/mirror.ts'

/** How many requests are sent, in sequences of a few; the same seed sends the same ones. */
const COUNT = draws(10_000, 1500)
const LENGTH = 25

const app = await openTestApp({ after })
const requests = fc.oneof(
  { weight: 12, arbitrary: requestsOf(NAMESPACE, await documentOf(NAMESPACE)) },
  { weight: 1, arbitrary: requestsOf(OWN_NAMESPACE, await documentOf(OWN_NAMESPACE)) },
)

async function documentOf(namespace: string): Promise<Described> {
  return (await app.call('anonymous', 'GET', `${app.origin}/${namespace}/doc`)).body
}

/** Writers come more often than readers: what nobody has made cannot be read. */
const callers = fc.constantFrom<Role | 'anonymous'>(
  ...(['administrator', 'administrator', 'editor', 'editor', 'author', 'author', 'contributor'] as const),
  ...(['subscriber', 'anonymous'] as const),
)

/** Ids and slugs of what was made, by collection. */
const made = new Map<string, { id: number; slug: string }[]>()

/** The path with what it names: mostly something of its collection, now and then anything. */
function pathOf({ path, pick }: Suggested): string {
  const own = made.get(path.split('/')[1] ?? '') ?? []
  const named = pick % 9 === 0 ? undefined : own[pick % Math.max(own.length, 1)]
  const slug = named?.slug ?? `slug-${pick % 20}`
  return path
    .replace(/^\/$/, '')
    .replace('{id}', String(named?.id ?? pick % 60))
    .replace('{slug}', slug)
}

/** A value as a query string or form has it. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

function texts(members: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, written(value).toWellFormed()]))
}

function sendingOf({ body, medium }: Suggested): Sending {
  if (body === undefined) return {}
  return medium === 'json' ? { json: body } : { form: texts(body) }
}

const statuses = new Map<number, number>()

async function send(as: Role | 'anonymous', request: Suggested): Promise<void> {
  const query = new URLSearchParams(texts(request.query))
  const path = `${app.origin}/${request.namespace}${pathOf(request)}?${query}`
  // Answers are compared with the document where they arrive: a status or body that it does not know fails here.
  const { status, body } = await app.call(as, request.method, path, sendingOf(request))
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  assert.ok(status < 500, `${request.method} ${path}`)
  if (status === 201 && typeof body.id === 'number' && typeof body.slug === 'string') {
    const collection = request.path.split('/')[1] ?? ''
    made.set(collection, [...(made.get(collection) ?? []), { id: body.id, slug: body.slug }])
  }
}

test(`requests that the document suggests are answered as it says (seed ${SEED})`, async (t) => {
  const sequences = fc.array(fc.tuple(callers, requests), { minLength: LENGTH, maxLength: LENGTH })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    for (const [as, request] of sequence) await send(as, request)
  })
  // What one sequence has made is there for the next, so a smaller counterexample would be that of another calendar.
  await fc.assert(property, { seed: SEED, numRuns: Math.ceil(COUNT / LENGTH), endOnFailure: true })
  t.diagnostic(`seed ${SEED}, statuses ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`)
  // Most operations have to succeed now and then, or nothing is proved of them.
  for (const status of [200, 201, 400, 401, 403, 404]) assert.ok((statuses.get(status) ?? 0) > COUNT / 200, `${status}`)
  await assertJournalMirrors(app.app.storage)
  await assertCopiesFollow(app.app.storage)
})
