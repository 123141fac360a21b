import type { Storage } from '../../storage/engine.ts'
import type { ExternalChanges } from '../../storage/journal/external-changes.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { cachePerVersion, cacheWhenRead } from '../../storage/reads.ts'

/** Version of the form, in case cursors ever say more. */
const VERSION = 'c1'

const NUMBER = /^c1:(0|[1-9]\d{0,15})$/

/** The cursor after a number of the journal: opaque to clients, safe in URLs and headers. */
export function writeCursor(seq: number): string {
  return Buffer.from(`${VERSION}:${seq}`).toString('base64url')
}

/** The number of the journal in a cursor; undefined for anything that `writeCursor` did not write. */
export function readCursor(text: string): number | undefined {
  if (text.length > 64) return undefined
  const found = NUMBER.exec(Buffer.from(text, 'base64url').toString('latin1'))
  const seq = found === null ? Number.NaN : Number(found[1])
  return Number.isSafeInteger(seq) && writeCursor(seq) === text ? seq : undefined
}

/** Most entries of the cache, which has one. */
const HEADS = 2

/**
 * The cursor of a moment: everything that it covers is seen by whatever is read from then on. With a database server that
 * is what this process has heard of; SQLite is asked once after each commit, which takes microseconds.
 */
export function openCursor(storage: Storage, { seq }: Pick<ExternalChanges, 'seq'>): () => Promise<string> {
  const headsOf = cachePerVersion<number>(HEADS)
  return async () => {
    if (storage.engine !== 'sqlite') return writeCursor(seq())
    const heads = headsOf(storage)
    const known = heads?.get('head')
    if (known !== undefined) return writeCursor(known)
    const reading = headSeq(storage)
    return writeCursor(await (heads === undefined ? reading : cacheWhenRead(heads, 'head', reading)))
  }
}
