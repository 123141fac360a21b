import { fail } from '../base/errors.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Reads a time such as `30m`, `6h`, `1d`, in seconds. @throws wrong_usage */
export function secondsOf(text: string): number {
  const [, number, unit = ''] = /^(\d{1,7})\s*([smhdw])$/.exec(text.trim()) ?? []
  if (number === undefined) throw fail('wrong_usage', { reason: `${text} is not a time such as 30m, 6h or 1d` })
  return Number(number) * (UNITS[unit] ?? 1)
}
