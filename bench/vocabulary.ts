/** A source of numbers from 0 to below 1. */
export type Random = () => number

/** Numbers from 0 to below 1 that depend on the start alone (mulberry32). */
export function sequence(start: number): Random {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A random element; the list must not be empty. */
export function oneOf<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

const BEGINNINGS = ['br', 'dal', 'fen', 'gor', 'har', 'kel', 'lim', 'mar', 'nor', 'pel', 'quin', 'ros', 'sil', 'tam']
const MIDDLES = ['a', 'ando', 'e', 'eni', 'i', 'iro', 'o', 'olu', 'u', 'unga']
const ENDINGS = ['bec', 'dorf', 'gan', 'lith', 'mont', 'ner', 'pard', 'ric', 'stad', 'tin', 'vale', 'wick']

/** A made-up name by number, lower case: different numbers below 1,000,000 give different names. */
export function nameOf(number: number): string {
  const pick = (from: readonly string[], divisor: number): string =>
    from[Math.floor(number / divisor) % from.length] as string
  const turn = BEGINNINGS.length
  const own = pick(BEGINNINGS, 1) + pick(MIDDLES, turn) + pick(ENDINGS, turn * MIDDLES.length)
  const round = Math.floor(number / (turn * MIDDLES.length * ENDINGS.length))
  return round === 0 ? own : `${own}${spelled(round)}`
}

/** A number as letters: 1 is `ba`, 2 is `ca`. */
function spelled(number: number): string {
  const letters = 'abcdfghklmnprstvz'
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / letters.length)) text += letters[rest % letters.length]
  return `${text}a`
}

/** The words of texts, the most frequent first. */
const WORDS =
  'music the and with for evening open children welcome street garden tickets door north until late local family stage hall early free summer winter bring lunch coat weather gate rain shine parents follow begin early speaker guided tour river bridge market craft workshop lecture choir string quartet piano theatre cinema film author reading poetry painting sculpture photography museum gallery history science nature walk bicycle running football tennis swimming dance ballet tango folk jazz blues rock electronic classical baroque opera comedy puppet circus festival parade fair auction exhibition seminar conference training course language cooking wine cheese bread chocolate coffee breakfast dinner picnic playground library school university church castle harbour lighthouse forest mountain lake island'.split(
    ' ',
  )

/** Made-up words that texts have beside the real ones. */
const MADE_UP = 3_000

/** A word of a text, frequent ones more often; two of five are made up. */
export function wordOf(random: Random): string {
  if (random() < 0.4) return nameOf(Math.floor(random() * MADE_UP))
  return WORDS[Math.floor(WORDS.length * random() ** 1.8)] as string
}

/** Words to search for. */
export const SOUGHT = {
  /** Each in about every fourth event. */
  common: ['festival', 'opera', 'tango', 'museum', 'coffee', 'cinema', 'puppet', 'picnic', 'bread', 'swimming'],
  absent: ['xylozephyr', 'qwyjibo', 'zzyzzyva'],
} as const
