/** Names of the levels of the log. */
const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** Shown in places of their own. */
const PLACED = new Set(['level', 'time', 'msg', 'err'])

/** Characters that would control a terminal, or reorder what is read. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * A log line for people, ending with a newline: moment (UTC), level, message, then `name=value` for the rest, and the
 * stack of an error below. Nothing in it can control a terminal, whatever clients have sent.
 */
export function textOf(entry: Readonly<Record<string, unknown>>): string {
  const { time, level, msg, err } = entry
  const moment = new Date(Number(time)).toISOString().replace('T', ' ').replace('Z', '')
  const pairs = Object.entries(entry).filter(([name]) => !PLACED.has(name))
  const words = [moment, (LEVELS[Number(level)] ?? String(level)).padEnd(5)]
  if (msg !== undefined) words.push(harmless(String(msg).replace(/\s*\n\s*/g, ' ')))
  words.push(...pairs.map(([name, value]) => `${name}=${shown(value)}`))
  return `${words.join(' ')}\n${stackOf(err)}`
}

function shown(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=\\]+$/.test(value)
  return harmless(isPlain ? value : JSON.stringify(value))
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const { stack, message } = err as { readonly stack?: unknown; readonly message?: unknown }
  const lines = String(stack ?? message ?? '').split('\n')
  return lines.map((line) => `    ${harmless(line.trim())}\n`).join('')
}

function harmless(text: string): string {
  return text.replace(UNSEEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
