import { type Body, bodyOf } from './bodies.ts'
import type { Dice } from './dice.ts'
import { hostileText, hostileValue } from './hostile-values.ts'
import { soundValue } from './sound-values.ts'
import type { Declared, Target } from './targets.ts'

/** What requests are made of. */
export interface Material {
  readonly targets: readonly Target[]
  /** Ids that exist at the start, by collection. */
  readonly ids: Readonly<Record<string, readonly number[]>>
  /** Paths of the site. */
  readonly pages: readonly string[]
  /** Authorization headers of users, one of each role, the mightiest first. */
  readonly credentials: readonly string[]
}

/** The bytes of a request, and whether they are one whole request that has to be answered. */
export interface Request {
  readonly bytes: Buffer
  readonly isWhole: boolean
  readonly method: string
}

/** One request of the run: mostly in order as HTTP, sometimes damaged, seldom no HTTP at all. */
export function requestOf(dice: Dice, material: Material): Request {
  const share = dice.below(100)
  if (share < 3) return { bytes: garbage(dice), isWhole: false, method: '' }
  const { draft, framing } = draftOf(dice, material)
  const written = write(draft)
  if (share < 15) return { bytes: damaged(dice, written), isWhole: false, method: draft.method }
  return { bytes: written, isWhole: framing === 'sound', method: draft.method }
}

interface Draft {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

function draftOf(dice: Dice, material: Material): { draft: Draft; framing: Body['framing'] } {
  const host: [string, string] = ['Host', dice.chance(0.05) ? headerText(dice) : '127.0.0.1']
  const headers = [host, ...headersOf(dice, material)]
  if (dice.chance(0.12)) {
    const page = dice.pick(material.pages) + (dice.chance(0.4) ? `?${queryOf(dice, [])}` : '')
    const method = dice.chance(0.9) ? 'GET' : dice.pick(['HEAD', 'OPTIONS', 'POST', 'DELETE'])
    const target = dice.chance(0.3) ? `/${encoded(dice, hostileText(dice))}${page}` : page
    return { draft: { method, target, headers, body: Buffer.alloc(0) }, framing: 'sound' }
  }
  const target = dice.pick(material.targets)
  const method = dice.chance(0.92)
    ? target.method
    : dice.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'TRACE', 'LINK'])
  const takesBody = ['POST', 'PUT', 'PATCH'].includes(method) || dice.chance(0.03)
  const sent = fieldsOf(dice, target.declared)
  const query = takesBody && dice.chance(0.85) ? '' : queryOf(dice, sent)
  const body = takesBody ? bodyOf(dice, sent) : NO_BODY
  const draft = {
    method,
    target: addressOf(dice, { ...target, ids: material.ids }, query),
    headers: [...headers, ...body.headers],
    body: body.bytes,
  }
  return { draft, framing: body.framing }
}

const NO_BODY: Body = { headers: [], bytes: Buffer.alloc(0), framing: 'sound' }

/** Some of the declared fields, the required ones nearly always, each sound or hostile. */
function fieldsOf(dice: Dice, declared: readonly Declared[]): (readonly [string, unknown])[] {
  const wild = dice.pick([0, 0, 0.1, 0.5])
  const share = dice.pick([0.05, 0.2, 0.4])
  const chosen = declared.filter(({ required }) => dice.chance(required ? 0.97 : share))
  const fields = chosen.map(({ name, type }) => {
    const value = dice.chance(wild) ? hostileValue(dice) : soundValue(dice, name, type)
    return [name, value] as const
  })
  if (!dice.chance(0.08)) return fields
  return [
    ...fields,
    [
      dice.pick(['__proto__', 'constructor', '_fields', '_envelope', '_method', 'lang', 'force', 'context']),
      hostileValue(dice),
    ],
  ]
}

function queryOf(dice: Dice, sent: readonly (readonly [string, unknown])[]): string {
  const parts = sent.flatMap(([name, value]) => asPairs(dice, name, value))
  if (dice.chance(0.15)) parts.push(`${encoded(dice, hostileText(dice))}=${encoded(dice, hostileText(dice))}`)
  if (dice.chance(0.1))
    parts.push(`_fields=${encoded(dice, dice.pick(['id', 'events.id', 'a.b.c', hostileText(dice)]))}`)
  if (dice.chance(0.1))
    parts.push(
      dice.pick(['_envelope', '_envelope=1', 'force=true', '_method=DELETE', 'lang=de', '&&', 'a[', '[', ']=']),
    )
  return parts.join('&')
}

/** A value as a query writes it: lists and objects in brackets. */
function asPairs(dice: Dice, name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${encoded(dice, String(value))}`]
  return Object.entries(value).flatMap(([key, one]) => {
    const inner = Array.isArray(value) && dice.chance(0.5) ? '' : encoded(dice, key)
    return asPairs(dice, `${name}[${inner}]`, one)
  })
}

/** A text percent-encoded: properly, twice, as it is, or as bytes that are no UTF-8. */
function encoded(dice: Dice, text: string): string {
  const proper = encodeURIComponent(text.toWellFormed())
  const way = dice.below(20)
  if (way === 0) return encodeURIComponent(proper)
  if (way === 1)
    return `${proper}${dice.pick(['%', '%f', '%zz', '%ff', '%c0%af', '%ed%a0%80', '%00', '%0d%0a', '\xff'])}`
  if (way === 2) return text.replace(/[^!-~\x80-\xff]/g, '').replaceAll('#', '')
  return proper
}

const MOUNTS = ['', '/wp-json', '/de', '/fr/wp-json', '/index.php', '/WP-JSON', '/ar', '/index.php/wp-json', '/xx']

function addressOf(dice: Dice, { path, namespace, ids }: Target & Pick<Material, 'ids'>, query: string): string {
  const known = ids[path.split('/')[1] ?? ''] ?? []
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'slug' ? slugOf(dice) : idOf(dice, known),
  )
  const route = `/${dice.chance(0.05) ? namespace.toUpperCase() : namespace}${filled}${dice.chance(0.05) ? '/' : ''}`
  const way = dice.below(30)
  if (way === 0) return `/?rest_route=${encodeURIComponent(route)}&${query}`
  if (way === 1) return `http://a.example${route}?${query}`
  if (way === 2) return `${dice.pick(MOUNTS)}${route}/${encoded(dice, hostileText(dice))}?${query}`
  if (way === 3) return `${route}?${'&'.repeat(dice.below(9))}${query}#${query}`
  return `${dice.pick(MOUNTS)}${route}${query === '' ? '' : `?${query}`}`
}

