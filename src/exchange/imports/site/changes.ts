import type { Storage } from '../../../storage/engine.ts'
import { isObject } from '../json/members.ts'
import type { Skipped } from '../json/types.ts'
import type { Access } from './access.ts'
import type { Asker } from './asker.ts'
import type { SiteApi } from './discover.ts'
import { idOf } from './raw.ts'
import { type ChangedIds, LISTS } from './stage.ts'
import { keepTaken, takenFrom } from './store.ts'
import type { CountedKind, SiteImportInput } from './types.ts'

/** What a site is asked with for its changes. */
export interface SiteChangesParts {
  readonly storage: Storage
  readonly asker: Asker
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly access: Access
  readonly input: SiteImportInput
}

/** What a site says of what has changed since the last import like this one that was whole. */
export interface SiteChanges {
  /** Empty where nothing has; undefined where all lists are to be read. */
  readonly ids: ChangedIds | undefined
  /** From where the next import asks for changes; '' where the site does not tell them. */
  readonly cursor: string
  /** Why all lists are read although an import before knew from where to ask; `[]` otherwise. */
  readonly notes: readonly Skipped[]
}

const KIND = 'cursor'
const NAMESPACE = 'kalends/v1'

/** Items up to which they are asked for one by one; reading the lists takes fewer requests then. */
const MOST_CHANGED = 1_000
/** Changes of a page, and most pages. */
const PER_PAGE = 1_000
const PAGE_LIMIT = 1_000

/**
 * Asks a Kalends what has changed since the last import like this one. Others are always read, and so is one that does not
 * get our credentials: it tells others of fewer changes, and the next import is to ask for all of them.
 */
export async function findChanges(parts: SiteChangesParts): Promise<SiteChanges> {
  const { storage, api, access, input } = parts
  if (!api.isKalends || access.areLost === true) return { ids: undefined, cursor: '', notes: [] }
  const since = input.dryRun ? '' : ((await takenFrom(storage, api.root, KIND)).get(keyOf(input))?.digest ?? '')
  const told = since === '' ? { why: '' } : await changesSince(parts, since)
  if ('ids' in told) return { ...told, notes: [] }
  // Taken before the lists are read: what changes meanwhile is found by the next import.
  const now = await pageSince(parts, '')
  const notes = told.why === '' ? [] : [{ what: api.root, why: `${told.why}: everything was read` }]
  return { ids: undefined, cursor: 'page' in now ? now.page.cursor : '', notes }
}

/** Keeps from where the next import asks, if this one has brought everything that can be had; whether it was kept. */
export async function keepCursor(
  { storage, api, input }: Pick<SiteChangesParts, 'storage' | 'api' | 'input'>,
  cursor: string,
  isWhole: boolean,
): Promise<boolean> {
  if (cursor === '' || input.dryRun || !isWhole) return false
  const known = (await takenFrom(storage, api.root, KIND)).get(keyOf(input))?.digest
  if (known === cursor) return true
  await keepTaken(storage, [{ origin: api.root, kind: KIND, key: keyOf(input), item_id: 0, digest: cursor }])
  return true
}

/** Another user sees other changes, and other options bring other things. */
function keyOf({ user = '', author = '', vanished, byId }: SiteImportInput): string {
  return JSON.stringify([user, author, vanished, byId])
}

/** All changes after a cursor, or why they are not known. */
async function changesSince(
  parts: SiteChangesParts,
  since: string,
): Promise<{ readonly ids: ChangedIds; readonly cursor: string } | { readonly why: string }> {
  const ids = new Map<CountedKind, Set<number>>()
  let cursor = since
  let found = 0
  for (let pages = 0; pages < PAGE_LIMIT; pages += 1) {
    const read = await pageSince(parts, cursor)
    if ('why' in read) return read
    const { page } = read
    for (const change of page.changes) {
      const kind = LISTS.find((one) => one.kind === change['resource'])?.kind
      const id = idOf(change)
      if (kind === undefined || id === undefined) continue
      const known = ids.get(kind) ?? new Set()
      if (!known.has(id)) found += 1
      ids.set(kind, known.add(id))
    }
    if (found > MOST_CHANGED) return { why: `more than ${MOST_CHANGED} items have changed since the last import` }
    if (!page.more) return { ids, cursor: page.cursor }
    if (page.cursor === cursor) return { why: 'the site does not get on with its changes' }
    cursor = page.cursor
  }
  return { why: 'the site has too many changes' }
}

interface ChangesPage {
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  readonly more: boolean
  readonly cursor: string
}

/** The changes after a cursor, or the cursor of now for ''; why, where the site cannot say. */
async function pageSince(
  { asker, api, authorization }: SiteChangesParts,
  since: string,
): Promise<{ readonly page: ChangesPage } | { readonly why: string }> {
  const query = { since, limit: PER_PAGE, include_hidden: 'true' }
  const url = api.at('/changes', since === '' ? {} : query, NAMESPACE)
  const asked = await asker.ask(url, { want: 'json', authorization, isUsable: isObject })
  if (!asked.ok) return { why: `its changes cannot be read (${asked.why})` }
  const { status } = asked.response
  if (status === 410) return { why: 'it no longer knows what has changed since the last import' }
  const { changes, more, cursor } = isObject(asked.json) ? asked.json : {}
  if (status !== 200 || !Array.isArray(changes) || typeof cursor !== 'string')
    return { why: `its changes cannot be read (the site answered ${status})` }
  return { page: { changes: changes.filter(isObject), more: more === true, cursor } }
}
