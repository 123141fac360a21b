import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/support/app.ts'
import { openMadeSite } from '../../../../test/support/made-site.ts'
import { EDITOR, eventsOf, importMade, madeEvent } from '../../../../test/support/site-import.ts'
import { addUser, listUsers } from '../../../accounts/users/index.ts'

function bookOf({ app }: TestApp) {
  return { storage: app.storage, now: app.now, secret: app.secret }
}

test('whatever users of a site are called, each comes, disabled', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const book = bookOf(app)
  await addUser(book, { name: 'mira', email: 'other@there.example', role: 'editor' })
  const long = 'x'.repeat(61)
  site.content.users = [
    { id: 11, username: long, name: 'Long', email: 'long@there.example', roles: ['author'] },
    { id: 12, username: `${'x'.repeat(39)}𝔘𝔘`, name: 'Gothic', email: 'no address', roles: ['author'] },
    { id: 13, username: '花子', name: '花子', email: `${'m'.repeat(300)}@there.example`, roles: ['contributor'] },
    { id: 14, username: '  ', name: 'משה', roles: ['author'] },
    { id: 15, username: long, name: 'y'.repeat(3_000), email: 'third@there.example', roles: ['author'] },
  ]
  site.content.events = site.content.users.map(({ id }) => madeEvent(Number(id), { author: String(id) }))
  const before = (await listUsers(book)).length
  const report = await importMade(app, site, EDITOR)
  assert.deepEqual([report.users.created, report.notes], [5, []])
  const made = (await listUsers(book)).slice(before)
  assert.ok(made.every(({ disabledAt }) => disabledAt !== null))
  assert.deepEqual(
    made.map(({ name, role }) => [name, role]),
    [
      ['x'.repeat(40), 'author'],
      [`${'x'.repeat(39)}𝔘`, 'author'],
      ['花子', 'contributor'],
      ['משה', 'author'],
      [`${'x'.repeat(40)}-15`, 'author'],
    ],
  )
  const authors = (await eventsOf(app)).map(({ author }) => author)
  assert.deepEqual(
    authors,
    made.map(({ id }) => String(id)),
  )
})

test('those who may write come without items of theirs, too, and nobody becomes an administrator', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5, { author: '4' })]
  site.content.users = [
    { id: 4, slug: 'ada', name: 'Ada', roles: ['administrator'] },
    { id: 5, slug: 'ben', name: 'Ben', roles: ['editor'] },
    { id: 6, slug: 'cleo', name: 'Cleo', roles: ['subscriber'] },
    { id: 7, slug: 'dora', name: 'Dora', roles: ['customer'] },
  ]
  const report = await importMade(app, site, EDITOR)
  assert.deepEqual([report.users, report.notes.length], [{ found: 4, created: 2, made: report.users.made }, 1])
  assert.match(JSON.stringify(report.notes), /user 4 .*Ada.*is an editor here/)
  const made = (await listUsers(bookOf(app))).filter(({ disabledAt }) => disabledAt !== null)
  assert.deepEqual(
    report.users.made,
    made.map(({ id, name, role }) => ({ id, name, role })),
  )
  assert.deepEqual(
    made.map(({ name, role }) => [name, role]),
    [
      ['ada', 'editor'],
      ['ben', 'editor'],
    ],
  )
})

test('who becomes visible later gets what is new or changes, and what was given to others here stays theirs', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const book = bookOf(app)
  const other = await addUser(book, { name: 'mira', email: 'mira@here.example', role: 'editor' })
  site.content.events = [5, 6].map((id) => madeEvent(id, { author: '4' }))
  const first = await importMade(app, site)
  assert.match(JSON.stringify(first.notes), /user 4.*the site does not show it/)
  await app.call('administrator', 'POST', '/events/6', { json: { author: other.id } })
  site.content.users = [{ id: 4, slug: 'ada', name: 'Ada', roles: ['author'] }]
  site.content.events.push(madeEvent(7, { author: '4' }))
  const second = await importMade(app, site, EDITOR)
  assert.deepEqual([second.users.created, second.counts.event.created, second.counts.event.updated], [1, 1, 0])
  const ada = (await listUsers(book)).find(({ name }) => name === 'ada')
  const owners = (await eventsOf(app)).map(({ id, author }) => [id, Number(author)] as const)
  assert.deepEqual([Object.fromEntries(owners)[6], Object.fromEntries(owners)[7]], [other.id, ada?.id])
})

test('what a user may see no more who could before stays', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5, { author: '0' }), madeEvent(6, { status: 'draft', author: '0' })]
  await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  site.isEditor = false
  const report = await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  assert.match(report.notes[0]?.why ?? '', /may not see unpublished items/)
  assert.deepEqual(report.vanished, [])
  assert.equal((await app.call('administrator', 'GET', '/events/6')).body.status, 'draft')
  site.isEditor = true
  site.content.events.pop()
  assert.deepEqual((await importMade(app, site, { ...EDITOR, vanished: 'trash' })).vanished, ['event 6'])
})
