import { fold } from './fold.ts'

/** What people write for nothing in the languages of Kalends; further words may follow. */
const FREE = [
  ...['free', 'no charge', 'no cost', 'no cover', 'without charge', 'complimentary'],
  ...['kostenlos', 'kostenlose', 'kostenloser', 'kostenfrei', 'kostenfreie', 'kostenfreier', 'unentgeltlich'],
  ...['umsonst', 'freier Eintritt', 'freie Teilnahme', 'gratis', 'gratuit', 'gratuite', 'gratuitement', 'gratuito'],
  ...['gratuita', 'sin costo', 'sin coste', 'grátis', 'sem custo', 'kosteloos', 'vrije toegang', 'vrije entree'],
  ...['bezpłatny', 'bezpłatne', 'bezpłatna', 'bezpłatnie', 'nieodpłatnie', 'darmowy', 'darmowe', 'darmowa', 'za darmo'],
  ...['مجاني', 'مجانية', 'مجانا', 'بالمجان', 'بدون رسوم'],
]

/** The same in scripts without spaces, where any letter may follow. */
const FREE_UNSPACED = ['無料', '免费', '免費']

/** What one pays for elsewhere. It may stand before a word for nothing. */
const ADMISSION = [
  ...['admission', 'entry', 'entrance', 'Eintritt', 'Teilnahme', 'entrée', 'accès', 'entrada', 'acceso', 'ingresso'],
  ...['entrata', 'accesso', 'partecipazione', 'toegang', 'deelname', 'acesso', 'wstęp', 'udział', 'الدخول', 'دخول'],
  ...['入場', '入場料', '参加', '参加費', '観覧', '入场'],
]

/** Words that mean nothing to pay behind those only. */
const OPEN = ['frei', 'libre', 'libero', 'libera', 'vrij', 'livre', 'franca', 'wolny', 'حر']

/** Who attends for nothing, and no one else. */
const FOR = ['for', 'für', 'pour', 'para', 'per', 'voor', 'dla']
const EVERYBODY = ['all', 'every', 'tout', 'tous', 'tod', 'tutt', 'ieder', 'wszyst', 'kazd']

const anyOf = (words: readonly string[]): string => `(?:${words.map(fold).join('|')})`

/** Text is folded, so that a word ends where no letter follows. */
const END = '(?![\\p{L}\\p{M}\\p{N}])'
const NOTHING = `(?:${anyOf(FREE)}${END}|${anyOf(FREE_UNSPACED)})`
const ARTICLE = "(?:(?:the|der|die|la|el|a|o|de|het) |l['’])?"
const JOINT = '(?:\\s*[:–—-]?\\s*|\\s+(?:is|ist|est|es|e|jest)\\s+|は)'
const ADMITTED = `${ARTICLE}${anyOf(ADMISSION)}${JOINT}(?:${NOTHING}|${anyOf(OPEN)}${END})`
const SAYS_FREE = `(?:${NOTHING}|${ADMITTED})`
const NOT_FOR_ALL = `(?!\\s+(?:will|${anyOf(FOR)}\\s+(?!${anyOf(EVERYBODY)})))`

const STARTS_FREE = new RegExp(`^[^\\p{L}\\p{N}]*${SAYS_FREE}${NOT_FOR_ALL}`, 'u')
const IS_FREE = new RegExp(`^(?:frei|${SAYS_FREE}(?: ${anyOf(ADMISSION)}| of charge)?)$`, 'u')

/** Whether a text without amounts says that all attend for nothing: it starts with words for that (`Free admission`). */
export function startsFree(text: string): boolean {
  return STARTS_FREE.test(fold(text)) || isFree(text)
}

/** Whether a text says just that, such as one of several costs. */
export function isFree(text: string): boolean {
  return IS_FREE.test(fold(text))
}
