import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type CallerRole, ROLES, type Role } from '../src/http/auth/rights.ts'
import { STATUSES, type Status } from '../src/model/status.ts'
import { type Answer, openTestApp, type Sending } from './support/app.ts'
import {
  CALLERS,
  changeOutcome,
  createOutcome,
  EDITORS,
  handOverOutcome,
  isAmong,
  isListed,
  type Meeting,
  PUBLISHERS,
  readOutcome,
  refusalOf,
  trashOutcome,
  type Whose,
  WRITERS,
} from './support/rights.ts'

/*
 * Every role against every resource, status and owner, by id and by slug. What is expected is written down in
 * test/support/rights.ts, from the documents.
 */

const app = await openTestApp({ after })
const { storage } = app.app
const users = await storage.all(storage.db.selectFrom('user').select(['id', 'name']))

const ADDRESSES = ['id', 'slug'] as const
const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
const KINDS = [
  { key: 'event', path: '/events', name: 'title', least: SPAN },
  { key: 'venue', path: '/venues', name: 'venue', least: {} },
  { key: 'organizer', path: '/organizers', name: 'organizer', least: {} },
] as const

type Kind = (typeof KINDS)[number]
type By = (typeof ADDRESSES)[number]

interface Entry {
  readonly id: number
  readonly slug: string
  readonly status: Status
  readonly owner: Role
  readonly name: string
}

let names = 0
function newName(): string {
  names += 1
  return `Entry ${names}`
}

function idOf(role: CallerRole): number {
  return users.find((one) => one.name === role)?.id ?? 0
}

function outcomeOf({ status, body }: Answer): string {
  return `${status} ${body.code ?? body.status}`
}

/** The outcome of a HEAD, which has no body. */
function bodiless(outcome: string): string {
  return `${outcome.slice(0, 3)} undefined`
}

const LATER = { date: '2027-01-01 00:00:00' }

/** An entry made by the administrator for its owner. */
async function make(kind: Kind, owner: Role, status: Status): Promise<Entry> {
  const name = newName()
  const json = {
    ...kind.least,
    [kind.name]: name,
    author: idOf(owner),
    status,
    ...(status === 'future' && LATER),
  }
  const answer = await app.call('administrator', 'POST', kind.path, { json })
  assert.equal(outcomeOf(answer), `201 ${status}`)
  assert.equal(answer.body.author, String(idOf(owner)))
  return { id: answer.body.id, slug: answer.body.slug, status, owner, name }
}

/** Entries that nothing has changed; those of refused requests apart, so that they stay to the end. */
const untouched = new Map<string, readonly [Kind, Entry]>()

interface Attempt {
  readonly expected: string
  readonly meeting: Meeting
  readonly method: string
  readonly sending: Sending
}

/** Sends a request about an entry as it is met. */
async function attempt(kind: Kind, by: By, { meeting, expected, method, sending }: Attempt): Promise<string> {
  const { caller, whose, status } = meeting
  const owner = ownerOf(caller, whose)
  const key = `${kind.key} ${owner} ${status} ${expected.startsWith('2')}`
  const entry = untouched.get(key)?.[1] ?? (await make(kind, owner, status))
  untouched.set(key, [kind, entry])
  const path = by === 'id' ? `${kind.path}/${entry.id}` : `${kind.path}/by-slug/${entry.slug}`
  const answer = await app.call(caller, method, path, sending)
  if (answer.status < 300 && method !== 'GET' && method !== 'HEAD') untouched.delete(key)
  return outcomeOf(answer)
}

function ownerOf(caller: CallerRole, whose: Whose): Role {
  if (whose === 'own') return caller === 'anonymous' ? 'subscriber' : caller
  return caller === 'editor' ? 'author' : 'editor'
}

/** Nobody is anonymous and an owner. */
const MEETINGS: readonly Meeting[] = CALLERS.flatMap((caller) =>
  (['own', "others'"] as const)
    .filter((whose) => whose !== 'own' || caller !== 'anonymous')
    .flatMap((whose) => STATUSES.map((status) => ({ caller, whose, status }))),
)

