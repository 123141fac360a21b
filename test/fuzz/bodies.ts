import type { Dice } from './dice.ts'
import { hostileText } from './hostile-values.ts'

/** A body with the headers that describe it; `broken` where the bytes are not what the headers promise. */
export interface Body {
  readonly headers: readonly (readonly [string, string])[]
  readonly bytes: Buffer
  readonly framing: 'sound' | 'broken'
}

type Fields = readonly (readonly [string, unknown])[]

/** The fields in one of the encodings, mostly as its type promises. */
export function bodyOf(dice: Dice, fields: Fields): Body {
  const { type, bytes } = contentOf(dice, fields)
  const named = dice.chance(0.94) ? type : dice.pick(ODD_TYPES)
  return framed(dice, [['Content-Type', named]], bytes)
}

const ODD_TYPES = [
  '',
  'x',
  'application/json; charset=utf-16',
  'text/plain',
  'application/ld+json',
  'multipart/form-data',
  'a/b;;',
  'APPLICATION/JSON',
  'multipart/form-data; boundary=',
  'application/json\xff',
  'application/x-www-form-urlencoded; a="',
]

interface Content {
  readonly type: string
  readonly bytes: Buffer
}

function contentOf(dice: Dice, fields: Fields): Content {
  const way = dice.below(10)
  if (way === 0 && dice.chance(0.3)) return { type: dice.pick(['image/png', 'image/jpeg', '']), bytes: picture(dice) }
  if (way < 6) return { type: 'application/json', bytes: jsonOf(dice, fields) }
  if (way < 8) return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(formOf(fields), 'latin1') }
  return multipartOf(dice, fields)
}

/** A picture of one point, whole or with bytes turned. */
const POINT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function picture(dice: Dice): Buffer {
  const bytes = Buffer.from(POINT, 'base64')
  for (let turns = dice.pick([0, 1, 20]); turns > 0; turns -= 1) bytes[dice.below(bytes.length)] = dice.below(256)
  return bytes
}

function jsonOf(dice: Dice, fields: Fields): Buffer {
  // Written member by member: names may occur twice, and `__proto__` is a member like others.
  const members = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`)
  const text = `{${members.join(',')}}`
  const way = dice.below(40)
  if (way === 0) return Buffer.from(`${'['.repeat(5000)}${text}`)
  if (way === 1) return Buffer.from(`{"title":${'{"a":'.repeat(70)}1${'}'.repeat(71)}`)
  if (way === 2) return Buffer.from(text.slice(0, dice.below(text.length)))
  if (way === 3)
    return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('}')])
  if (way === 4) return Buffer.from(`\ufeff${text}`)
  if (way === 5) return Buffer.from(text, 'utf16le')
  if (way === 6) return Buffer.from(`{${members.join(',')},${members.join(',')},"title":"\\ud800"}`)
  if (way === 7)
    return Buffer.from(
      dice.pick(['null', '[]', '"x"', '1', 'true', '{"__proto__":{"id":1}}', '{}', ' ', '1e999', '{"id":1e999}']),
    )
  return Buffer.from(text)
}

function formOf(fields: Fields): string {
  const pairs = fields.flatMap(([name, value]): string[] => {
    if (Array.isArray(value)) return value.map((one) => `${name}[]=${component(one)}`)
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).map(([key, one]) => `${name}[${component(key)}]=${component(one)}`)
    return [`${name}=${component(value)}`]
  })
  return pairs.join('&')
}

function component(value: unknown): string {
  // JSON, because an object with a `toString` of its own has no other text.
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed())
}

function multipartOf(dice: Dice, fields: Fields): Content {
  const mark = dice.pick(['x', '----y', 'a'.repeat(70), '"q"'])
  const parts = fields.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return partOf(mark, `name="${name}"`, Buffer.from(text))
  })
  if (dice.chance(0.2)) {
    const file = dice.pick(['a.png', '../../x', '', 'a"b', '\0'])
    parts.push(partOf(mark, `name="file"; filename="${file}"\r\nContent-Type: image/png`, picture(dice)))
  }
  const text = `${parts.join('')}--${mark}--\r\n`
  const cut = text.slice(0, dice.below(text.length))
  const odd = [cut, text.replaceAll('\r\n', '\n'), text.replaceAll('--', '-'), hostileText(dice)]
  const sent = dice.chance(0.7) ? text : dice.pick(odd)
  return { type: `multipart/form-data; boundary=${mark}`, bytes: Buffer.from(sent, 'latin1') }
}

/** A part of a form, each byte a character. */
function partOf(mark: string, disposition: string, content: Buffer): string {
  return `--${mark}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content.toString('latin1')}\r\n`
}

function framed(dice: Dice, headers: [string, string][], bytes: Buffer): Body {
  const way = dice.below(30)
  if (way === 0) return { headers, bytes, framing: 'broken' }
  if (way === 1) {
    const length = dice.pick([
      `${bytes.length + 5}`,
      `${Math.max(0, bytes.length - 3)}`,
      '-1',
      'x',
      '99999999999',
      '3000000',
      '0x5',
      '1, 2',
      '',
    ])
    return { headers: [...headers, ['Content-Length', length]], bytes, framing: 'broken' }
  }
  if (way === 2)
    return {
      headers: [...headers, ['Transfer-Encoding', dice.pick(['gzip', 'chunked, gzip', 'x', 'identity'])]],
      bytes,
      framing: 'broken',
    }
  if (way < 6)
    return { headers: [...headers, ['Transfer-Encoding', 'chunked']], bytes: chunked(bytes), framing: 'sound' }
  if (way === 6)
    return {
      headers: [...headers, ['Content-Length', `${bytes.length}`], ['Content-Encoding', 'gzip']],
      bytes,
      framing: 'sound',
    }
  if (way === 7) return { headers: [...headers, ['Transfer-Encoding', 'chunked']], bytes, framing: 'broken' }
  return { headers: [...headers, ['Content-Length', `${bytes.length}`]], bytes, framing: 'sound' }
}

function chunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 97) {
    const piece = bytes.subarray(at, at + 97)
    pieces.push(Buffer.from(`${piece.length.toString(16)};x=y\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\nX-Trailer: x\r\n\r\n')])
}
