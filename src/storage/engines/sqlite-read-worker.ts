import { parentPort, workerData } from 'node:worker_threads'
import type { Statement } from '../engine.ts'
import type { RowTable } from './sqlite-connection.ts'
import { type FileIdentity, identityOf } from './sqlite-files.ts'
import { openReadConnection } from './sqlite-read-connection.ts'

/** What a reading thread answers to a statement. An error crosses as its text and the SQLite result code. */
export type ReadAnswer =
  | { readonly ok: true; readonly table: RowTable }
  | { readonly ok: false; readonly message: string; readonly errcode: number | undefined }

// The body of a reading thread: one connection, one statement after the other, an answer for each.
const { path, identity } = workerData as { path: string; identity: FileIdentity }
const connection = openReadConnection(path)
if (identityOf(path) !== identity) throw new Error(`${path} is not the file that was opened before`)

parentPort?.on('message', (statement: Statement) => {
  parentPort?.postMessage(answer(statement))
})

function answer(statement: Statement): ReadAnswer {
  try {
    return { ok: true, table: connection.table(statement) }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { ok: false, message, errcode }
  }
}
