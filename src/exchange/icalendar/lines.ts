// Content lines of iCalendar (RFC 5545 sections 3.1 to 3.3), written as text that is complete with its line ends.

/** Most bytes of a line without its end. */
const WIDTH = 75

const PLAIN = /^[\x20-\x7e]*$/

/** Control characters, which no value may hold but for tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g

/** What text has to be changed for. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPECIAL = /[\\;,\x00-\x08\x0a-\x1f\x7f]/

/** A property or the edge of a component; `head` is its name with the parameters, `value` is written as it is. */
export function line(head: string, value: string): string {
  return folded(`${head}:${value}`)
}

/** A property of text; '' if there is none. */
export function textLine(head: string, text: string): string {
  return text === '' ? '' : line(head, textValue(text))
}

/** A property that was kept as it was written; '' for anything else. A line break in it would start another property. */
export function rawLine(text: string): string {
  return /^[A-Z][A-Z0-9-]*[;:]/.test(text) && !/^(?:BEGIN|END)[;:]/.test(text) ? folded(withoutControls(text)) : ''
}

/** A value of text (RFC 5545 section 3.3.11): new lines, `\`, `;` and `,` escaped. */
export function textValue(text: string): string {
  if (!SPECIAL.test(text)) return text
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return withoutControls(lines.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n'))
}

/** What is stored holds none; only then would looking for each be worth its time. */
function withoutControls(text: string): string {
  return text.search(CONTROLS) < 0 ? text : text.replace(CONTROLS, '')
}

/** A value of a parameter in quotes, with what quotes cannot hold as RFC 6868 writes it. */
export function parameterValue(text: string): string {
  const quotable = text
    .replaceAll('^', '^^')
    .replace(/\r\n?|\n/g, '^n')
    .replaceAll('"', "^'")
  return `"${withoutControls(quotable)}"`
}

/** A wall clock reading: `20261120T190000`. */
export function dateTime(local: string): string {
  return `${date(local)}T${local.slice(11, 13)}${local.slice(14, 16)}${local.slice(17, 19)}`
}

/** The day of a wall clock reading: `20261120`. */
export function date(local: string): string {
  return `${local.slice(0, 4)}${local.slice(5, 7)}${local.slice(8, 10)}`
}

/** Lines longer than 75 bytes continue behind a space, and never break within a character (RFC 5545 section 3.1). */
function folded(text: string): string {
  if (!PLAIN.test(text)) return foldedWide(text)
  if (text.length <= WIDTH) return `${text}\r\n`
  let lines = text.slice(0, WIDTH)
  for (let at = WIDTH; at < text.length; at += WIDTH - 1) lines += `\r\n ${text.slice(at, at + WIDTH - 1)}`
  return `${lines}\r\n`
}

function foldedWide(text: string): string {
  let lines = ''
  let [begin, width] = [0, 0]
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (width + bytes > WIDTH) {
      lines += `${text.slice(begin, at)}\r\n `
      begin = at
      width = 1
    }
    width += bytes
    at += point < 0x10000 ? 1 : 2
  }
  return `${lines}${text.slice(begin)}\r\n`
}
