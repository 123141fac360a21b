import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { Client } from 'pg'

/**
 * Address of an empty database with all tables, from which those of the tests are copied; `npm test` makes it and sets
 * the variable for the run on PostgreSQL. Its name is the beginning of the names of all databases of the run.
 */
const TEMPLATE = process.env['KALENDS_TEST_POSTGRES']

/** The engine that this run of the tests is about. */
export const TEST_ENGINE = TEMPLATE === undefined ? 'sqlite' : 'postgres'

const made: string[] = []

// At the end of the file, not of the test: cleanups of a test, such as closing its storage, run in the order of
// registration, and the database is created before everything that uses it.
if (TEMPLATE !== undefined) after(dropAll)

/** A new database on the server of the run, removed when all tests of the file have ended; its address. */
export async function createPostgresDatabase(content: 'all tables' | 'nothing'): Promise<string> {
  if (TEMPLATE === undefined) throw new Error('tests on PostgreSQL are started by `npm test`')
  const template = new URL(TEMPLATE)
  const name = `${template.pathname.slice(1)}_${randomBytes(6).toString('hex')}`
  const source = content === 'nothing' ? '' : ` template "${template.pathname.slice(1)}"${await strategy()}`
  await administrate(`create database "${name}"${source}`)
  made.push(name)
  return Object.assign(new URL(template), { pathname: `/${name}` }).href
}

/** Files are copied in half the time that their pages take through the log; before version 15 there is nothing else. */
async function strategy(): Promise<string> {
  version ??= administrate('show server_version_num').then(([row]) => Number(row?.['server_version_num']))
  return (await version) < 150_000 ? '' : ' strategy file_copy'
}

let version: Promise<number> | undefined

async function dropAll(): Promise<void> {
  for (const name of made) await administrate(`drop database if exists "${name}" with (force)`)
  await (await administrator)?.end()
}

let administrator: Promise<Client> | undefined

/** All on one connection, which takes as long to make as a small database does. */
async function administrate(statement: string): Promise<Record<string, unknown>[]> {
  administrator ??= connect()
  return (await (await administrator).query<Record<string, unknown>>(statement)).rows
}

async function connect(): Promise<Client> {
  const client = new Client(Object.assign(new URL(TEMPLATE ?? ''), { pathname: '/postgres' }).href)
  await client.connect()
  return client
}
