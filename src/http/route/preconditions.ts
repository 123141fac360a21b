import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../base/errors.ts'

/** A header with entity tags: any tag, or those listed. */
type Tags = '*' | readonly Tag[]

interface Tag {
  readonly isWeak: boolean
  /** Between the quotes. */
  readonly opaque: string
}

/**
 * The preconditions of a request on the item that it changes (RFC 9110 section 13). Writes check them inside the
 * transaction, after everything else that may refuse the request, so that nothing can change in between.
 */
export interface Preconditions {
  /** Whether the request may only create: `If-None-Match: *`. */
  readonly isCreateOnly: boolean
  /** @throws precondition_required where updates have to send `If-Match` and this one does not */
  requireIfMatch(): void
  /** @throws precondition_failed unless an item in this version meets them */
  check(version: ItemVersion): void
}

/** Refuses a change unless the stored version is the one that it is meant for. @throws precondition_failed */
export type VersionCheck = Preconditions['check']

type Headers = Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match' | 'if-unmodified-since'>

/**
 * The preconditions of a request that writes; undefined where it has none and needs none.
 * @throws rest_invalid_header when a header with tags is malformed
 */
export function preconditionsOf(headers: Headers, isIfMatchRequired: boolean): Preconditions | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = headers
  if (match === undefined && noneMatch === undefined && since === undefined && !isIfMatchRequired) return undefined
  const ifMatch = match === undefined ? undefined : readTags('If-Match', match)
  const ifNoneMatch = noneMatch === undefined ? undefined : readTags('If-None-Match', noneMatch)
  const unmodifiedSince = ifMatch === undefined && since !== undefined ? readDate(since) : undefined
  return {
    isCreateOnly: ifNoneMatch === '*',
    requireIfMatch: () => {
      if (isIfMatchRequired && ifMatch === undefined) throw fail('precondition_required')
    },
    check: (version) => {
      if (ifMatch !== undefined && !names(ifMatch, version, 'strong')) throw fail('precondition_failed')
      const modified = modifiedMillis(version)
      if (unmodifiedSince !== undefined && modified !== undefined && modified > unmodifiedSince)
        throw fail('precondition_failed')
      if (ifNoneMatch !== undefined && names(ifNoneMatch, version, 'weak')) throw fail('precondition_failed')
    },
  }
}

/** Whether any of the tags is one of the item; weak ones never are in a strong comparison (RFC 9110 section 8.8.3.2). */
function names(tags: Tags, { mark }: ItemVersion, comparison: 'strong' | 'weak'): boolean {
  if (tags === '*') return true
  return tags.some(({ isWeak, opaque }) => (!isWeak || comparison === 'weak') && markIn(opaque) === mark)
}

/** One element of a list of entity tags with the comma behind it; elements may be empty (RFC 9110 section 5.6.1). */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y

function readTags(name: string, header: string): Tags {
  if (header.trim() === '*') return '*'
  const tags: Tag[] = []
  ELEMENT.lastIndex = 0
  while (ELEMENT.lastIndex < header.length) {
    const element = ELEMENT.exec(header)
    if (element === null) throw fail('rest_invalid_header', { header: name })
    const [, weak, opaque] = element
    if (opaque !== undefined) tags.push({ isWeak: weak !== undefined, opaque })
  }
  if (tags.length === 0) throw fail('rest_invalid_header', { header: name })
  return tags
}

/** Milliseconds; a malformed HTTP date is ignored (RFC 9110 section 13.1.4). */
function readDate(header: string): number | undefined {
  const text = header.trim()
  const millis = HTTP_DATE.test(text) ? Date.parse(text) : ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
  return Number.isNaN(millis) ? undefined : millis
}

/** The forms of RFC 9110 section 5.6.7, the obsolete ones included. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * The state in which a caller sees an item: it differs as soon as the item has changed, or anything that it embeds for
 * this caller. All ETags of the item contain it, whatever its form.
 */
export interface ItemVersion {
  /** 16 characters of base64url. */
  readonly mark: string
  /** Last change, UTC text to the second; absent if it is not stored. */
  readonly modified?: string
}

/** Length of a mark: 96 bits, so that two states never share one by chance. */
const MARK_LENGTH = 16

/** The version of an item in a state described by a text (kind, ID, revision, and those of what is embedded). */
export function itemVersion(state: string, modified?: string): ItemVersion {
  const mark = hash('sha256', state, 'base64url').slice(0, MARK_LENGTH)
  return modified === undefined ? { mark } : { mark, modified }
}

/** The mark in the opaque part of a tag, which may be that of a compressed response; undefined in other tags. */
function markIn(opaque: string): string | undefined {
  return ITEM_TAG.exec(opaque)?.[1]
}

const ITEM_TAG = /^[\w-]{22}\.([\w-]{16})(?:-(?:br|gzip|zstd))?$/

/** The moment of the last change in milliseconds; undefined if it is not stored. */
export function modifiedMillis({ modified }: ItemVersion): number | undefined {
  return modified === undefined ? undefined : Date.parse(`${modified.replace(' ', 'T')}Z`)
}
