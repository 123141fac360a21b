import { parentPort, workerData } from 'node:worker_threads'
import { openExisting } from './read-connection.ts'

// A thread that copies pages from the write-ahead log into the database on request.

/** What the thread needs. */
export interface CheckpointOrder {
  /** The database file. */
  readonly path: string
  readonly synchronous: 'FULL' | 'NORMAL'
}

const { path, synchronous } = workerData as CheckpointOrder
const connection = openExisting(path, synchronous)
parentPort?.on('message', () => {
  let problem: string | undefined
  try {
    connection.pragma('wal_checkpoint(passive)')
  } catch (error) {
    problem = (error as Error).message
  }
  parentPort?.postMessage(problem)
})
