import { LANGUAGES } from '../../../../base/i18n/languages.ts'
import { fold } from '../../../../base/text/fold.ts'
import { readClock } from '../../../../base/time/clock.ts'
import { parseDate } from '../../../../base/time/parse.ts'

/** A moment as a table writes it. */
export interface Moment {
  /** Of the clock of the event, or of UTC. */
  readonly seconds: number
  readonly isUtc: boolean
  readonly hasTime: boolean
}

/** A date with its time, together or in two cells; words such as `tomorrow` and days without a year are none, because they pass. */
export function momentOf(date: string, time: string, zone: string): Moment | undefined {
  const [day, clock] = [tidy(date), tidy(time)]
  if (!/\d/.test(day)) return undefined
  return parsedMoment(`${day} ${clock}`, zone) ?? parsedMoment(plainMoment(day, clock) ?? '', zone)
}

/** Whether a cell has a time of day and no date. */
export function isTimeAlone(text: string): boolean {
  const plain = tidy(text)
  return dateIn(plain) === undefined && plainTime(plain, false) !== undefined
}

function parsedMoment(text: string, zone: string): Moment | undefined {
  if (!/\d{4}/.test(text)) return undefined
  const parsed = parseDate(text.trim(), { now: 0, zone })
  if (!parsed.ok) return undefined
  const isUtc = parsed.kind === 'instant'
  return { seconds: readClock(isUtc ? parsed.utc : parsed.local), isUtc, hasTime: parsed.hasTime }
}

