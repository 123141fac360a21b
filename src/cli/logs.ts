import type { Config } from '../base/config.ts'
import { createLog, type LogFormat, type Logger } from '../base/log.ts'
import type { World } from './types.ts'

/** A command as far as logs depend on it. */
interface Logging {
  readonly config: Config
  readonly world: World
}

/** The form of log lines: text where `auto` meets a terminal. */
export function logFormatOf({ config, world }: Logging): LogFormat {
  if (config.logFormat !== 'auto') return config.logFormat
  return world.stderr.isTTY === true ? 'text' : 'json'
}

/** The log of a process that serves. */
export function logOf(called: Logging): Logger {
  const { config, world } = called
  return createLog({ level: config.logLevel, now: world.now, format: logFormatOf(called) })
}
