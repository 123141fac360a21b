import { isObject } from '../json/members.ts'
import type { SiteApi } from './discover.ts'
import { forEachAtOnce } from './pace.ts'
import { idOfKey, keyOf, objectsIn, type Raw } from './raw.ts'
import type { SiteClient } from './site-client.ts'
import type { Spool } from './spool.ts'

/** A list to be read whole. */
interface WalkedList {
  /** `events`: the path, and the member of the response. */
  readonly name: string
  readonly query: Readonly<Record<string, string | number>>
}

/** What a list is read with. */
export interface Walking {
  readonly client: SiteClient
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly concurrency: number
  readonly spool: Spool
  /** Called with the number of items that are known, and that the site says there are. */
  onItems(known: number, total: number): void
}

/** Items that are asked for with each page; sites give fewer. */
const PER_PAGE = 50
/** Most pages of a list. */
const PAGE_LIMIT = 20_000
/** Times that a list is read at most. */
const MOST_PASSES = 5
/** Pages that cannot be read before a list is given up. */
const MOST_FAILED = 2
/** Times that a page is asked for again which does not hold what it should. */
const MOST_LOOKS = 5

/**
 * Reads a list into the spool until it is whole: pages may shift, repeat items, lack some, and totals may be wrong while
 * it is read. It is whole when every page was full and all totals say what was found, or when reading it again
 * brings nothing new. Items that a later reading does not show are asked for by their ID. Why items may be missing; '' when
 * the list is whole.
 */
export async function walk(list: WalkedList, walking: Walking): Promise<string> {
  let before: ReadonlySet<string> | undefined
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const read = await readOnce(list, walking)
    const { keys } = read
    if (read.failed.length > 0) return read.failed.join('; ')
    const isSure = read.isFull && read.totals.size === 1 && read.totals.has(keys.size)
    const isStable = before !== undefined && [...keys].every((key) => before?.has(key))
    if (before !== undefined) await checkMissing(list, walking, new Set([...before].filter((key) => !keys.has(key))))
    if (isSure || isStable) return ''
    before = new Set([...(before ?? []), ...keys].filter((key) => walking.spool.has(key)))
  }
  return `the list kept changing while it was read ${MOST_PASSES} times`
}

interface Reading {
  readonly keys: Set<string>
  /** Everything on the pages. */
  readonly totals: Set<number>
  /** Whether each page but the last had as many items as the first. */
  isFull: boolean
  /** Why pages could not be read; `[]` when all were. */
  readonly failed: string[]
}

async function readOnce(list: WalkedList, walking: Walking): Promise<Reading> {
  const reading: Reading = { keys: new Set(), totals: new Set(), isFull: true, failed: [] }
  const first = await stablePage(list, walking, { page: 1, size: PER_PAGE, reading })
  if (first === undefined) return reading
  const size = Math.max(first.items.length, 1)
  await keep(first, walking, reading)
  const told = Math.min(Math.ceil(first.total / size), PAGE_LIMIT)
  let isLastFull = first.items.length >= size
  const pages = Array.from({ length: Math.max(told - 1, 0) }, (_none, index) => index + 2)
  await forEachAtOnce(pages, walking.concurrency, async (page) => {
    if (reading.failed.length > MOST_FAILED) return
    const read = await stablePage(list, walking, {
      page,
      size: page < told ? size : Math.min(size, PER_PAGE),
      reading,
    })
    if (read === undefined) return
    if (page === told) isLastFull = read.items.length >= size
    await keep(read, walking, reading)
  })
  // Beyond what the total says, until there is nothing more.
  for (let page = Math.max(told, 1) + 1; isLastFull && reading.failed.length === 0 && page <= PAGE_LIMIT; page += 1) {
    const read = await stablePage(list, walking, { page, size, reading })
    if (read === undefined || read.items.length === 0) break
    isLastFull = read.items.length >= size
    await keep(read, walking, reading)
  }
  return reading
}

/** A page of a list: the items of the best look at it. */
interface Page {
  readonly items: readonly Raw[]
  readonly total: number
}

async function keep({ items }: Page, { spool, onItems }: Walking, { keys, totals }: Reading): Promise<void> {
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    keys.add(key)
    await spool.put(key, item)
  }
  onItems(spool.size, Math.max(...totals))
}

interface Wanted {
  readonly page: number
  /** Items that the page should have. */
  readonly size: number
  readonly reading: Reading
}

/**
 * A page with all the items that looks at it have shown: it is looked at until it is full, or until two looks say the
 * same. Undefined past the end, and when it cannot be read.
 */
