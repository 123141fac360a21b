import { withValues } from '../../../base/i18n/translate.ts'

/** First bytes of compressed files: gzip, zip, zstd, bzip2, xz, 7-Zip, RAR, LZ4. */
const PACKED = ['1f8b', '504b0304', '28b52ffd', '425a68', 'fd377a58', '377abcaf', '52617221', '04224d18']

const HTML =
  /^(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype html|html|head|body|title|meta|script|style|div|p|h[1-6]|form|center|table)[\s>/]/is

/** Bytes that are looked at, and characters that are shown. */
const LOOK = 2_000
const SHOWN = 60

/** Why bytes are no calendar: the ID of the message without its prefix, as both kinds of imports have it. */
export type NotCalendar = 'empty' | 'isHtml' | 'compressed' | 'notCalendarStart'

/** What bytes are that hold no calendar, and how they start as text. */
function whatInstead(bytes: Buffer): { readonly kind: NotCalendar; readonly start: string } {
  const head = bytes.subarray(0, LOOK)
  const text = decoded(head)
    .replace(/^\uFEFF/, '')
    .trimStart()
  const start = text
    .replace(/[\p{C}\s\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, SHOWN)
  const hex = head.toString('hex', 0, 8)
  if (PACKED.some((one) => hex.startsWith(one))) return { kind: 'compressed', start }
  if (HTML.test(text)) return { kind: 'isHtml', start }
  return { kind: start === '' && bytes.length <= LOOK ? 'empty' : 'notCalendarStart', start }
}

function decoded(head: Buffer): string {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  return new TextDecoder(isWide ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(head)
}

/** What the report says of a file that is no calendar. */
export function notCalendar(bytes: Buffer): string {
  const { kind, start } = whatInstead(bytes)
  return kind === 'notCalendarStart'
    ? withValues('import.problem.notCalendarStart', { start })
    : `import.problem.${kind}`
}
