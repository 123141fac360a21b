import { withValues } from '../../../base/i18n/translate.ts'

/** First bytes of compressed files: gzip, zip, zstd, bzip2, xz, 7-Zip, RAR, LZ4. */
const PACKED = ['1f8b', '504b0304', '28b52ffd', '425a68', 'fd377a58', '377abcaf', '52617221', '04224d18']

const HTML =
  /^(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype html|html|head|body|title|meta|script|style|div|p|h[1-6]|form|center|table)[\s>/]/is

/** Bytes that are looked at, and characters that are shown. */
const LOOK = 2_000
const SHOWN = 60

/** What the report says of bytes that hold no calendar: what they are instead, or how they start. */
export function notCalendar(bytes: Buffer): string {
  const head = bytes.subarray(0, LOOK)
  const text = decoded(head)
    .replace(/^\uFEFF/, '')
    .trimStart()
  const start = text
    .replace(/[\p{C}\s\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, SHOWN)
  const hex = head.toString('hex', 0, 8)
  if (PACKED.some((one) => hex.startsWith(one))) return 'import.problem.compressed'
  if (HTML.test(text)) return 'import.problem.isHtml'
  if (start === '' && bytes.length <= LOOK) return 'import.problem.empty'
  return withValues('import.problem.notCalendarStart', { start })
}

function decoded(head: Buffer): string {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  return new TextDecoder(isWide ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(head)
}
