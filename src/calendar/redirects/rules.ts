import { isHttpUrl } from '../../base/text/http-url.ts'

/** Where requests for addresses that name nothing are sent. */
export interface RedirectRule {
  /** Canonical path, perhaps with a query; or with `/*` at its end: that path and all below it. */
  readonly source: string
  /** A path of the site, or an http(s) address; with `/*` at its end the rest of the path follows. */
  readonly target: string
}

/** Longest source and target, in characters. */
const LENGTH = 1000

/** Most segments of a path that are looked at. */
const SEGMENTS = 50

/** What a path is compared as: decoded, in NFC, without a slash at its end. */
export function canonicalPath(path: string): string {
  const decoded = decode(path).normalize('NFC')
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) || '/' : decoded
}

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** What a query is compared as, with its question mark; '' for none. */
export function canonicalQuery(query: string): string {
  return URL.parse(`http://site/?${query.replace(/^\?/, '')}`)?.search ?? ''
}

/** A source as it is stored, or why it is none. */
export function readSource(text: string): { readonly source: string } | { readonly problem: string } {
  const cut = text.indexOf('?')
  if (cut >= 0) return withQuery(readSource(text.slice(0, cut)), text.slice(cut))
  const isPath = text.startsWith('/') && !text.startsWith('//') && text.length <= LENGTH && !/[#\\\s\p{Cc}]/u.test(text)
  if (!isPath) return { problem: `"${text}" is no path of the site such as /old/page, /old?page=1 or /old/*` }
  if (text.split('/').length > SEGMENTS) return { problem: `"${text}" has more than ${SEGMENTS} parts` }
  const isPrefix = text.endsWith('/*')
  const path = isPrefix ? text.slice(0, -2) : text
  if (path.includes('*')) return { problem: 'a * stands at the end, after a slash' }
  return { source: isPrefix ? `${path === '' ? '' : canonicalPath(path)}/*` : canonicalPath(path) }
}

function withQuery(read: ReturnType<typeof readSource>, query: string): ReturnType<typeof readSource> {
  if ('problem' in read) return read
  if (read.source.endsWith('/*')) return { problem: 'an address with * at its end has no parameters' }
  const source = read.source + canonicalQuery(query)
  if (source.length > LENGTH || /[#\s\p{Cc}]/u.test(query))
    return { problem: 'the parameters of the old address are too long, or hold what cannot be sent' }
  return { source }
}

/** A target as it is stored, or why it is none. */
export function readTarget(text: string, source: string): { readonly target: string } | { readonly problem: string } {
  const isPath = /^\/(?![/\\])/.test(text) && !/[\\\s\p{Cc}]/u.test(text)
  if (text.length > LENGTH || !(isPath || isHttpUrl(text)))
    return { problem: `"${text}" is neither a path of the site nor an http(s) address` }
  const hasRest = text.includes('*')
  // What follows must not become a part of the host.
  const isSound = isPath || new URL(text).pathname.endsWith('/*')
  if (hasRest && !(text.indexOf('*') === text.length - 1 && text.endsWith('/*') && isSound && source.endsWith('/*')))
    return { problem: 'a * in the new address stands at its end, after a slash, and needs one in the old address' }
  return { target: text }
}

/** The sources that a canonical path with a canonical query may have, the most particular one first. */
export function sourcesOf(path: string, query: string): string[] {
  const segments = path.split('/').slice(1, SEGMENTS)
  const prefixes = segments.map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}/*`)
  const whole = query === '' ? [] : [path + query]
  return [...whole, path, ...prefixes.toReversed(), '/*'].filter((one) => one.length <= LENGTH + 2)
}

/** Where a rule leads from a path: a path of the site, which never names another host, or an http(s) address. */
export function targetFrom({ source, target }: RedirectRule, path: string): string {
  if (!target.endsWith('/*')) return target
  const rest = path.slice(source.length - 1).replace(/^[/\\]+/, '')
  return target.slice(0, -1) + encodeURI(rest).replaceAll('?', '%3F').replaceAll('#', '%23')
}
