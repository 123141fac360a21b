import { readFileSync } from 'node:fs'
import { type Formatters, IntlMessageFormat } from 'intl-messageformat'
import type english from '../../../locales/en.json'
import { LANGUAGES } from './languages.ts'

/** The ID of a text: a key of `locales/en.json`. */
export type MessageId = keyof typeof english

/** Values for the arguments of a message by name. Counts are numbers, so that their plurals are found. */
export type MessageValues = Readonly<Record<string, string | number>>

/** The messages of one language by ID, in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, string>>

/** Catalogues by language. */
export const CATALOGUES: Readonly<Record<string, Catalogue>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, readCatalogue(language)]),
)

const ENGLISH = CATALOGUES['en'] ?? {}

/** Parsed messages with arguments by language and ID. */
const parsed = new Map<string, IntlMessageFormat>()

function readCatalogue(language: string): Catalogue {
  const file = new URL(`../../../locales/${language}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Catalogue
}

/** Whether a text is the ID of a message. */
export function isMessageId(text: string): text is MessageId {
  return Object.hasOwn(ENGLISH, text)
}

/** A text in a language, in English where the language has none. Messages without arguments are never parsed. */
export function translate(language: string, id: MessageId, values?: MessageValues): string {
  const message = messageOf(language, id)
  return values === undefined || !message.includes('{') ? message : String(parsedMessage(language, id).format(values))
}

/** Says messages in one language. */
export type Say = (id: MessageId, values?: MessageValues) => string

/** Says messages in a language. */
export function speaker(language: string): Say {
  return (id, values) => translate(language, id, values)
}

/** The ID of a message with its values, as one text that can be stored. `translateKnown` reads it. */
export function withValues(id: MessageId, values: MessageValues): string {
  return `${id}?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))}`
}

/**
 * A text that may be the ID of a message, perhaps with values, which may be IDs as well: what it says in a language; any other
 * text as it is.
 */
export function translateKnown(language: string, text: string): string {
  const at = text.indexOf('?')
  const id = at < 0 ? text : text.slice(0, at)
  if (!isMessageId(id)) return text
  if (at < 0) return translate(language, id)
  const values = [...new URLSearchParams(text.slice(at + 1))].map(([name, value]): [string, string] => {
    return [name, isMessageId(value) ? translate(language, value) : value]
  })
  return translate(language, id, Object.fromEntries(values))
}

/** The messages whose IDs start like this, for scripts in browsers. */
export function messagesUnder(language: string, prefix: string): Catalogue {
  const ids = Object.keys(ENGLISH).filter((id) => id.startsWith(prefix))
  return Object.fromEntries(ids.map((id) => [id, translateKnown(language, id)]))
}

/** The message as its catalogue has it. */
export function messageOf(language: string, id: MessageId): string {
  const catalogue = Object.hasOwn(CATALOGUES, language) ? CATALOGUES[language] : undefined
  return catalogue?.[id] ?? ENGLISH[id] ?? id
}

function parsedMessage(language: string, id: MessageId): IntlMessageFormat {
  const key = `${language} ${id}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const options = { ignoreTag: true, formatters: formattersOf(language) }
  const message = new IntlMessageFormat(messageOf(language, id), language, undefined, options)
  parsed.set(key, message)
  return message
}

/** One of each for all messages of a language: those that the library looks up for itself take three times as long. */
function formattersOf(language: string): Formatters {
  const numbers = new Intl.NumberFormat(language)
  const plurals = new Intl.PluralRules(language)
  return {
    getNumberFormat: () => numbers,
    getPluralRules: () => plurals,
    getDateTimeFormat: (...given) => new Intl.DateTimeFormat(...given),
  }
}

/**
 * The locale in which dates and times are written in a language: in English and Arabic those of many countries differ,
 * and all pages write days before months, clocks of 24 hours, and digits that are those of prices and addresses.
 */
export function localeOf(language: string): string {
  return { en: 'en-GB-u-hc-h23', ar: 'ar-u-hc-h23-nu-latn' }[language] ?? language
}

const clockFormats = new WeakMap<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>()

/** How a language writes times of a clock, passed as those of UTC. A style is always the same object: formats are cached by it. */
export function clockFormat(language: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const formats = clockFormats.get(style) ?? new Map<string, Intl.DateTimeFormat>()
  const known = formats.get(language)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(localeOf(language), { ...style, timeZone: 'UTC' })
  clockFormats.set(style, formats.set(language, format))
  return format
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /^(Adlm|Arab|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa)$/

/** Direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}

/** Names, paths and colors keep their own direction in a sentence that goes from right to left (U+2068 and U+2069). */
export function isolated(values: MessageValues): MessageValues {
  const entries = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'string' ? `\u2068${value}\u2069` : value] as const,
  )
  return Object.fromEntries(entries)
}