/** Asserts what each request comes to; all that differs is told at once. */
async function compare(rows: Iterable<readonly [what: string, expected: string, got: () => Promise<string>]>) {
  const expectations: string[] = []
  const outcomes: string[] = []
  for (const [what, expected, got] of rows) {
    const outcome = await got()
    if (outcome === expected) continue
    expectations.push(`${what}: ${expected}`)
    outcomes.push(`${what}: ${outcome}`)
  }
  assert.deepEqual(outcomes, expectations)
}

/** Asserts what each attempt at every entry comes to. */
function compareAttempts(kind: Kind, by: By, attemptsOf: (one: Meeting) => readonly Omit<Attempt, 'meeting'>[]) {
  return compare(
    MEETINGS.flatMap((meeting) =>
      attemptsOf(meeting).map((one) => {
        const what = `${meeting.caller}, ${meeting.whose} ${meeting.status}, ${JSON.stringify(one.sending)}`
        return [what, one.expected, () => attempt(kind, by, { ...one, meeting })] as const
      }),
    ),
  )
}

for (const kind of KINDS) {
  test(`lists of ${kind.path} show and count each caller what it may read`, async () => {
    const entries: Entry[] = []
    for (const owner of ROLES) for (const status of STATUSES) entries.push(await make(kind, owner, status))
    const rows = [undefined, 'any' as const, ...STATUSES].flatMap((asked) =>
      CALLERS.map((caller) => {
        const isRefused = !isAmong(WRITERS, caller) && asked !== undefined && asked !== 'publish'
        const shown = entries.filter(({ owner, status }) =>
          isListed({ caller, whose: owner === caller ? 'own' : "others'", status }, asked),
        )
        const expected = isRefused ? 'rest_invalid_param' : listText(shown, shown.length)
        return [`${caller}, status=${asked}`, expected, () => list(kind, caller, asked)] as const
      }),
    )
    await compare(rows)
  })

  test(`lists of ${kind.path} without status hold exactly what single reads answer, the trash apart`, async () => {
    const { body } = await app.call('administrator', 'GET', kind.path, { query: { per_page: 50 } })
    for (const caller of CALLERS.filter((one) => isAmong(WRITERS, one))) {
      const readable: Entry[] = []
      for (const entry of body[`${kind.key}s`]) {
        if ((await app.call(caller, 'GET', `${kind.path}/${entry.id}`)).status === 200) readable.push(entry)
      }
      assert.equal(await list(kind, caller, undefined), listText(readable, readable.length), caller)
    }
  })
}

async function list(kind: Kind, caller: CallerRole, status: string | undefined): Promise<string> {
  const query = status === undefined ? undefined : { status }
  const { body } = await app.call(caller, 'GET', kind.path, { query: { per_page: 50, ...query } })
  if (body.code !== undefined) return body.code
  const { body: first } = await app.call(caller, 'GET', kind.path, { query: { per_page: 1, ...query } })
  assert.deepEqual([first.total, first.total_pages], [body.total, body.total])
  return listText(body[`${kind.key}s`], body.total)
}

function listText(entries: readonly { readonly id: number }[], total: number): string {
  const ids = entries.map(({ id }) => id).toSorted((a, b) => a - b)
  return `${total}: ${ids.join(' ')}`
}

