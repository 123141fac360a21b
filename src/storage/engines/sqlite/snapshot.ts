import { nextTurn } from '../../../base/background.ts'
import { fail } from '../../../base/errors.ts'
import type { Compilable, Snapshot } from '../../engine.ts'
import { statementBuilder } from '../../statement-builder.ts'
import { type Connection, openConnection } from './connection.ts'
import { BUSY_TIMEOUT } from './read-connection.ts'

/** Reads a SQLite file in one transaction: writers continue, and the log keeps what they write until it is closed. */
export async function snapshotSqlite(path: string): Promise<Snapshot> {
  const connection = openForReading(path)
  return {
    engine: 'sqlite',
    db: statementBuilder('sqlite'),
    location: path,
    all: async <Row>(query: Compilable<Row>) => connection.all(query),
    first: async <Row>(query: Compilable<Row>) => connection.first(query),
    pause: () => nextTurn(),
    copyTo: (target, onShare) => connection.copyTo(target, onShare),
    close: async () => connection.close(),
  }
}

function openForReading(path: string): Connection {
  try {
    const connection = openConnection(path, { readOnly: true, busyTimeout: BUSY_TIMEOUT })
    connection.exec('begin')
    // The transaction starts with the first read.
    connection.pragma('schema_version')
    return connection
  } catch (error) {
    throw fail('database_not_usable', { reason: `${path}: ${(error as Error).message}` })
  }
}

/** Makes a copied file independent of a log, and checks all of its pages. @throws Error with what is wrong */
export function finishCopy(path: string): void {
  const connection = openConnection(path, { busyTimeout: BUSY_TIMEOUT })
  try {
    connection.pragma('journal_mode = delete')
    const problem = connection.pragma('quick_check(1)')
    if (problem !== 'ok') throw new Error(String(problem))
  } finally {
    connection.close()
  }
}
