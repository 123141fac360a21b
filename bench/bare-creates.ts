import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { deserialize, serialize } from 'node:v8'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { SITE } from './data.ts'
import type { LoadRequest } from './load.ts'
import { joined, type Recorded, type Recording, recordStatements } from './recorded-statements.ts'
import type { BareCreates } from './writes.ts'

/*
 * What the bare database does with the statements of creates. The application creates events in a copy of a calendar, each
 * with a title and a day of its own, and everything that its transactions execute is recorded with its values. That is then
 * executed in another copy of the same calendar, where it has the same effect in every table and index, journal and search
 * texts included. As many creates share a commit as there are clients, commits are as durable as those of the application,
 * and SQLite moves its log into the database itself, as it does by default (every 1,000 pages). What is left out is
 * everything else: HTTP, validation, finding the values, the response.
 */

// Arguments: `settle` and a data folder; `record`, a data folder, the file for the recording, a file with the requests as JSON
// and the number of clients; or `replay`, a data folder, the file of a recording, seconds and clients.
const [step, folder = '', ...rest] = process.argv.slice(2)
if (step === 'settle') await settle(folder)
if (step === 'record') await record(folder, rest)
if (step === 'replay') process.stdout.write(JSON.stringify(await replay(folder, rest)))

async function record(data: string, [file = '', requests = '', clients = '']: readonly string[]): Promise<void> {
  const list = JSON.parse(await readFile(requests, 'utf8')) as readonly LoadRequest[]
  await writeFile(file, serialize(await recordCreates(data, list, Number(clients))))
}

async function replay(data: string, [file = '', seconds, clients]: readonly string[]): Promise<BareCreates> {
  const recording = deserialize(await readFile(file)) as Recording
  return repeatCreates(join(data, 'kalends.db'), recording, { seconds: Number(seconds), clients: Number(clients) })
}

/** Opens a calendar and closes it again, so that it has the present schema and all that a start writes. */
export async function settle(data: string): Promise<void> {
  await (await openCalendar(data)).close()
}

async function openCalendar(data: string) {
  const now = (): number => Date.now()
  const noLimits = { limitWrites: 'none', limitLogIns: 'none' }
  const config = readConfig({ port: '0', data, siteZone: SITE.zone, siteHost: SITE.host, ...noLimits }, {})
  return openApp(config, { now, log: createLog({ level: 'error', now }), role: 'serve' })
}

/**
 * Sends creates to the application, as many at a time as there are clients; what their transactions have executed.
 * @throws Error when one is refused
 */
export async function recordCreates(
  data: string,
  requests: readonly LoadRequest[],
  clients: number,
): Promise<Recording> {
  const tape = recordStatements(DatabaseSync)
  const app = await openCalendar(data)
  try {
    const { addresses } = await app.listen()
    const create = async ({ path, body = '', authorization = '' }: LoadRequest): Promise<void> => {
      const headers = { 'content-type': 'application/json', authorization }
      const answer = await fetch(`${addresses[0]}${path}`, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
    tape.rewind()
    for (let sent = 0; sent < requests.length; sent += clients)
      await Promise.all(requests.slice(sent, sent + clients).map(create))
    return tape.recording()
  } finally {
    await app.close()
    tape.stop()
  }
}

/** How long what was recorded is executed, and how many creates share a commit. */
interface Repeating {
  readonly seconds: number
  readonly clients: number
}

/**
 * Executes recorded creates in a database that is as that of the recording was before, until the time is over or all are
 * done.
 */
export function repeatCreates(
  file: string,
  { settings, transactions }: Recording,
  { seconds, clients }: Repeating,
): BareCreates {
  const database = new DatabaseSync(file)
  for (const setting of settings) database.exec(setting)
  database.exec('pragma wal_autocheckpoint = 1000')
  const prepared = new Map<string, StatementSync>()
  const groups = joined(transactions, { least: clients, isWanted: isCreate })
  for (const { sql, by } of groups.flat()) {
    if (by === 'exec' || prepared.has(sql)) continue
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    prepared.set(sql, statement)
  }
  let [creates, statements] = [0, 0]
  const began = performance.now()
  const before = process.cpuUsage()
  for (const group of groups) {
    if (performance.now() - began >= seconds * 1000) break
    database.exec('begin immediate')
    for (const { sql, by, parameters } of group) {
      if (by === 'exec') database.exec(sql)
      else prepared.get(sql)?.[by](...(parameters as SQLInputValue[]))
    }
    database.exec('commit')
    creates += group.filter(isCreate).length
    statements += group.length
  }
  const used = process.cpuUsage(before)
  database.close()
  return { cpu: (used.user + used.system) / creates, creates, statements: statements / creates }
}

function isCreate({ sql }: Recorded): boolean {
  return sql.startsWith('insert into "event" ')
}
