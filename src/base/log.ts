import pino from 'pino'
import { Failure } from './errors.ts'
import { textOf } from './text/log-line.ts'

/** Writes log lines: `log.info({ port }, 'listening')`. */
export type Logger = pino.Logger

/** A log line: one JSON object for programs, or text for people. */
export type LogFormat = 'json' | 'text'

/** Where and what to log. */
export interface LogOptions {
  readonly level: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** JSON if absent. */
  readonly format?: LogFormat
  /** Receives the lines; standard error if absent. */
  readonly stream?: pino.DestinationStream
}

/** Names under which something secret could reach a log line, at the top and one or two levels below. */
const SECRET_NAMES = ['authorization', 'Authorization', 'cookie', 'password', 'secret', 'hash'] as const

/** Bytes that wait at most where they cannot be written: for a slow reader, or on a full disk. */
const MOST_WAITING = 8 * 1024 ** 2

/** Bytes of access log that are written at once; milliseconds that they wait. */
const ACCESS_BUFFER = { minLength: 8 * 1024, periodicFlush: 250 } as const

/**
 * A logger that writes one line at a time. Lines never contain credentials: callers do not log them, and values under
 * the names of credentials are removed if they do.
 */
export function createLog(options: LogOptions): Logger {
  const redact = { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' }
  const stream = options.stream ?? standardError({ sync: true })
  return pino({ ...settingsOf(options), redact }, formatted(options, stream))
}

/**
 * A logger for one line per request, on standard error like all others. It never blocks the process: lines are written
 * in the background within a quarter of a second, at the latest when the process ends, and dropped while 8 MiB of them
 * wait. Nothing is removed from them.
 */
export function createAccessLog(options: Pick<LogOptions, 'now' | 'format'>): Logger {
  const stream = standardError({ sync: false, ...ACCESS_BUFFER })
  return pino(settingsOf({ ...options, level: 'info' }), formatted(options, stream))
}

/** A log that cannot be written, on a full disk for example, ends nothing: its lines wait for the next one. */
function standardError(options: { readonly sync: boolean }): pino.DestinationStream {
  let isStuck = false
  // Before pino, which would try for ever to write what waits.
  const giveUp = (): void => {
    if (isStuck) stream.destroy()
  }
  if (!options.sync) process.on('beforeExit', giveUp).on('exit', giveUp)
  const stream = pino.destination({ fd: 2, maxLength: MOST_WAITING, ...options })
  stream.on('error', () => {
    isStuck = true
  })
  stream.on('write', () => {
    isStuck = false
  })
  return stream
}

function settingsOf({ level, now }: Pick<LogOptions, 'level' | 'now'>): pino.LoggerOptions {
  return { level, base: null, timestamp: () => `,"time":${now()}` }
}

function formatted({ format }: Pick<LogOptions, 'format'>, stream: pino.DestinationStream): pino.DestinationStream {
  if (format !== 'text') return stream
  const { flush } = stream as { flush?: (done: () => void) => void }
  return {
    write: (line) => stream.write(textOf(JSON.parse(line) as Readonly<Record<string, unknown>>)),
    ...(flush && { flush: flush.bind(stream) }),
  }
}

/** Resolves when the lines of an access log were written, or could not be. */
export function flushed(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()))
}

/** Logs an error that is no failure with a code, with its stack, and returns it: `throw logUnexpected(log, error)`. */
export function logUnexpected(log: Logger, error: unknown): unknown {
  if (!(error instanceof Failure)) log.error({ err: error }, 'unexpected error')
  return error
}
