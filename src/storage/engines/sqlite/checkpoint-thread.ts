import { parentPort, workerData } from 'node:worker_threads'
import { openExisting } from './read-connection.ts'

// A thread that copies pages from the write-ahead log into the database on request.

/** What the thread needs. */
export interface CheckpointOrder {
  /** The database file. */
  readonly path: string
  readonly synchronous: 'FULL' | 'NORMAL'
}

/** What the thread is asked to do once. */
export interface CheckpointPass {
  /**
   * Milliseconds to wait until nobody reads from the log any more, so that the next write restarts it; 0 moves what can
   * be moved without waiting. Nobody may write meanwhile.
   */
  readonly readersEnd: number
}

const { path, synchronous } = workerData as CheckpointOrder
const connection = openExisting(path, synchronous)
parentPort?.on('message', ({ readersEnd }: CheckpointPass) => {
  let problem: string | undefined
  try {
    connection.pragma(`busy_timeout = ${readersEnd}`)
    connection.pragma(`wal_checkpoint(${readersEnd > 0 ? 'restart' : 'passive'})`)
  } catch (error) {
    problem = (error as Error).message
  }
  parentPort?.postMessage(problem)
})
