import { LONG_TEXT, recallMade } from './long-texts.ts'

/**
 * Marks that people leave out when they type: the general combining blocks and the vowel points of Hebrew, Arabic and
 * Syriac. Other scripts keep theirs: a Devanagari vowel sign or a Japanese voicing mark makes another word.
 */
const ACCENT_RANGES = [
  '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
  '\\u0483-\\u0489',
  '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
  '\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed',
  '\\u0711\\u0730-\\u074a',
]
const ACCENTS = new RegExp(`[${ACCENT_RANGES.join('')}]`, 'g')

/** Invisible characters: soft hyphen, joiners, direction marks, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what this expression is for
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what this expression is for
const UNTIDY = /[\0-\u0008\u000b-\u001f\u007f-\u009f]/

const PLAIN_ASCII = /^[\t\n\r -~]*$/

/** White space that is not one space between words. */
const WIDE_SPACE = /[^\S ]\s*| \s+/g

/** Longest sort key, in code points: 250 of them fit every index of both engines. */
const SORT_LENGTH = 250

/** Letters that have no decomposition in Unicode although people type and read them as plain Latin ones. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ŋ: 'n',
  Ŋ: 'N',
  ı: 'i',
  ƶ: 'z',
  Ƶ: 'Z',
  ɨ: 'i',
  Ɨ: 'I',
}

const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/**
 * The text with only characters that every store and every writer can hold: lone surrogates and U+0000 become U+FFFD,
 * `\r\n` and `\r` become `\n`, control characters other than tab and newline become spaces. Applying it twice changes
 * nothing more.
 */
export function tidyCharacters(text: string): string {
  // Nearly all texts are tidy: one look is a quarter of the work.
  if (text.isWellFormed() && !UNTIDY.test(text)) return text
  return text.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').replace(CONTROL, ' ')
}

/** The text with letters such as `ß æ ø ł đ þ œ ı` written in plain Latin (`ss ae o l d th oe i`); case is kept. */
export function plainLatin(text: string): string {
  return text.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)
}

function withoutAccents(text: string): string {
  return plainLatin(text.normalize('NFKD').replace(ACCENTS, '')).replace(INVISIBLE, '')
}

/**
 * The text as it is compared and searched: without case, accents and invisible characters, `ß æ ø ł đ þ œ ı` in plain
 * Latin, each run of white space as one space, trimmed, NFC. `''` when nothing remains. Folding twice changes nothing
 * (decisions: search).
 */
export function fold(text: string): string {
  const made = text.length < LONG_TEXT ? undefined : recallMade('folded', text)
  if (made !== undefined) return made
  if (isPlainAscii(text)) return singleSpaced(text.toLowerCase())
  // Lower case of upper case is full case folding: Σ σ ς become one, and so do ſ and s.
  const folded = withoutAccents(tidyCharacters(text)).toUpperCase().toLowerCase()
  return singleSpaced(withoutAccents(folded).replaceAll('ς', 'σ').normalize('NFC'))
}

/** Whether a text is of characters that have no accents and no other forms, and that can be seen or separate words. */
export function isPlainAscii(text: string): boolean {
  return PLAIN_ASCII.test(text)
}

/** The text with each run of white space as one space, trimmed. */
export function singleSpaced(text: string): string {
  return text.replace(WIDE_SPACE, ' ').trim()
}

/**
 * The folded text made sortable by its UTF-8 bytes, so that BINARY and COLLATE "C" both give the order of people:
 * spaces, punctuation (all alike), digits, letters. At most 250 code points; equal keys need a second order.
 */
export function sortKey(text: string): string {
  const key = fold(text.slice(0, SORT_LENGTH * 40)).replace(/[^\p{L}\p{M}\p{N} ]/gu, '!')
  return Array.from(key.slice(0, SORT_LENGTH * 2))
    .slice(0, SORT_LENGTH)
    .join('')
}
