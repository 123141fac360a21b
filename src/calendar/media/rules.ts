import { plainText } from '../../base/text/html.ts'
import { percentDecoded } from '../../base/text/slug.ts'
import { type Caller, mayEdit } from '../../http/auth/rights.ts'
import { MEDIA_PATH } from '../shared/stored-image.ts'
import { readFileName } from './format.ts'

/** Longest title, in characters. */
const TITLE_LIMIT = 200

/** The title of an image that was given none: the name of its file without folders and ending; '' when it has none. */
export function titleOfFile(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const bare = file.replace(/\.[a-z0-9]{1,5}$/i, '')
  return [...plainText(bare)].slice(0, TITLE_LIMIT).join('').trim()
}

/** The title of an image that was fetched from an address. */
export function titleOfAddress(address: string): string {
  return titleOfFile(percentDecoded(new URL(address).pathname))
}

/**
 * Name of the full-size file that an address names: that of the file itself or of one of its sizes. The host does not
 * matter, because no two images have files of the same name.
 */
export function fileNamed(address: string): string | undefined {
  const path = URL.parse(address)?.pathname ?? ''
  const at = path.lastIndexOf(MEDIA_PATH)
  return at < 0 ? undefined : readFileName(path.slice(at + MEDIA_PATH.length))?.full
}

/** Authors what is theirs, editors everything (decisions: Rights); an image counts as published. */
export function mayChange(caller: Caller, row: { readonly author_id: number }): boolean {
  return mayEdit(caller, { authorId: row.author_id, status: 'publish' })
}