/** A cell with plain digits and spaces, without the apostrophes or quotes around it. */
export function tidy(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(/^['’‘`"“”„\s]+|['’‘`"“”\s]+$/g, '')
}

/** The same moment as `2027-07-15 19:30:00`; undefined where it cannot be read. */
function plainMoment(day: string, clock: string): string | undefined {
  const found = dateIn(day)
  if (found === undefined) return undefined
  const { date, rest } = found
  const times = [[rest, false] as const, [clock, true] as const].filter(([text]) => text !== '')
  const read = times.map(([text, isOwnCell]) => plainTime(text, isOwnCell) ?? text)
  return [date, ...read].join(' ')
}

/** A date within a text, and what else the text says beside the day of the week. */
function dateIn(text: string): { readonly date: string; readonly rest: string } | undefined {
  for (const { pattern, order } of DATES)
    for (const match of text.matchAll(pattern)) {
      const [year = '', month = '', day = ''] = [...order].map((place) => match[Number(place)])
      const number = /\d/.test(month) ? Number(month) : monthOf(month)
      if (number === undefined) continue
      const before = text.slice(0, match.index).replace(ARTICLE, ' ')
      const around = `${before} ${text.slice(match.index + match[0].length)}`
      return { date: `${fullYear(year)}-${number}-${day}`, rest: withoutWeekday(around) }
    }
  return undefined
}

/** A year of two digits is one from 1970 to 2069. */
export function fullYear(year: string): string {
  if (year.length !== 2) return year
  return `${Number(year) < 70 ? '20' : '19'}${year}`
}

/** Dates whose order nobody has to find out; `order` names the groups with year, month and day. */
const DATES = [
  { pattern: /(?<!\d)(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2})(?!\d) ?日?/g, order: '123' },
  { pattern: /(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}(?!\d)|\d{2}(?!\.?\d| ?[:h]))\.?/g, order: '321' },
  {
    pattern:
      /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?[ /-]*(?:(?:de|of|del) |d['’])?(\p{L}[\p{L}\p{M}]+)\.?[ ,/-]*(?:del? )?['’]?(\d{4}(?!\d)|\d{2}(?!\d| ?[:h]))/gu,
    order: '321',
  },
  {
    pattern: /(\p{L}[\p{L}\p{M}]+)\.?[ /-]?(\d{1,2})(?:st|nd|rd|th)?(?:, ?|[ /-])(\d{4}(?!\d)|\d{2}(?!\d| ?[:h]))/gu,
    order: '312',
  },
] as const

/** Before a date. */
const ARTICLE = /(?<!\p{L})(?:le|el|il|den|am|op|dnia|em|on|the|du|del)(?!\p{L})/giu

/** Between a date and its time. */
const BETWEEN =
  /(?<!\p{L})(?:at|um|à|a las?|alle(?: ore)?|ore|om|as|às|o(?: godz)?|godz|الساعة|from|ab|dès|de|dalle|od)(?!\p{L}|['’])\.?/giu

function withoutWeekday(text: string): string {
  const words = text
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\p{L}[\p{L}\p{M}]*(?:-feira)?\.?/gu, (word) => (isWeekday(word) ? ' ' : word))
  return words.replace(/^[\s,،T-]+|[\s,،-]+$/g, '').replace(/\s+/g, ' ')
}

const MORNING = 'a(?:\\.? ?m)?\\.?|上午|午前|ص'
const AFTERNOON = 'p(?:\\.? ?m)?\\.?|下午|午後|晚上|م'
const HOUR = '(?:heures?|h|uhr|uur|u|時|时|点|點)'
const TIME = new RegExp(
  `^(?:(?<early>${MORNING})|(?<late>${AFTERNOON}))? ?(?<hours>\\d{1,2})` +
    `(?: ?(?:[:.]|${HOUR}) ?(?<minutes>\\d{2})(?: ?(?:[:.]|分|m(?:in)?) ?(?<seconds>\\d{2})(?:[.,]\\d+)?)?)?` +
    `(?<unit> ?(?:${HOUR}|分|秒|min|hrs?|horas?|o['’]?clock)\\.?)? ?[:.]? ?(?:(?<am>${MORNING})|(?<pm>${AFTERNOON}))?$`,
  'iu',
)

/** A time of day as `19:30:00`; digits alone are one only in a cell for times. Undefined for anything else. */
function plainTime(text: string, isOwnCell: boolean): string | undefined {
  const bare = text
    .replace(BETWEEN, ' ')
    .trim()
    .replace(/^(\d{1,2})(\d{2})$/, isOwnCell ? '$1:$2' : '$&')
  const { groups = {} } = TIME.exec(bare) ?? {}
  const { hours, minutes, seconds = '00', unit, early, late, am = early, pm = late } = groups
  if (hours === undefined) return undefined
  if (!isOwnCell && [minutes, unit, am, pm].every((part) => part === undefined)) return undefined
  const shift = pm !== undefined && Number(hours) < 12 ? 12 : am !== undefined && hours === '12' ? -12 : 0
  return `${String(Number(hours) + shift).padStart(2, '0')}:${minutes ?? '00'}:${seconds}`
}

/** Countries whose names of months differ from those of their language. */
const ARABIC = ['ar-LB', 'ar-MA', 'ar-DZ'] as const

function namesOf(options: Intl.DateTimeFormatOptions, part: 'month' | 'weekday', count: number): [string, number][] {
  const dates = Array.from({ length: count }, (_, index) =>
    part === 'month' ? Date.UTC(2027, index, 15) : Date.UTC(2027, 7, 1 + index),
  )
  return [...LANGUAGES, ...ARABIC].flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    return dates.map((date, index): [string, number] => [
      lettersOf(format.formatToParts(date).find(({ type }) => type === part)?.value ?? ''),
      index + 1,
    ])
  })
}

function lettersOf(name: string): string {
  return fold(name).replace(/[^\p{L}]/gu, '')
}

/** Names alone, and as dates have them. */
function allNames(part: 'month' | 'weekday', count: number): ReadonlyMap<string, number> {
  const lengths = ['long', 'short'] as const
  const around = [{}, { day: 'numeric', month: 'long', year: 'numeric' }] as const
  const found = lengths.flatMap((length) => around.flatMap((more) => namesOf({ ...more, [part]: length }, part, count)))
  return new Map(found.filter(([name]) => name.length > 1))
}

let months: ReadonlyMap<string, number> | undefined
let weekdays: ReadonlyMap<string, number> | undefined

/** The month of a name in any of the languages, also one that was cut to three letters or more; undefined for any other word. */
function monthOf(word: string): number | undefined {
  // Spreadsheets in German cut March to its consonants.
  months ??= new Map([...allNames('month', 12), ['mrz', 3]])
  const key = lettersOf(word)
  const exact = months.get(key)
  if (exact !== undefined || key.length < 3) return exact
  const alike = new Set([...months].filter(([name]) => name.startsWith(key)).map(([, month]) => month))
  return alike.size === 1 ? [...alike][0] : undefined
}

function isWeekday(word: string): boolean {
  weekdays ??= allNames('weekday', 7)
  return weekdays.has(lettersOf(word))
}
