import { Client } from 'pg'
import { nextTurn } from '../../../base/background.ts'
import { fail } from '../../../base/errors.ts'
import type { Compilable, Snapshot } from '../../engine.ts'
import { statementBuilder } from '../../statement-builder.ts'
import { readPostgresAddress } from './address.ts'
import { closeQuietly } from './close-quietly.ts'
import { bindable, POSTGRES_TYPES } from './values.ts'

/** Milliseconds to get a connection. */
const PATIENCE = 10_000

/** Starts the transaction of all statements of the snapshot, without a time limit. */
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

/** Reads a PostgreSQL database in one transaction that other connections can join. */
export async function snapshotPostgres(database: string): Promise<Snapshot> {
  const { client: config, location } = readPostgresAddress(database)
  const client = new Client({
    application_name: 'kalends-snapshot',
    ...config,
    types: POSTGRES_TYPES,
    connectionTimeoutMillis: PATIENCE,
  })
  // The next statement reports a lost connection.
  client.on('error', () => undefined)
  const rows = async <Row>(query: Compilable<Row>): Promise<Row[]> => {
    const { sql, parameters } = query.compile()
    return (await client.query({ text: sql, values: bindable(parameters) })).rows as Row[]
  }
  try {
    await client.connect()
    await client.query(BEGIN)
    const { rows: exported } = await client.query<{ id: string; server: number }>(EXPORT)
    return {
      engine: 'postgres',
      db: statementBuilder('postgres'),
      location,
      all: rows,
      first: async <Row>(query: Compilable<Row>) => (await rows(query))[0],
      pause: () => nextTurn(),
      exported: exported[0] as { id: string; server: number },
      close: () => closeQuietly(client),
    }
  } catch (error) {
    await closeQuietly(client)
    throw fail('database_not_usable', { reason: `${location}: ${(error as Error).message}` })
  }
}

const EXPORT = `select pg_export_snapshot() as id, current_setting('server_version_num')::int as server`
