import type { Storage } from '../../storage/engine.ts'
import { isObject } from '../json-import/members.ts'
import type { Asker } from './asker.ts'
import type { SiteApi } from './discover.ts'
import { keepTaken, takenFrom } from './store.ts'
import type { SiteImportInput } from './types.ts'

/** What a site is asked with for its changes. */
export interface SiteChangesParts {
  readonly storage: Storage
  readonly asker: Asker
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly input: SiteImportInput
}

/** Whether there is something to read. */
export interface SiteChanges {
  /** False only where the site says that nothing has changed since the last import that was whole. */
  readonly isChanged: boolean
  /** From where the next import asks for changes; '' where the site does not tell them. */
  readonly cursor: string
}

const KIND = 'cursor'
const NAMESPACE = 'kalends/v1'

/** Asks a Kalends whether anything has changed since the last import like this one. Others are always read. */
export async function findChanges(parts: SiteChangesParts): Promise<SiteChanges> {
  const { storage, api, input } = parts
  if (!api.isKalends) return { isChanged: true, cursor: '' }
  const since = input.dryRun ? '' : ((await takenFrom(storage, api.root, KIND)).get(keyOf(input))?.digest ?? '')
  const page = since === '' ? undefined : await pageSince(parts, since)
  if (page !== undefined && page.changes.length === 0 && !page.more) return { isChanged: false, cursor: page.cursor }
  // Taken before the lists are read: what changes meanwhile is found by the next import.
  return { isChanged: true, cursor: (await pageSince(parts, ''))?.cursor ?? '' }
}

/** Keeps from where the next import asks, if this one has brought everything that can be had; whether it was kept. */
export async function keepCursor(
  { storage, api, input }: Pick<SiteChangesParts, 'storage' | 'api' | 'input'>,
  cursor: string,
  isWhole: boolean,
): Promise<boolean> {
  if (cursor === '' || input.dryRun || !isWhole) return false
  await keepTaken(storage, [{ origin: api.root, kind: KIND, key: keyOf(input), item_id: 0, digest: cursor }])
  return true
}

/** Another user sees other changes, and other options bring other things. */
function keyOf({ user = '', author = '', vanished, byId }: SiteImportInput): string {
  return JSON.stringify([user, author, vanished, byId])
}

interface ChangesPage {
  readonly changes: readonly unknown[]
  readonly more: boolean
  readonly cursor: string
}

/** The changes after a cursor, or the cursor of now for ''; undefined where the site cannot say. */
async function pageSince(
  { asker, api, authorization }: SiteChangesParts,
  since: string,
): Promise<ChangesPage | undefined> {
  const url = api.at('/changes', since === '' ? {} : { since }, NAMESPACE)
  const asked = await asker.ask(url, { want: 'json', authorization, isUsable: isObject })
  if (!asked.ok || asked.response.status !== 200 || !isObject(asked.json)) return undefined
  const { changes, more, cursor } = asked.json
  if (!Array.isArray(changes) || typeof cursor !== 'string') return undefined
  return { changes, more: more === true, cursor }
}
