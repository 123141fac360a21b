import { plainText } from '../../../../base/text/html.ts'
import { below, idAt, listAt, type SourceObject, textAt, unusable } from './members.ts'

/** Who an item is across sites. */
export interface Identity {
  /** `{host}?id={id}` of the site where it was recorded. */
  readonly globalId: string
  /** Global IDs of further sites, in order; `[]` when there are none. */
  readonly lineage: readonly string[]
  /** ID there, to keep where it is free; undefined where it has none. */
  readonly wishedId: number | undefined
}

/** Longest global ID that is stored, in characters. */
const LENGTH_LIMIT = 500
/** Most global IDs that are stored of one item. */
const LINEAGE_LIMIT = 50

/**
 * The identity of an item: its `global_id`, else made of its ID and its site, which its addresses name, or what stands
 * around it (`site`, '' when unknown). Undefined for an item without an ID. @throws recorded_not_usable when no site is known
 */
export function identityOf(source: SourceObject, site: string): Identity | undefined {
  const wishedId = idAt(source, 'id')
  if (wishedId === undefined) return undefined
  const host = siteOf(source) || site
  const globalId = plainText(textAt(source, 'global_id')).slice(0, LENGTH_LIMIT) || (host && `${host}?id=${wishedId}`)
  if (globalId === '') throw unusable(below(source.place, 'global_id'), 'is missing, and no address names the site')
  const others = listAt(source, 'global_id_lineage').map(({ value, place }) => {
    if (typeof value !== 'string') throw unusable(place, 'is not a text')
    return plainText(value).slice(0, LENGTH_LIMIT)
  })
  const lineage = [...new Set(others)].filter((one) => one !== '' && one !== globalId).slice(0, LINEAGE_LIMIT)
  return { globalId, lineage, wishedId }
}

/** The global ID of an item; undefined for one that has none, or one that cannot be read. */
export function globalIdIn(source: SourceObject, site: string): string | undefined {
  try {
    return identityOf(source, site)?.globalId
  } catch {
    return undefined
  }
}

/** The site that an item or answer comes from, by its `global_id` or its addresses; '' when nothing names it. */
export function siteOf(source: SourceObject): string {
  const { members } = source
  const globalId = members['global_id']
  if (typeof globalId === 'string' && globalId.includes('?id=')) return plainText(globalId.split('?id=', 1)[0] ?? '')
  const urls = members['urls']
  const own = typeof urls === 'object' && urls !== null ? Object.values(urls) : []
  for (const address of [members['rest_url'], members['url'], ...own]) {
    if (typeof address === 'string' && URL.canParse(address)) return new URL(address).hostname
  }
  return ''
}
