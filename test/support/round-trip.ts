import assert from 'node:assert/strict'
import type { Role } from '../../src/http/auth/rights.ts'
import type { Answer, Sending, TestApp } from './app.ts'
import { rowsOf } from './storage.ts'

/** An item and who sends it back. */
export interface Trip {
  readonly as: Role
  /** Addresses of the item below the namespace: by ID, and by slug where there is one. */
  readonly paths: readonly string[]
  /** List in which the item is a row, '' for none. */
  readonly list: string
  /** All methods of updates if absent. */
  readonly methods?: readonly string[]
}

const METHODS = ['POST', 'PUT', 'PATCH'] as const

/**
 * Sends what GET answers back by every method and address, as JSON and as a form, strictly: each is answered 200, nothing about
 * the item changes, and the journal of the whole site stays as long as it is (decisions: Round trip).
 */
export async function assertRoundTrips(app: TestApp, { as, paths, list, methods = METHODS }: Trip): Promise<void> {
  const [first = ''] = paths
  const before = await ask(app, as, first)
  const length = await journalLength(app)
  const bodies: Sending[] = [{ json: before.body }, { form: formOf(before.body) }]
  const row = list === '' ? undefined : await rowOf(app, { as, list, id: before.body.id })
  if (row !== undefined) bodies.push({ json: row })
  for (const path of paths) {
    for (const method of methods) {
      for (const sending of bodies) {
        const what = `${method} ${path} as ${as}: ${JSON.stringify(sending)}`
        const answer = await app.call(as, method, path, { ...sending, query: { strict: 1 } })
        assert.equal(answer.status, 200, `${JSON.stringify(answer.body)} ${what}`)
        const { json_ld: _single, ...shown } = (await ask(app, as, first)).body
        const { json_ld: _same, ...expected } = before.body
        assert.deepEqual(shown, expected, what)
        assert.equal(await journalLength(app), length, `the journal grew: ${what}`)
      }
    }
  }
}

async function ask(app: TestApp, as: Role, path: string): Promise<Answer> {
  const answer = await app.call(as, 'GET', path)
  assert.equal(answer.status, 200, `GET ${path} as ${as}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** The row of an item in a list; undefined where the list leaves it out. */
async function rowOf(app: TestApp, { as, list, id }: { as: Role; list: string; id: number }): Promise<unknown> {
  const answer = await app.call(as, 'GET', list)
  assert.equal(answer.status === 200 || answer.status === 404, true, JSON.stringify(answer.body))
  const rows = Object.values<unknown>(answer.body).find(Array.isArray) ?? []
  return rows.find((one: { id: number }) => one.id === id)
}

async function journalLength({ app }: TestApp): Promise<unknown> {
  return (await rowsOf(app.storage, 'select count(*) as n from journal'))[0]?.['n']
}

/** A body as a form: members in brackets; what a form cannot say, such as an empty list, is left out. */
function formOf(body: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  const add = (name: string, value: unknown): void => {
    if (value === null) return
    if (typeof value !== 'object') fields[name] = String(value)
    else for (const [key, one] of Object.entries(value)) add(name === '' ? key : `${name}[${key}]`, one)
  }
  add('', body)
  return fields
}
