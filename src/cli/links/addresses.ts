import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { decodeXML } from 'entities'
import { fail } from '../../base/errors.ts'
import { sendRequest } from '../../base/outgoing/request.ts'
import { isHttpUrl } from '../../base/text/http-url.ts'

/** Most bytes of a sitemap, also when unpacked (sitemaps.org: 50 MB). */
const MOST_BYTES = 64_000_000

/** Most sitemaps of an index (sitemaps.org: 50,000), and most addresses of all of them. */
const MOST = { files: 50_000, addresses: 2_000_000 } as const

/**
 * The addresses of a sitemap, of an index of sitemaps, or of a list with one address in each line; each of them may be
 * packed with gzip. Sitemaps that the index in a file names are looked for beside it before they are fetched.
 * @throws file_not_readable
 */
export async function addressesIn(source: string): Promise<string[]> {
  const found = new Set<string>()
  const text = await textOf(source)
  const files = isIndex(text) ? locationsIn(text).slice(0, MOST.files) : []
  const texts = isIndex(text) ? files : [source]
  for (const file of texts) {
    const own = file === source ? text : await textOf(await nearby(file, source))
    for (const address of isXml(own) ? locationsIn(own) : linesIn(own)) {
      found.add(address)
      if (found.size >= MOST.addresses) return [...found]
    }
  }
  return [...found]
}

async function nearby(file: string, source: string): Promise<string> {
  if (isHttpUrl(source)) return file
  const path = join(dirname(source), basename(isHttpUrl(file) ? new URL(file).pathname : file))
  return stat(path).then(
    () => path,
    () => file,
  )
}

async function textOf(source: string): Promise<string> {
  try {
    const bytes = isHttpUrl(source) ? await fetched(source) : await readFile(source)
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    return (isPacked ? await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES }) : bytes).toString()
  } catch (error) {
    throw fail('file_not_readable', { path: source, reason: (error as Error).message })
  }
}

/** Whoever runs the command may ask any server. */
async function fetched(address: string): Promise<Buffer> {
  const sent = await sendRequest(address, { gate: () => true, limit: MOST_BYTES, patience: 60_000 })
  if (!sent.ok) throw new Error(sent.reason.replaceAll('_', ' '))
  if (sent.response.status !== 200) throw new Error(`status ${sent.response.status}`)
  return sent.response.bytes
}

function isXml(text: string): boolean {
  return text.trimStart().startsWith('<')
}

function isIndex(text: string): boolean {
  return /<(?:\w+:)?sitemapindex[\s>]/.test(text.slice(0, 10_000))
}

function locationsIn(xml: string): string[] {
  const found = xml.matchAll(/<loc>\s*(?:<!\[CDATA\[(.*?)\]\]>|([^<]*?))\s*<\/loc>/gs)
  return [...found].map(([, raw, escaped = '']) => raw?.trim() ?? decodeXML(escaped)).filter((one) => one !== '')
}

function linesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('#'))
}
