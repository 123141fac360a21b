import { isIP } from 'node:net'
import { NAMESPACES } from './namespaces.ts'

/** What becomes of the text of an option; a problem reads on after the option's name: `must be ...`. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

/** What values an option takes: how they are written, and how text becomes a value. */
export interface OptionKind<Value> {
  /** Stands for the value in help and reference: `NUMBER`, `A,B,...`. */
  readonly hint: string
  parse(text: string): Parsed<Value>
}

/** A whole number in a range, both ends included; digits only. */
export const integer = (least: number, most: number): OptionKind<number> => ({
  hint: 'NUMBER',
  parse: (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return { ok: true, value }
    return { ok: false, problem: `must be a whole number from ${least} to ${most}` }
  },
})

/** So many of something in so many seconds; a count of 0 is no limit. */
export interface Rate {
  readonly count: number
  readonly seconds: number
}

const NO_LIMIT: Rate = Object.freeze({ count: 0, seconds: 1 })

/** A rate such as `36000/60`, 36,000 in 60 seconds; `none` or 0 for no limit. */
export const rate: OptionKind<Rate> = {
  hint: 'COUNT/SECONDS',
  parse: (text) => {
    if (/^(none|0(\/\d+)?)$/.test(text)) return { ok: true, value: NO_LIMIT }
    const [, count = '', seconds = ''] = /^(\d{1,9})\/(\d{1,5})$/.exec(text) ?? []
    const value = { count: Number(count), seconds: Number(seconds) }
    if (value.count >= 1 && value.seconds >= 1 && value.seconds <= 86_400)
      return { ok: true, value: Object.freeze(value) }
    return { ok: false, problem: 'must be COUNT/SECONDS such as 600/60, with at most 86400 seconds, or none' }
  },
}

/** Text of which `claim` says what it must be. */
export const text = (hint: string, claim: string, holds: (text: string) => boolean): OptionKind<string> => ({
  hint,
  parse: (text) => (holds(text) ? { ok: true, value: text } : { ok: false, problem: `must be ${claim}` }),
})

/** Items between commas, each of which must be what `claim` says; empty text is the empty list. */
export const list = (hint: string, claim: string, holds: (item: string) => boolean): OptionKind<readonly string[]> => ({
  hint: `${hint},...`,
  parse: (text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    const wrong = items.find((item) => !holds(item))
    if (wrong === undefined) return { ok: true, value: Object.freeze(items) }
    return { ok: false, problem: `must be a list of ${claim}, and "${wrong}" is none` }
  },
})

/** One of the given words. */
export const choice = <const Value extends string>(...values: Value[]): OptionKind<Value> => ({
  hint: values.join('|'),
  parse: (text) => {
    const value = values.find((candidate) => candidate === text)
    if (value !== undefined) return { ok: true, value }
    return { ok: false, problem: `must be one of ${values.join(', ')}` }
  },
})

/** A switch, on or off; the flag by itself switches it on. */
export const toggle: OptionKind<boolean> = {
  hint: 'yes|no',
  parse: (text) => {
    const word = text.toLowerCase()
    if (['yes', 'true', 'on', '1'].includes(word)) return { ok: true, value: true }
    if (['no', 'false', 'off', '0'].includes(word)) return { ok: true, value: false }
    return { ok: false, problem: 'must be yes or no' }
  },
}

/** Any text but the empty one. */
export function isAnything(given: string): boolean {
  return given !== ''
}

/** An IP address or a host name. */
export function isHostName(given: string): boolean {
  return isIP(given) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(given)
}

/** A host name with or without port; `''` when none is meant. */
export function isHost(given: string): boolean {
  return given === '' || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(given)
}

/** `sqlite:PATH` or a PostgreSQL connection address. */
export function isDatabase(given: string): boolean {
  return /^sqlite:.+/.test(given) || isReplica(given)
}

/** A PostgreSQL connection address. */
export function isReplica(given: string): boolean {
  return /^postgres(ql)?:\/\//.test(given) && URL.canParse(given)
}

/** A time zone that the runtime knows. */
export function isSiteZone(given: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** One http(s) origin with a path or without, and nothing else; `''` when none is meant. */
export function isBaseUrl(given: string): boolean {
  return given === '' || (/^https?:\/\/[^\s/?#\\@,;"'<>]+(?:\/[^\s?#\\,;"'<>]*)?$/i.test(given) && URL.canParse(given))
}

/** A web origin exactly as browsers send it: scheme, host, port if not the usual one, no slash. */
export function isOrigin(given: string): boolean {
  return URL.parse(given)?.origin === given && /^https?:/.test(given)
}

/** An address to which people may write, without spaces (RFC 9116 section 2.5.3). */
export function isContact(given: string): boolean {
  return /^(mailto|https|tel):[^\s]+$/.test(given) && URL.canParse(given)
}

/** A further namespace: a name and more segments, such as `tribe/events/v1`, and none that has routes of its own. */
export function isNamespace(given: string): boolean {
  return /^[a-z0-9-]+(\/[a-z0-9-]+)+$/.test(given) && !NAMESPACES.includes(given)
}

/** An IP address, or a network in CIDR notation. */
export function isNetwork(given: string): boolean {
  const [address = '', bits, ...rest] = given.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
