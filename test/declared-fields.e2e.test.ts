import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addField, removeField } from '../src/calendar/events/index.ts'
import { openTestApp } from './support/app.ts'
import { runHere } from './support/cli.ts'
import { databaseOf, openDataFolder } from './support/server.ts'

const app = await openTestApp({ after })
const { storage } = app.app
const LEAST = { title: 'Course', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

async function write(method: string, path: string, custom_fields: unknown) {
  const json = method === 'POST' ? { ...LEAST, custom_fields } : { custom_fields }
  const { status, body } = await app.call('editor', method, path, { json })
  return { status, body, said: body.data?.params?.custom_fields as string | undefined }
}

test('values are checked once a site has declared fields, and what an event has stays', async () => {
  const before = await write('POST', '/events', { old_name: 'kept', level: 'any' })
  assert.equal(before.status, 201)
  await addField({ storage }, { name: 'level', type: 'choice', label: 'Level', choices: 'easy, hard' })
  await addField({ storage }, { name: 'places', type: 'number' })
  await addField({ storage }, { name: 'indoors', type: 'boolean' })
  await addField({ storage }, { name: 'until', type: 'date' })
  await addField({ storage }, { name: 'map', type: 'url' })
  await addField({ storage }, { name: 'note', type: 'text' })
  const sound = {
    level: 'hard',
    places: 12.5,
    indoors: true,
    until: '2028-02-29',
    map: 'https://x.example/a',
    note: '',
  }
  const { status, body } = await write('POST', '/events', sound)
  assert.equal(status, 201)
  assert.deepEqual(body.custom_fields, { ...sound, places: '12.5', indoors: 'true' })
  const refusals: readonly (readonly [object, string])[] = [
    [{ level: 'medium' }, 'level is none of easy, hard'],
    [{ places: 'many' }, 'places is not a number'],
    [{ indoors: 'perhaps' }, 'indoors is neither true nor false'],
    [{ until: '2027-02-29' }, 'until is not a date such as 2027-06-30'],
    [{ map: 'javascript:alert(1)' }, 'map is not an http or https address'],
    [{ other: 'x' }, 'other is not declared'],
  ]
  for (const [fields, problem] of refusals) {
    const refused = await write('PATCH', `/events/${body.id}`, fields)
    assert.equal(refused.status, 400)
    assert.ok(refused.said?.includes(problem), String(refused.said))
  }
  // What was there before, or came with an import, may be sent again as it is, but not be changed to something else.
  const path = `/events/${before.body.id}`
  assert.equal((await write('PUT', path, { old_name: 'kept', level: 'any', note: 'new' })).status, 200)
  assert.equal((await write('PATCH', path, { old_name: 'changed' })).status, 400)
  await removeField({ storage }, { name: 'level' })
  assert.equal((await write('PATCH', `/events/${body.id}`, { ...sound, note: 'x' })).status, 200)
  assert.equal((await write('PATCH', `/events/${body.id}`, { level: 'easy' })).status, 400)
  await assert.rejects(removeField({ storage }, { name: 'level' }), /no_such_field|No field/)
})

test('kalends field declares, lists and removes', async (t) => {
  const data = await openDataFolder(t)
  const database = await databaseOf(data)
  const run = (...command: string[]) => runHere(data, ...command, '--database', database)
  await run('user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org')
  assert.equal((await run('field', 'add', 'level', '--type', 'choice', '--choices', 'easy,hard')).code, 0)
  assert.equal((await run('field', 'add', 'seats', '--type', 'number', '--label', 'Free seats')).code, 0)
  const { fields } = JSON.parse((await run('field', 'list', '--json')).stdout)
  assert.deepEqual(fields, [
    { name: 'level', label: 'level', type: 'choice', choices: ['easy', 'hard'] },
    { name: 'seats', label: 'Free seats', type: 'number', choices: [] },
  ])
  const refused: readonly (readonly string[])[] = [
    ['add', 'Level', '--type', 'text'],
    ['add', 'level', '--type', 'colour'],
    ['add', 'level', '--type', 'choice'],
    ['add', 'level', '--type', 'text', '--choices', 'a'],
    ['remove', 'colour'],
  ]
  for (const command of refused) assert.equal((await run('field', ...command)).code, 1, command.join(' '))
  assert.equal((await run('field', 'remove', 'seats')).code, 0)
  assert.equal(JSON.parse((await run('field', 'list', '--json')).stdout).fields.length, 1)
})
