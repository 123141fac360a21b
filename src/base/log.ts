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

/**
 * A logger that writes one line at a time. Lines never contain credentials: callers do not log them, and values under
 * the names of credentials are removed if they do.
 */
export function createLog(options: LogOptions): Logger {
  const redact = { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' }
  const stream = options.stream ?? standardError()
  return pino({ ...settingsOf(options), redact }, formatted(options, stream))
}

/** A log that cannot be written, on a full disk for example, ends nothing: its lines wait for the next one. */
function standardError(): pino.DestinationStream {
  const stream = pino.destination({ fd: 2, maxLength: MOST_WAITING, sync: true })
  stream.on('error', () => undefined)
  return stream
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
