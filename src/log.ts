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
  /** JSON when absent. */
  readonly format?: LogFormat
  /** Receives the lines; standard error when absent. */
  readonly stream?: pino.DestinationStream
}

/** Names under which something secret could reach a log line, at the top and one or two levels below. */
const SECRET_NAMES = ['authorization', 'Authorization', 'cookie', 'password', 'secret', 'hash'] as const

/** Bytes of access log that are written at once, and that wait for a slow reader at most; milliseconds that they wait. */
const ACCESS_BUFFER = { minLength: 8 * 1024, maxLength: 8 * 1024 ** 2, periodicFlush: 250 } as const

/**
 * A logger that writes one line at a time. Lines never contain credentials: callers do not log them, and values under
 * the names of credentials are removed if they do.
 */
export function createLog(options: LogOptions): Logger {
  const redact = { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' }
  const stream = options.stream ?? pino.destination({ fd: 2, sync: true })
  return pino({ ...settingsOf(options), redact }, formatted(options, stream))
}

/**
 * A logger for one line per request, on standard error like all others. It never blocks the process: lines are written
 * in the background within a quarter of a second, at the latest when the process ends, and dropped while 8 MiB of them
 * wait. Nothing is removed from them.
 */
export function createAccessLog(options: Pick<LogOptions, 'now' | 'format'>): Logger {
  const stream = pino.destination({ fd: 2, sync: false, ...ACCESS_BUFFER })
  return pino(settingsOf({ ...options, level: 'info' }), formatted(options, stream))
}

function settingsOf({ level, now }: Pick<LogOptions, 'level' | 'now'>): pino.LoggerOptions {
  return { level, base: null, timestamp: () => `,"time":${now()}` }
}

function formatted({ format }: Pick<LogOptions, 'format'>, stream: pino.DestinationStream): pino.DestinationStream {
  if (format !== 'text') return stream
  return { write: (line) => stream.write(textOf(JSON.parse(line) as Readonly<Record<string, unknown>>)) }
}

/** Logs an error that is no failure with a code, with its stack, and returns it: `throw logUnexpected(log, error)`. */
export function logUnexpected(log: Logger, error: unknown): unknown {
  if (!(error instanceof Failure)) log.error({ err: error }, 'unexpected error')
  return error
}
