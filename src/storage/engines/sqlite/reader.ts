import { readSync, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Statement } from '../../engine.ts'
import type { Connection, RowTable } from './connection.ts'
import { identityOf } from './files.ts'
import { contentOf, frameOf, HEADER_SIZE, lengthIn } from './frames.ts'
import { openReadConnection } from './read-connection.ts'

/** The reply of a reading process to a statement. An error is sent as its text and the SQLite result code. */
export type ReadReply =
  | { readonly ok: true; readonly table: RowTable }
  | { readonly ok: false; readonly message: string; readonly errcode: number | undefined }

// The program of a reading process: one connection, one statement after the other, a response to each. It waits in
// blocking calls, which wake up sooner than an event loop, and has nothing to lose, so SIGKILL is its only way to end.

/** The socket on which statements arrive. */
const CHANNEL = 3

/** Errors of the channel when the server has ended. */
const GONE = ['EPIPE', 'ECONNRESET']

/** A pipe that is never written to: it closes with the server. */
const LIFELINE = 4

/**
 * A separate thread, because a statement of SQLite cannot be interrupted: without it a reader might outlive its server.
 */
const WATCH = `require('node:fs').readSync(${LIFELINE}, Buffer.alloc(1)); process.kill(process.pid, 'SIGKILL')`

const [, , path = '', identity = ''] = process.argv
let connection: Connection | undefined

// A signal to the process group is meant for the server, which still needs its readers for requests in progress.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const) process.on(signal, () => undefined)
new Worker(WATCH, {
  eval: true,
  env: {},
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
})
try {
  send('ready')
  for (let statement = receive(); statement !== undefined; statement = receive()) send(runStatement(statement))
} catch (error) {
  // The end of a killed server is noticed here or by the thread, whichever is first, and is not an error.
  if (!GONE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
}
process.kill(process.pid, 'SIGKILL')

function runStatement({ sql, parameters }: Statement): ReadReply {
  try {
    connection ??= open()
    return { ok: true, table: connection.table({ sql, parameters }) }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { ok: false, message, errcode }
  }
}

function open(): Connection {
  const opened = openReadConnection(path)
  if ((identityOf(path) ?? '') !== identity) throw new Error(`${path} is not the file that was opened before`)
  return opened
}

/** The next statement; undefined when the server has ended. */
function receive(): Statement | undefined {
  const header = read(HEADER_SIZE)
  const content = header && read(lengthIn(header))
  return content && (contentOf(content) as Statement)
}

function read(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length; ) {
    const count = readSync(CHANNEL, bytes, filled, length - filled, null)
    if (count === 0) return undefined
    filled += count
  }
  return bytes
}

function send(value: ReadReply | 'ready'): void {
  const frame = frameOf(value)
  for (let sent = 0; sent < frame.length; ) sent += writeSync(CHANNEL, frame, sent)
}
