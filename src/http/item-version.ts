import { hash } from 'node:crypto'

/**
 * The state in which a caller sees an item: it differs as soon as the item has changed, or anything that it embeds for
 * this caller. All ETags of the item contain it, whatever its form.
 */
export interface ItemVersion {
  /** 16 characters of base64url. */
  readonly mark: string
  /** Last change, UTC text to the second; absent where it is not kept. */
  readonly modified?: string
}

/** Length of a mark: 96 bits, so that two states never share one by chance. */
const MARK_LENGTH = 16

/** The version of an item in a state described by a text (kind, id, revision, and those of what is embedded). */
export function itemVersion(state: string, modified?: string): ItemVersion {
  const mark = hash('sha256', state, 'base64url').slice(0, MARK_LENGTH)
  return modified === undefined ? { mark } : { mark, modified }
}

/** The mark in the opaque part of a tag, which may be that of a compressed response; undefined in other tags. */
export function markIn(opaque: string): string | undefined {
  return ITEM_TAG.exec(opaque)?.[1]
}

const ITEM_TAG = /^[\w-]{22}\.([\w-]{16})(?:-(?:br|gzip|zstd))?$/

/** The moment of the last change in milliseconds; undefined where it is not kept. */
export function modifiedMillis({ modified }: ItemVersion): number | undefined {
  return modified === undefined ? undefined : Date.parse(`${modified.replace(' ', 'T')}Z`)
}