function idOf(dice: Dice, known: readonly number[]): string {
  if (known.length > 0 && dice.chance(0.75)) return String(dice.pick(known))
  if (dice.chance(0.8)) return String(1 + dice.below(dice.pick([9, 80, 3000])))
  return dice.pick(['0', '00', '9'.repeat(30), '-1', '1.5', '1%00', '%31', 'x'])
}

function slugOf(dice: Dice): string {
  const known = ['fair', 'fair-2', 'fair-3', 'harbour-fair', 'jazz-blues', 'new-slug', 'seed', 'seed-2', 'seed-3']
  return dice.chance(0.8) ? dice.pick(known) : encoded(dice, hostileText(dice)) || 'x'
}

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Accept-Language', ['de', 'fr-CH, fr;q=0.9, *;q=0.5', 'xx', ';q=', 'de;q=NaN', '__proto__', `${'a-'.repeat(200)}`]],
  ['X-HTTP-Method-Override', ['PUT', 'DELETE', 'GET', 'patch', 'CONNECT', '__proto__']],
  ['If-None-Match', ['*', '"x"', 'W/"x"', '"', ',,,', 'x'.repeat(500)]],
  ['If-Modified-Since', ['yesterday', 'Wed, 21 Oct 2015 07:28:00 GMT']],
  ['Range', ['bytes=0-10', 'bytes=-1', 'bytes=5-2', 'items=0-1']],
  ['X-Forwarded-Host', ['evil.example', 'a b', '', 'x:y:z', '[::1', 'a,b,c', 'é']],
  ['X-Forwarded-Proto', ['https', 'javascript', '', 'https, http', ':']],
  ['X-Forwarded-For', ['1.2.3.4', 'x', '::1, 2.2.2.2', ',']],
  ['Forwarded', ['for=x;host=y']],
  ['Origin', ['https://a.example', 'null', 'file://', ' ']],
  ['Access-Control-Request-Method', ['PUT', 'x']],
  ['Accept', ['text/html', 'application/json', '*/*;q=0', 'x']],
  ['Accept-Encoding', ['gzip, br', 'identity;q=0', 'x']],
  ['Expect', ['100-continue', '200-ok']],
  ['Cookie', ['a=b', '=;=', 'x'.repeat(900)]],
  ['Upgrade', ['websocket', 'h2c']],
  ['X-WP-Nonce', ['x']],
]

const BROKEN_CREDENTIALS = [
  'Basic',
  'Basic !!!',
  'Basic Og==',
  'Basic /////w==',
  'Bearer x',
  'basic  YTpi',
  'Negotiate',
  'Basic YQ==',
  ':',
  '',
]

function headersOf(dice: Dice, { credentials }: Material): (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = []
  // The first ones may do everything, and only what they send gets through to the end.
  const few = dice.chance(0.6) ? credentials.slice(0, 2) : credentials
  if (dice.chance(0.85)) headers.push(['Authorization', dice.pick(few)])
  else if (dice.chance(0.15)) headers.push(['Authorization', dice.pick(BROKEN_CREDENTIALS)])
  while (dice.chance(0.25)) {
    const [name, values] = dice.pick(HEADERS)
    headers.push([name, dice.chance(0.9) ? dice.pick(values) : headerText(dice)])
  }
  return headers
}

/** A text of bytes that a header may hold. */
function headerText(dice: Dice): string {
  return hostileText(dice)
    .replace(/[^\t -~\x80-\xff]/g, '')
    .slice(0, 2000)
}

function write({ method, target, headers, body }: Draft): Buffer {
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

function garbage(dice: Dice): Buffer {
  const bytes = Array.from({ length: 1 + dice.below(300) }, () => dice.below(256))
  const start = dice.pick([
    '',
    'GET ',
    'GET / HTTP/1.1\r\n',
    'POST / HTTP/1.1\r\nContent-Length: ',
    '\x16\x03\x01',
    'PRI * HTTP/2.0\r\n\r\n',
    '\r\n',
  ])
  return Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(bytes)])
}

/** A request with bits turned, bytes taken out or put in, cut short, or followed by rubbish. */
function damaged(dice: Dice, written: Buffer): Buffer {
  const bytes = Buffer.from(written)
  const way = dice.below(5)
  const at = dice.below(bytes.length)
  if (way === 0) return bytes.subarray(0, at)
  if (way === 1) return Buffer.concat([bytes.subarray(0, at), garbage(dice), bytes.subarray(at)])
  if (way === 2) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.below(20))])
  if (way === 3) return Buffer.concat([bytes, garbage(dice)])
  for (let turns = 1 + dice.below(6); turns > 0; turns -= 1) {
    const place = dice.below(bytes.length)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << dice.below(8))
  }
  return bytes
}
