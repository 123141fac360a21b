import assert from 'node:assert/strict'
import test from 'node:test'
import {
  ANONYMOUS,
  type Caller,
  type CallerRole,
  forbidden,
  isEditor,
  mayCreateEntries,
  mayCreateTerms,
  mayDelete,
  mayDeleteForGood,
  mayEdit,
  mayListUnpublished,
  mayPublish,
  mayRead,
  maySetAuthor,
  mayUpload,
  mayWriteCategories,
  mayWriteTags,
  ROLES,
} from './rights.ts'

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const
const CALLERS: readonly CallerRole[] = ['anonymous', ...[...ROLES].reverse()]
const MINE = 7
const OTHERS = 8

function callerOf(role: CallerRole): Caller {
  return role === 'anonymous' ? ANONYMOUS : { id: MINE, role, name: role }
}

/** Statuses that each role reads, changes and trashes: of its own entries and of those of others. */
const all = 'publish future draft pending private trash'
const MATRIX: Readonly<
  Record<CallerRole, { read: [own: string, others: string]; edit: [own: string, others: string] }>
> = {
  anonymous: { read: ['publish', 'publish'], edit: ['', ''] },
  subscriber: { read: [all, 'publish'], edit: ['', ''] },
  contributor: { read: [all, 'publish'], edit: ['draft pending trash', ''] },
  author: { read: [all, 'publish'], edit: [all, ''] },
  editor: { read: [all, all], edit: [all, all] },
  administrator: { read: [all, all], edit: [all, all] },
}

for (const role of CALLERS) {
  const caller = callerOf(role)
  for (const [place, authorId] of [MINE, OTHERS].entries()) {
    const whose = place === 0 ? 'own' : "others'"
    const readable = MATRIX[role].read[place]?.split(' ')
    const editable = MATRIX[role].edit[place]?.split(' ')
    for (const status of STATUSES) {
      const row = { authorId, status }
      test(`${role}, ${whose} ${status}: reads and changes what the matrix says`, () => {
        assert.equal(mayRead(caller, row), readable?.includes(status), 'read')
        assert.equal(mayEdit(caller, row), editable?.includes(status), 'edit')
        assert.equal(mayDelete(caller, row), editable?.includes(status), 'delete')
      })
    }
  }
}

const QUESTIONS: readonly [question: (role: CallerRole) => boolean, yes: string][] = [
  [isEditor, 'editor administrator'],
  [mayDeleteForGood, 'editor administrator'],
  [mayCreateEntries, 'contributor author editor administrator'],
  [mayListUnpublished, 'contributor author editor administrator'],
  [mayPublish, 'author editor administrator'],
  [mayWriteCategories, 'author editor administrator'],
  [mayWriteTags, 'author editor administrator'],
  [mayCreateTerms, 'author editor administrator'],
  [mayUpload, 'author editor administrator'],
]

for (const [question, yes] of QUESTIONS) {
  test(`${question.name} holds for ${yes} and nobody else`, () => {
    assert.deepEqual(CALLERS.filter((role) => question(role)).join(' '), yes)
  })
}

test('contributors and authors set only themselves as author, editors anybody, the others nobody', () => {
  const answers = CALLERS.map((role) => [MINE, OTHERS].map((id) => maySetAuthor(callerOf(role), id)))
  const [self, anybody, nobody] = [
    [true, false],
    [true, true],
    [false, false],
  ]
  assert.deepEqual(answers, [nobody, nobody, self, self, anybody, anybody])
})

test('an entry without author belongs to no anonymous caller', () => {
  assert.ok(!mayRead(ANONYMOUS, { authorId: 0, status: 'draft' }))
  assert.ok(!mayEdit(ANONYMOUS, { authorId: 0, status: 'draft' }))
})

test('refusal is 401 without credentials and 403 with them', () => {
  assert.equal(forbidden(ANONYMOUS).status, 401)
  assert.equal(forbidden(callerOf('subscriber')).status, 403)
})
