import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { runHere } from './cli.ts'
import { paint } from './images.ts'
import { administratorOf, ask, EVENT, sending } from './processes.ts'
import { databaseOf, openDataFolder, type ServerProcess, startServer } from './server.ts'
import { upload } from './upload.ts'

/** What the doctor has said. */
export interface Said {
  readonly code: number
  readonly wrong: readonly string[]
}

/** Names of the checks that have found something, and the exit code. */
export async function examined(data: string, ...more: readonly string[]): Promise<Said> {
  const { code, stdout } = await runHere(data, 'doctor', '--json', '--database', await databaseOf(data), ...more)
  const { findings } = JSON.parse(stdout) as { findings: { check: string; problems: number }[] }
  return { code, wrong: findings.filter(({ problems }) => problems > 0).map(({ check }) => check) }
}

/** A server with events of every sort: terms below terms, featured, ticketed, hidden, in the trash, deleted. */
export async function openExaminedCalendar(t: TestContext): Promise<{ data: string; server: ServerProcess }> {
  const data = await openDataFolder(t)
  const server = await startServer(data)
  const authorization = administratorOf(server)
  const api = `${server.origin}/cal/events/v1`
  const post = async (path: string, json: object): Promise<number> => {
    const made = await ask(api + path, sending(authorization, json))
    assert.equal(made?.status, 201, JSON.stringify(made?.body))
    return made?.body.id ?? 0
  }
  const music = await post('/categories', { name: 'Music' })
  const jazz = await post('/categories', { name: 'Jazz', parent: music })
  const first = await post('/events', { ...EVENT, categories: [jazz], tags: ['late'], featured: true })
  await post('/events', {
    ...EVENT,
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Club' },
    description: 'x '.repeat(9000),
  })
  await post('/events', { ...EVENT, hide_from_listings: true, categories: [music], status: 'draft' })
  await post('/events', { ...EVENT, password: 'secret', description: 'hidden words' })
  const gone = await post('/events', { ...EVENT, tags: ['late'] })
  await ask(`${api}/events/${gone}?force=true`, sending(authorization, {}, 'DELETE'))
  await ask(`${api}/events/${first}`, sending(authorization, { title: 'Other' }))
  const trashed = await post('/events', { ...EVENT, categories: [jazz] })
  await ask(`${api}/events/${trashed}`, sending(authorization, {}, 'DELETE'))
  const series = await post('/events', { ...EVENT, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=5', categories: [jazz] })
  const { body } = (await ask(`${api}/events?series=${series}&start_date=2000-01-01&end_date=2100-01-01`)) ?? {}
  const [, second, third] = (body as unknown as { events: { id: number }[] }).events
  await ask(`${api}/events/${second?.id}`, sending(authorization, { title: 'Guest', tags: ['late'] }))
  await ask(`${api}/events/${third?.id}`, sending(authorization, {}, 'DELETE'))
  const at = { origin: server.origin, authorization: () => authorization }
  assert.equal((await upload(at, 'administrator', { bytes: await paint(400, 320).png().toBuffer() })).status, 201)
  return { data, server }
}
