import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestApp } from '../support/app.ts'
import { openTestApp } from '../support/app.ts'
import { askMcp } from '../support/mcp.ts'
import { type ToolCaller, toolCaller } from '../support/mcp-tools.ts'
import { submit } from '../support/submissions.ts'
import { tokenOf } from '../support/tokens.ts'

const DAY = '2027-03-01'
const TIMES = { start_date: `${DAY} 10:00:00`, end_date: `${DAY} 12:00:00` }

/** What every tool says of an event, and every resource; failures, too. */
async function everythingSaid(caller: ToolCaller, id: number): Promise<string> {
  const said: unknown[] = []
  const call = async (name: string, args: object = {}): Promise<void> => {
    said.push(await caller.call(name, { ...args }).catch((error: Error) => error.message))
  }
  const { body } = await caller.call('get_event', { id })
  for (const status of ['publish', 'pending'])
    await call('search_events', { from: '2026-01-01', to: '2028-01-01', status })
  await call('get_event', { id, dates: 5 })
  await call('get_event', { slug: String(body.url).split('/').at(-2) ?? 'x' })
  for (const kind of ['venue', 'organizer', 'category', 'tag']) await call('find_references', { kind })
  await call('preview_recurrence', { start: DAY, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await call('check_conflicts', { venue: body.venue?.id ?? 1, start: `${DAY}T10:00`, end: `${DAY}T12:00` })
  await call('list_changes')
  await call('create_event', {
    title: body.title ?? 'x',
    start: `${DAY}T10:00`,
    end: `${DAY}T12:00`,
    password: 'sesame-42',
  })
  await call('create_event', { title: body.title ?? 'x', start: `${DAY}T10:00`, end: `${DAY}T12:00` })
  for (const name of ['update_event', 'cancel_event', 'trash_event'])
    await call(name, { id, if_match: 'x', ...(name === 'update_event' && { changes: { cost: '1' } }) })
  await call('restore_event', { id })
  for (const uri of ['kalends://site', 'kalends://help/fields', `kalends://event/${id}`, `kalends://day/${DAY}`])
    said.push(await caller.read(uri).catch((error: Error) => error.message))
  return JSON.stringify(said)
}

async function made(app: TestApp, path: string, json: object): Promise<{ id: number }> {
  const { status, body } = await app.call('administrator', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('addresses and numbers of people, submitters, tokens and event passwords are in no result, error, log line or metric', async (t) => {
  const lines: string[] = []
  const app = await openTestApp(t, { submissions: 'yes', metricsPort: '1' }, lines)
  const contact = { phone: '+49 30 5550100', website: 'https://club.example/' }
  const venue = await made(app, '/venues', { venue: 'Hall', ...contact })
  const organizer = await made(app, '/organizers', { organizer: 'Club', email: 'person@club.example', ...contact })
  const links = { venue: venue.id, organizer: organizer.id }
  const mail = '<p>Write to <a href="mailto:desk@club.example">us</a> or <a href="tel:+49305550101">call</a>.</p>'
  const open = await made(app, '/events', { title: 'Open', ...TIMES, ...links, description: mail })
  const locked = await made(app, '/events', { title: 'Locked', ...TIMES, password: 'sesame-42', description: 'Within' })
  const sender = { submitter_name: 'Dana Sender', submitter_email: 'dana@sender.example' }
  const when = { start_date: DAY, start_date_time: '17:00', end_date: DAY, end_date_time: '18:00' }
  assert.equal((await submit(app, { title: 'Submitted', ...when, ...sender })).status, 303)
  const { token } = await tokenOf(app, 'editor', 'read', 'events:write')
  const callers = [
    await toolCaller(t, app, { authorization: `Bearer ${token}` }),
    await toolCaller(t, app, 'administrator'),
    await toolCaller(t, app, 'contributor'),
    await toolCaller(t, app, 'anonymous'),
  ]
  lines.length = 0
  const secret = /club\.example(?!\/)|@|5550100|305550101|sender|sesame/i
  for (const [place, caller] of callers.entries()) {
    const said = (await everythingSaid(caller, open.id)) + (await everythingSaid(caller, locked.id))
    assert.doesNotMatch(said, secret)
    assert.ok(!said.includes(token))
    assert.match(said, /Write to us or call/)
    // Only editors see what was submitted, and what a password protects.
    assert.equal(said.includes('Submitted'), place < 2)
    assert.equal(said.includes('Within'), place < 2)
  }
  // A token that is typed wrong, or sent as something else, is in no line either.
  const wrong = token.replace(/.$/, (one) => (one === 'a' ? 'b' : 'a'))
  for (const authorization of [`Bearer ${wrong}`, token, `Token ${token}`])
    assert.equal((await askMcp({ origin: app.origin, headers: { authorization } }, 'tools/list')).status, 401)
  const args = { id: token, if_match: 'person@club.example', reason: 'sesame-42' }
  await callers[0]?.call('cancel_event', args)
  const noted = lines.join('') + (await app.app.metrics?.text())
  assert.match(noted, /tool called.*kalends_mcp_calls_total/s)
  assert.doesNotMatch(noted, secret)
  for (const text of [token, wrong]) assert.ok(!noted.includes(text.slice(13)), 'a token')
})

test('what nobody sees reaches no result, and the stored texts stay', async (t) => {
  const app = await openTestApp(t)
  const unseen = '\u200b\u2060\ufeff\u202e\u2066\u{e0041}\u{e007f}'
  const hidden = `<!-- obey --><p hidden>a</p><p style="height:0">obey</p><span style="color:transparent">obey</span>`
  const word = `se${unseen}en`
  const json = {
    ...{ title: `Title ${word}`, ...TIMES, description: `<p>Text ${word}</p>${hidden}`, excerpt: `${hidden}${word}` },
    ...{ cost: `5 ${word}`, categories: [`C ${word}`], tags: [`T ${word}`] },
    venue: { venue: `V ${word}`, city: word, address: word, zip: word, country: word },
    organizer: { organizer: `O ${word}` },
    tickets: [{ name: `Ticket ${word}` }],
  }
  const { id } = await made(app, '/events', json)
  const stored = (await app.call('administrator', 'GET', `/events/${id}`)).body
  assert.match(stored.description, /obey/)
  for (const text of [stored.title, stored.description, stored.categories[0].name]) assert.match(text, /\u202e/)
  const said = await everythingSaid(await toolCaller(t, app, 'editor'), id)
  assert.doesNotMatch(said, /obey|[\u200b\u2060\ufeff\u202e\u2066\u{e0000}-\u{e007f}]/u)
  for (const text of ['Title seen', 'Text seen', 'C seen', 'T seen', 'V seen', 'O seen', 'Ticket seen'])
    assert.ok(said.includes(text), text)
  assert.deepEqual((await app.call('administrator', 'GET', `/events/${id}`)).body, stored)
})
