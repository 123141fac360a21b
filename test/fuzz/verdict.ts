import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isErrorCode } from '../../src/base/errors.ts'
import type { Heard } from './wire.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What only the inside of the server would say; no value of the run holds such a word. */
const LEAKS: readonly RegExp[] = [
  /sqlite|SQLITE_/i,
  /no such (?:table|column)|syntax error near|near "[^"]*": syntax|constraint failed|\bfts5\b|\bkysely\b/i,
  /\bselect\b[^<]{0,200}\bfrom\b|\binsert into\b|\bupdate "\w+" set\b/i,
  /\.(?:ts|js|mjs):\d+|node:internal|node_modules|\n\s+at \S+ \(/,
  /\b(?:Type|Range|Reference|Syntax|URI)?Error:/,
  /HTTP\/1\.1 5\d\d|"status":5\d\d\b|internal_server_error/,
]

/** Examples of the failures that documents describe: what cannot be done now, or took too long. */
const DESCRIBED = /"value":\{"code":"(?!internal)\w+","message":"[^"]*","data":\{"status":503\}\}/g

/** The validator of an answer: letters of digests, which spell anything once in a few ten thousand answers. */
const DIGEST = /^(?:W\/)?"[\w-]{22}(?:\.[\w-]{16})?(?:-\w+)?"$/

function isSpoken([name, value]: [string, string]): boolean {
  return name !== 'etag' || !DIGEST.test(value)
}

/** What is wrong with an answer; undefined when it may be given. `data` is the server's folder. */
export function faultOf({ status, headers, body }: Heard, data: string): string | undefined {
  if (status >= 500) return `status ${status}`
  const spoken = `${[...headers].filter(isSpoken).join('\n')}\n${body.replace(DESCRIBED, '')}`
  if (spoken.includes(ROOT) || spoken.includes(data)) return 'a path of this machine'
  const leak = LEAKS.find((one) => one.test(spoken))
  if (leak !== undefined) return `${leak} in the answer: ${around(leak, spoken)}`
  const type = headers.get('content-type') ?? ''
  if (status >= 400 && !/json|html/.test(type)) return `an error as ${type || 'nothing'}`
  return type.includes('json') && body !== '' ? faultOfJson(status, body) : undefined
}

/** The leak as it was said, with what stands beside it. */
function around(leak: RegExp, spoken: string): string {
  const { 0: said, index } = leak.exec(spoken) as RegExpExecArray
  return JSON.stringify(spoken.slice(Math.max(0, index - 60), index + said.length + 60))
}

function faultOfJson(status: number, body: string): string | undefined {
  const value = parsed(body)
  if (value === undefined) return 'no JSON'
  if (status < 400) return undefined
  const { code, message, data } = value as { code?: unknown; message?: unknown; data?: { status?: unknown } }
  if (typeof code !== 'string' || !isErrorCode(code)) return `unknown code ${String(code)}`
  return typeof message === 'string' && data?.status === status ? undefined : 'an error of another shape'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
