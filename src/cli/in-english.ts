import { translateKnown } from '../base/i18n/translate.ts'

/** Members of reports that may be IDs of messages. */
const SPOKEN: readonly string[] = ['why', 'problem']

/** What a command reports, with the messages in it in English: commands speak English. */
export function inEnglish<Data>(data: Data): Data {
  if (Array.isArray(data)) return data.map(inEnglish) as Data
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    SPOKEN.includes(name) && typeof value === 'string' ? translateKnown('en', value) : inEnglish(value),
  ])
  return Object.fromEntries(entries) as Data
}