for (const kind of KINDS) {
  for (const by of ADDRESSES) {
    test(`${kind.path} by ${by}: everybody reads what is published, the rest only its author and editors`, () =>
      compareAttempts(kind, by, (one) => [
        { expected: readOutcome(kind.key, one), method: 'GET', sending: {} },
        { expected: bodiless(readOutcome(kind.key, one)), method: 'HEAD', sending: {} },
      ]))

    test(`${kind.path} by ${by}: contributors change their own unpublished, authors their own, editors all`, () =>
      compareAttempts(kind, by, (one) => [
        { expected: changeOutcome(one, undefined), method: 'POST', sending: { json: { [kind.name]: newName() } } },
      ]))

    test(`${kind.path} by ${by}: whoever may change an entry may trash it, and once only`, () =>
      compareAttempts(kind, by, (one) => [{ expected: trashOutcome(kind.key, one), method: 'DELETE', sending: {} }]))

    test(`${kind.path} by ${by}: editors alone delete for good, also from the trash`, () =>
      compareAttempts(kind, by, (one) => [
        {
          expected: isAmong(EDITORS, one.caller) ? `200 ${one.status}` : refusalOf(one.caller),
          method: 'DELETE',
          sending: { query: { force: 'true' } },
        },
      ]))
  }

  test(`${kind.path}: whoever may change an entry gives it every status that the role may give`, async () => {
    // Half of the changes of status by each address: the other tests send everything by both.
    for (const [half, by] of ADDRESSES.entries())
      await compareAttempts(kind, by, (one) =>
        STATUSES.filter((to) => (STATUSES.indexOf(one.status) + STATUSES.indexOf(to)) % 2 === half).map((to) => ({
          expected: changeOutcome(one, to),
          method: 'PATCH',
          sending: { json: { status: to } },
        })),
      )
  })

  test(`${kind.path}: editors give an entry to anybody, everybody else only to themselves`, async () => {
    for (const by of ADDRESSES)
      await compareAttempts(kind, by, (one) =>
        [one.caller, ownerOf(one.caller, "others'")].flatMap((target) =>
          target === 'anonymous'
            ? []
            : [
                {
                  expected: handOverOutcome(one, target === one.caller),
                  method: 'PUT',
                  sending: { json: { author: idOf(target) } },
                },
              ],
        ),
      )
  })

  test(`${kind.path}: contributors propose, authors publish, editors also in the name of others`, () =>
    compare(
      CALLERS.flatMap((caller) =>
        (['own', "others'"] as const).flatMap((whose) =>
          [undefined, ...STATUSES].map((status) => [
            `${caller}, ${whose} ${status}`,
            createOutcome(caller, whose, status),
            () => create(kind, caller, { whose, status }),
          ]),
        ),
      ),
    ))
}

async function create(
  kind: Kind,
  caller: CallerRole,
  { whose, status }: { readonly whose: Whose; readonly status: Status | undefined },
): Promise<string> {
  const author = idOf(whose === 'own' ? caller : ownerOf(caller, whose))
  const json = {
    ...kind.least,
    [kind.name]: newName(),
    ...(status !== undefined && { status }),
    ...(status === 'future' && LATER),
    ...(whose === "others'" && { author }),
  }
  const answer = await app.call(caller, 'POST', kind.path, { json })
  if (answer.status === 201) assert.equal(answer.body.author, String(author))
  return outcomeOf(answer)
}

test('refused requests leave the entries as they were', async () => {
  assert.ok(untouched.size > 0)
  for (const [key, [kind, { id, status, slug, name }]] of untouched) {
    const { body } = await app.call('administrator', 'GET', `${kind.path}/${id}`)
    assert.deepEqual([body.status, body.slug, body[kind.name]], [status, slug, name], key)
  }
})

for (const path of ['/categories', '/tags']) {
  test(`${path}: authors and above create, change and delete, nobody else`, () =>
    compare(
      CALLERS.flatMap((caller) => {
        const steps = [
          ['POST', undefined, 201],
          ['POST', 'id', 200],
          ['DELETE', 'id', 200],
        ] as const
        return steps.map(([method, by, status]) => [
          `${caller}, ${method} ${by}`,
          isAmong(PUBLISHERS, caller) ? `${status}` : refusalOf(caller),
          () => writeTerm(path, caller, { method, by }),
        ])
      }),
    ))
}

/** A refused write must leave the term, and their number, as it was. */
async function writeTerm(
  path: string,
  caller: CallerRole,
  { method, by }: { readonly method: string; readonly by: 'id' | undefined },
): Promise<string> {
  const { body: term } = await app.call('administrator', 'POST', path, { json: { name: newName() } })
  const before = await app.call('anonymous', 'GET', path)
  const sending = method === 'DELETE' ? {} : { json: { name: newName() } }
  const answer = await app.call(caller, method, by === undefined ? path : `${path}/${term.id}`, sending)
  if (answer.status < 300) return String(answer.status)
  assert.deepEqual((await app.call('anonymous', 'GET', path)).body, before.body)
  return `${answer.status} ${answer.body.code}`
}
