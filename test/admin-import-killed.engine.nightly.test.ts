import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../src/storage/open.ts'
import { type Visitor, visitorAt } from './support/admin.ts'
import { choose, plain, report } from './support/file-imports.ts'
import { knowPassword } from './support/known-password.ts'
import { databaseOf, kalends, openDataFolder, type ServerProcess, startServer, UNLIMITED } from './support/server.ts'
import { rowsOf } from './support/storage.ts'
import { eventually } from './support/webhook-receiver.ts'

/** Events of a file: 25 transactions. */
const COUNT = 1_000

/** How often a server is killed until one dies during its import: the first one, unless this process gets no turn. */
const TURNS = 5

/** A calendar of daily events whose names begin with a word. */
function diary(word: string): File {
  const lines = Array.from({ length: COUNT }, (_none, index) => {
    const day = new Date(Date.UTC(2031, 0, 1 + index)).toISOString().slice(0, 10).replaceAll('-', '')
    return [
      'BEGIN:VEVENT',
      `UID:${word}-${index}`,
      `DTSTART;VALUE=DATE:${day}`,
      `SUMMARY:${word} ${index}`,
      'END:VEVENT',
    ]
  }).flat()
  return new File([['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')], `${word}.ics`)
}

async function countOf({ origin }: ServerProcess, word: string): Promise<number> {
  const response = await fetch(
    `${origin}/cal/events/v1/events?start_date=2031-01-01&end_date=2040-01-01&search=${word}&per_page=1`,
  )
  const { total = 0 } = (await response.json()) as { total?: number }
  return total
}

/** Imports a file and kills the server when its first events are there. */
async function killedDuring(server: ServerProcess, ada: Visitor, word: string): Promise<void> {
  await choose(server, ada, { file: diary(word), status: 'publish' })
  const preview = await report(ada)
  await ada.send('/admin/import', preview, { action: 'import' })
  await eventually('the first events', async () => (await countOf(server, word)) > 0)
  await server.stop('SIGKILL')
}

/** Whether some work goes on as far as the database knows; an hour passes for it. */
async function isUnderWay(data: string): Promise<boolean> {
  const storage = await openStorage({ database: await databaseOf(data) })
  try {
    const rows = await rowsOf(storage, `select id from long_work where state = 'running'`)
    const longAgo = { seen_at: '2020-01-01 00:00:00' }
    await storage.write((tx) => tx.run(tx.db.updateTable('long_work').set(longAgo).where('state', '=', 'running')))
    return rows.length > 0
  } finally {
    await storage.close()
  }
}

test('after the server was killed during an import the page says so, and its button brings the rest', async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ada', '--role', 'administrator', '--email', 'ada@example.org', '--data', data)
  const storage = await openStorage({ database: await databaseOf(data) })
  await knowPassword({ storage, now: Date.now, secret: '' }, 'ada')
  await storage.close()
  let word = ''
  for (let turn = 1, isHit = false; !isHit; turn += 1) {
    assert.ok(turn <= TURNS, 'no server was killed while it imported')
    word = `diary${turn}`
    const server = await startServer(data, UNLIMITED)
    await killedDuring(server, await visitorAt(server.origin, 'ada'), word)
    isHit = await isUnderWay(data)
  }
  const server = await startServer(data, UNLIMITED)
  const ada = await visitorAt(server.origin, 'ada')
  const left = await countOf(server, word)
  assert.ok(left > 0 && left < COUNT, `${left} events are there`)
  const { text } = await ada.show('/admin/import')
  assert.match(plain(text), new RegExp(`The import of ${word}\\.ics was interrupted\\. Import the file again`))
  // The file is there still.
  await ada.send('/admin/import', text, { action: 'import' })
  const numbers = new Intl.NumberFormat('en')
  const counts = `New ${numbers.format(COUNT - left)} Changed 0 Unchanged ${numbers.format(left)} `
  assert.match(plain(await report(ada)), new RegExp(`Imported ${word}\\.ics ${counts}`))
  assert.equal(await countOf(server, word), COUNT)
})
