import type { Lookups } from '../../calendar/events/index.ts'
import { NAMESPACE } from '../../http/address.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choices, exactChoice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { type Kind, refuse } from '../../model/kinds/kind.ts'
import type { Site } from '../../model/site.ts'
import type { Storage } from '../../storage/engine.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { itemsOf } from './items.ts'
import { type ChangePage, readChanges, type SeenChange } from './read.ts'
import { CHANGES, FOLLOWED } from './schema.ts'
import { changesSeenBy } from './visibility.ts'

/** What the routes of changes need. */
export interface ChangesDeps {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: Lookups
  /** Waits briefly until this process knows of a number of the journal, see `ExternalChanges`. */
  reach(seq: number): Promise<void>
}

/** Changes of a page by default, at most, and at most with their items. */
const LIMITS = { usual: 500, most: 1000, expanded: 100 } as const

/** A cursor, as the number of the journal in it. */
const cursor: Kind<number> = {
  declared: { type: 'string' },
  schema: { type: 'string', maxLength: 64 },
  parse(value) {
    const seq = typeof value === 'string' ? readCursor(value) : undefined
    return seq === undefined ? refuse('bad_cursor') : { ok: true, value: seq }
  },
}

/** What both routes take. */
export const CHANGE_FIELDS = [
  field('since', cursor, 'api.changes.cursorAfterReturnChanges', { example: 'YzE6NDI' }),
  field('resource', choices(FOLLOWED, 'bad_choice'), 'api.changes.typesItemsWhoseChanges'),
  field('expand', exactChoice(['item'], 'bad_choice'), 'api.changes.itemEachChangeIncludes'),
  field('include_hidden', boolean, 'api.changes.whetherIncludeChangesEvents', { default: false }),
] as const

const FIELDS = [
  ...CHANGE_FIELDS,
  field('limit', positive, 'api.changes.maximumNumberChangesReturn', { default: LIMITS.usual }),
] as const

/** A call that names changes. */
export type ChangesCall = Call<ValuesOf<typeof CHANGE_FIELDS>>

/** The OpenAPI group of the routes. */
export const CHANGES_GROUP = { name: 'changes', about: 'api.changes.changesSincePointTime' } as const

/** The route that lists changes. */
export function changesRoute(deps: ChangesDeps): AnyRoute {
  return route({
    method: 'GET',
    path: '/changes',
    operation: 'listChanges',
    summary: 'api.changes.listChangesSinceCursor',
    description: 'api.changes.returnsChangesAfterCursor',
    group: CHANGES_GROUP,
    pathFields: [],
    fields: FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: CHANGES },
    errors: ['cursor_expired'],
    open: () => true,
    handle: (call) => listChanges(deps, call),
  })
}

async function listChanges(deps: ChangesDeps, call: Call<ValuesOf<typeof FIELDS>>): Promise<Reply> {
  const { since, limit = LIMITS.usual } = call.values
  if (since === undefined) {
    const body = { changes: [], cursor: writeCursor(await headSeq(deps.storage)), more: false }
    return { status: 200, body }
  }
  await deps.reach(since)
  const { changes, seq, more } = await pageFor(deps, call, { since, limit: Math.min(limit, LIMITS.most) })
  return { status: 200, body: { changes: await shown(deps, call, changes), cursor: writeCursor(seq), more } }
}

/** The changes after a number that a call asks for, fewer where their items are wanted. @throws cursor_expired */
export function pageFor(
  { storage }: Pick<ChangesDeps, 'storage'>,
  { caller, values }: ChangesCall,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<ChangePage> {
  const { resource: resources = FOLLOWED, expand, include_hidden: withHidden = false } = values
  const most = expand === undefined ? limit : Math.min(limit, LIMITS.expanded)
  return readChanges(storage, { since, resources, limit: most, view: changesSeenBy(caller, { withHidden }) })
}

/** The changes as responses have them, with their items if the call wants them. */
export async function shown(
  { storage: reader, site, lookups }: ChangesDeps,
  { caller, urls, language, values }: ChangesCall,
  changes: readonly SeenChange[],
): Promise<readonly object[]> {
  const { expand, include_hidden: withHidden = false } = values
  if (expand === undefined) return changes
  // Addresses of items are those of the interface.
  const audience = { caller, language, urls: { ...urls, api: (path: string) => urls.root(`/${NAMESPACE}${path}`) } }
  const items = new Map<string, object>()
  for (const [resource, own] of Map.groupBy(changes, (change) => change.resource)) {
    const ids = [...new Set(own.map(({ id }) => id))]
    const found = await itemsOf({ reader, site, lookups }, audience, { resource, ids, withHidden })
    for (const [id, item] of found) items.set(`${resource} ${id}`, item)
  }
  return changes.map((change) => {
    const item = change.action === 'deleted' ? undefined : items.get(`${change.resource} ${change.id}`)
    return item === undefined ? change : { ...change, item }
  })
}