async function stablePage(list: WalkedList, walking: Walking, wanted: Wanted): Promise<Page | undefined> {
  const { reading, size, page } = wanted
  const shown = new Map<string, Raw>()
  let last = ''
  let total = 0
  for (let look = 1; look <= MOST_LOOKS; look += 1) {
    const read = await onePage(list, walking, page)
    if (read.kind === 'failed') {
      reading.failed.push(`page ${page}: ${read.why}`)
      return undefined
    }
    if (read.kind === 'end') {
      if (look === 1 && page > 1) return undefined
      break
    }
    total = read.total
    const now = read.items.map((item) => keyOf(item) ?? '').join(' ')
    for (const item of read.items) shown.set(keyOf(item) ?? `?${shown.size}`, item)
    const count = read.items.length
    const isCapped = page === 1 && count > 0 && count < size && Math.ceil(read.total / count) === read.pages
    const isAsExpected = count === size || isCapped || count === expected(read.total, { page, size })
    if (isAsExpected || now === last) {
      reading.totals.add(read.total)
      if (!isAsExpected) reading.isFull = false
      return { items: [...shown.values()], total }
    }
    last = now
  }
  reading.isFull = false
  return { items: [...shown.values()], total }
}

/** How many items the last page should have. */
function expected(total: number, { page, size }: { readonly page: number; readonly size: number }): number {
  return Math.max(0, Math.min(size, total - (page - 1) * size))
}

type ReadPage =
  | { readonly kind: 'page'; readonly items: readonly Raw[]; readonly total: number; readonly pages: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly why: string }

async function onePage(list: WalkedList, walking: Walking, page: number): Promise<ReadPage> {
  const { client, api, authorization } = walking
  const url = api.at(`/${list.name}`, { ...list.query, per_page: PER_PAGE, page })
  const isUsable = (json: unknown, status: number): boolean =>
    isObject(json) && (status === 200 ? Object.hasOwn(json, list.name) : typeof json['code'] === 'string')
  const asked = await client.ask(url, { want: 'json', authorization, isUsable })
  if (!asked.ok) return { kind: 'failed', why: asked.why }
  const { status } = asked.response
  if (!isObject(asked.json)) return { kind: 'failed', why: 'no object' }
  if (status === 200) {
    const items = objectsIn(asked.json[list.name])
    const { total, total_pages: pages } = asked.json
    return { kind: 'page', items, total: Number(total) || 0, pages: Number(pages) || 0 }
  }
  if (page > 1 && (status === 404 || status === 400)) return { kind: 'end' }
  if (status === 404 && String(asked.json['code']).includes('archive-page-not-found')) return { kind: 'end' }
  return { kind: 'failed', why: `the site answered ${status} ${String(asked.json['code'])}` }
}

/** What an item is now: undefined when the site has none with this ID, or shows it to nobody like us. */
export async function itemById(
  name: string,
  id: number,
  {
    client,
    api,
    authorization,
    query = {},
  }: Pick<Walking, 'client' | 'api' | 'authorization'> & { readonly query?: WalkedList['query'] },
): Promise<{ readonly item: Raw | undefined; readonly status: number; readonly why: string }> {
  const asked = await client.ask(api.at(`/${name}/${id}`, query), { want: 'json', authorization, isUsable: isObject })
  if (!asked.ok) return { item: undefined, status: 0, why: asked.why }
  const { status } = asked.response
  if (status === 200 && isObject(asked.json)) return { item: asked.json, status, why: '' }
  const code = isObject(asked.json) ? String(asked.json['code'] ?? '') : ''
  return { item: undefined, status, why: `the site answered ${status} ${code}` }
}

/** Whether an answer says that there is no such item, rather than that it is not for us. */
export function isGone({ status }: { readonly status: number }): boolean {
  return status === 404 || status === 410 || status === 400
}

/** Items that were in the list and are not any more: those that are gone are dropped. */
async function checkMissing(list: WalkedList, walking: Walking, missing: ReadonlySet<string>): Promise<void> {
  const { spool } = walking
  const others = new Set(
    spool
      .keys()
      .filter((key) => !missing.has(key))
      .map(idOfKey),
  )
  await forEachAtOnce(missing, walking.concurrency, async (key) => {
    // It has moved to another start.
    if (others.has(idOfKey(key))) return spool.drop(key)
    const found = await itemById(list.name, idOfKey(key), walking)
    if (found.item !== undefined && keyOf(found.item) === key) return void (await spool.put(key, found.item))
    if (isGone(found)) spool.drop(key)
    else if (found.item !== undefined) {
      spool.drop(key)
      await spool.put(keyOf(found.item) ?? key, found.item)
    }
  })
}
