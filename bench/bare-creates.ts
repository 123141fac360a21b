import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/log.ts'
import { SITE } from './data.ts'
import type { LoadRequest } from './load.ts'
import { type Recorded, recordStatements, replayed } from './recorded-statements.ts'
import type { BareCreates } from './writes.ts'

// What the bare database does: the statements of a create are recorded while the application creates one event, and are
// then executed with other ids again and again, as many creates a commit as there are clients.
// Arguments: data folder, request as JSON, seconds, clients.
const [folder, request, seconds, clients] = process.argv.slice(2)
if (folder !== undefined && request !== undefined) {
  const recording = await recordCreate(folder, JSON.parse(request) as LoadRequest)
  const result = repeat(join(folder, 'kalends.db'), recording, { seconds: Number(seconds), clients: Number(clients) })
  process.stdout.write(JSON.stringify(result))
}

interface Recording {
  readonly settings: readonly string[]
  readonly statements: readonly Recorded[]
  /** Id of the event that was created. */
  readonly id: number
}

async function recordCreate(data: string, request: LoadRequest): Promise<Recording> {
  const tape = recordStatements(DatabaseSync)
  const now = (): number => Date.now()
  const config = readConfig({ port: '0', data, siteZone: SITE.zone, siteHost: SITE.host }, {})
  const app = await openApp(config, { now, log: createLog({ level: 'error', now }), role: 'serve' })
  const { addresses } = await app.listen()
  const headers = { 'content-type': 'application/json', authorization: request.authorization ?? '' }
  const create = (): Promise<Response> =>
    fetch(`${addresses[0]}${request.path}`, { method: 'POST', headers, body: request.body ?? '' })
  // The first one is thrown away: it may have to find things out once.
  await create()
  tape.rewind()
  const answer = await create()
  const { id } = (await answer.json()) as { id: number }
  const transaction = tape.lastTransaction()
  await app.close()
  tape.stop()
  return { settings: transaction.settings, statements: transaction.statements, id }
}

function repeat(
  file: string,
  { settings, statements, id }: Recording,
  { seconds, clients }: { readonly seconds: number; readonly clients: number },
): BareCreates {
  const database = new DatabaseSync(file)
  for (const setting of settings) database.exec(setting)
  const steps = statements.map(({ sql, parameters }) => {
    return { statement: parameters === undefined ? undefined : database.prepare(sql), sql, parameters }
  })
  for (const { statement } of steps) statement?.setReturnArrays(true)
  let done = 0
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    database.exec('begin immediate')
    for (let client = 0; client < clients; client += 1) {
      done += 1
      for (const { statement, sql, parameters } of steps) {
        if (statement === undefined) database.exec(sql)
        else statement.all(...(replayed(parameters ?? [], { id, add: done }) as SQLInputValue[]))
      }
    }
    database.exec('commit')
  }
  const rate = done / ((performance.now() - began) / 1000)
  database.close()
  return { rate, statements: statements.length }
}
