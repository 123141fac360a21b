import pino from 'pino'
import { Failure } from './errors.ts'

/** Writes log lines: `log.info({ port }, 'listening')`. */
export type Logger = pino.Logger

/** Where and what to log. */
export interface LogOptions {
  readonly level: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Receives the lines; standard error when absent. */
  readonly stream?: pino.DestinationStream
}

/** Names under which something secret could reach a log line, at the top and one or two levels below. */
const SECRET_NAMES = ['authorization', 'Authorization', 'cookie', 'password', 'secret', 'hash'] as const

/**
 * A logger that writes one JSON object per line. Lines never hold credentials: callers do not log them, and values
 * under the names of credentials are taken out if they do.
 */
export function createLog(options: LogOptions): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":${options.now()}`,
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
  }
  return pino(settings, options.stream ?? pino.destination({ fd: 2, sync: true }))
}

/** Logs an error that is no failure with a code, with its stack, and returns it: `throw logUnexpected(log, error)`. */
export function logUnexpected(log: Logger, error: unknown): unknown {
  if (!(error instanceof Failure)) log.error({ err: error }, 'unexpected error')
  return error
}
