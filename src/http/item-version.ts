import { hash } from 'node:crypto'

/**
 * The state in which a caller sees an item: another one as soon as the item has changed, or anything that it embeds for
 * this caller. All tags of the item hold it, whatever form of the item they are of (see `etagOf`).
 */
export interface ItemVersion {
  /** 16 characters of base64url. */
  readonly mark: string
  /** Last change, UTC text to the second. */
  readonly modified: string
}

/** Length of a mark: 96 bits, so that two states never share one by chance. */
const MARK_LENGTH = 16

/** Length of the digest of a representation: 132 bits. */
const DIGEST_LENGTH = 22

/** The version of an item whose state is told by a text (kind, id, revision, and those of what is embedded). */
export function itemVersion(state: string, modified: string): ItemVersion {
  return { mark: hash('sha256', state, 'base64url').slice(0, MARK_LENGTH), modified }
}

/**
 * The strong validator of a representation with this digest (SHA-256 in base64url). That of an item ends with the mark
 * of its version, so that `If-Match` recognises the item in whatever form it was read.
 */
export function etagOf(digest: string, version?: ItemVersion): string {
  const body = digest.slice(0, DIGEST_LENGTH)
  return version === undefined ? `"${body}"` : `"${body}.${version.mark}"`
}

/** The mark in the opaque part of a tag, which may be that of a compressed answer; undefined in other tags. */
export function markIn(opaque: string): string | undefined {
  return ITEM_TAG.exec(opaque)?.[1]
}

const ITEM_TAG = /^[\w-]{22}\.([\w-]{16})(?:-(?:br|gzip|zstd))?$/

/** The moment of the last change in milliseconds. */
export function modifiedMillis({ modified }: ItemVersion): number {
  return Date.parse(`${modified.replace(' ', 'T')}Z`)
}

/** The value of `Last-Modified` (RFC 9110 section 5.6.7). */
export function lastModified(version: ItemVersion): string {
  return new Date(modifiedMillis(version)).toUTCString()
}
