import assert from 'node:assert/strict'
import test from 'node:test'
import { Failure } from '../../base/errors.ts'
import { changedTerm, checkName, checkNoParent, derivedColumns } from './rules.ts'
import type { Term } from './tables.ts'

const codeOf = (step: () => void): string | undefined => {
  try {
    step()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.equal(error.status, 400)
    return error.code
  }
}

const NAMES: readonly [name: string, code: string | undefined][] = [
  ['Music', undefined],
  ['', 'empty_term_name'],
  ['n'.repeat(200), undefined],
  ['n'.repeat(201), 'db_insert_error'],
  ['🎷'.repeat(200), undefined],
]

for (const [name, code] of NAMES) {
  test(`a name of ${[...name].length} characters gives ${code ?? 'no error'}: ${name.slice(0, 10)}`, () => {
    assert.equal(
      codeOf(() => checkName(name)),
      code,
    )
  })
}

test('a tag may be sent a parent that says none, and no other', () => {
  for (const none of [undefined, null, '', 0, '0', false])
    assert.equal(
      codeOf(() => checkNoParent(none)),
      undefined,
    )
  for (const some of [5, '5', 'x', [], true]) {
    assert.equal(
      codeOf(() => checkNoParent(some)),
      'rest_taxonomy_not_hierarchical',
    )
  }
})

test('terms are searched by folded name, slug and the text of the description, one a line', () => {
  const wording = { name: 'Žluť  Café', slug: 'zlut-cafe', description: '<b>Große</b> Halle &amp; Hof' }
  assert.deepEqual(derivedColumns(wording).search_text.split('\n'), ['zlut cafe', 'zlut-cafe', 'grosse halle & hof'])
})

const TERM: Term = {
  id: 5,
  name: 'Jazz',
  slug: 'jazz',
  description: '',
  parent: 2,
  color: '',
  shade: 1,
  count: 3,
  extra: null,
  revision: 4,
  ...derivedColumns({ name: 'Jazz', slug: 'jazz', description: '' }),
}

test('a change of nothing is no change', () => {
  assert.equal(changedTerm(TERM, {}), undefined)
  assert.equal(changedTerm(TERM, { name: 'Jazz', slug: 'jazz', description: '', parent: 2 }), undefined)
})

test('a change keeps what was not sent, counts the revision and follows the name', () => {
  const changed = changedTerm(TERM, { name: 'Blues', parent: 0 })
  assert.deepEqual(changed, {
    ...TERM,
    name: 'Blues',
    parent: 0,
    revision: 5,
    ...derivedColumns({ name: 'Blues', slug: 'jazz', description: '' }),
  })
})
