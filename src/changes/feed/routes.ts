import type { Lookups } from '../../calendar/events/index.ts'
import { NAMESPACE } from '../../http/address.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choices, exactChoice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { type Kind, refuse } from '../../model/kinds/kind.ts'
import type { ResourceKey } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import type { Storage } from '../../storage/engine.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { itemsOf } from './items.ts'
import { type ChangePage, readChanges, type SeenChange } from './read.ts'
import { CHANGES, FOLLOWED } from './schema.ts'
import { changesSeenBy, viewKey } from './visibility.ts'

/** What the routes of changes need. */
export interface ChangesDeps {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: Lookups
  /** Waits briefly until this process knows of a number of the journal, see `ExternalChanges`. */
  reach(seq: number): Promise<void>
}

/** Changes of a page by default, at most, and at most with their items, which are read a few together up to so many characters. */
const LIMITS = { usual: 500, most: 1000, expanded: 100, together: 10, text: 4 * 1024 ** 2 } as const

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
    scope: 'read',
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
  const page = await pageFor(deps, call, { since, limit: Math.min(limit, LIMITS.most) })
  const changes = await shown(deps, call, page.changes)
  const last = page.changes[changes.length - 1]
  const isCut = last !== undefined && changes.length < page.changes.length
  const cursor = writeCursor(isCut ? last.seq : page.seq)
  return { status: 200, body: { changes, cursor, more: isCut || page.more } }
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

/**
 * The changes as responses have them, with their items if the call wants them; the first of them where their items are
 * long, so that none is read that would be too much.
 */
async function shown(deps: ChangesDeps, call: ChangesCall, changes: readonly SeenChange[]): Promise<readonly object[]> {
  if (call.values.expand === undefined) return changes
  const found: object[] = []
  let length = 0
  for (let at = 0; at < changes.length && length < LIMITS.text; at += LIMITS.together) {
    const some = await withItems(deps, call, changes.slice(at, at + LIMITS.together))
    length += JSON.stringify(some).length
    found.push(...some)
  }
  return found
}

async function withItems(
  deps: ChangesDeps,
  call: ChangesCall,
  changes: readonly SeenChange[],
): Promise<readonly object[]> {
  const items = new Map<string, object>()
  for (const [resource, own] of Map.groupBy(changes, (change) => change.resource)) {
    const ids = [...new Set(own.map(({ id }) => id))]
    for (const [id, item] of await itemsFor(deps, call, { resource, ids })) items.set(`${resource} ${id}`, item)
  }
  return changes.map((change) => {
    const item = change.action === 'deleted' ? undefined : items.get(`${change.resource} ${change.id}`)
    return item === undefined ? change : { ...change, item }
  })
}

/** The item of a change as it is now; undefined for one that is gone, or not seen. */
export async function itemOf(
  deps: ChangesDeps,
  call: ChangesCall,
  { action, resource, id }: SeenChange,
): Promise<object | undefined> {
  return action === 'deleted' ? undefined : (await itemsFor(deps, call, { resource, ids: [id] })).get(id)
}

function itemsFor(
  { storage: reader, site, lookups }: ChangesDeps,
  { caller, urls, language, values }: ChangesCall,
  named: { readonly resource: ResourceKey; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, object>> {
  // Addresses of items are those of the interface.
  const audience = { caller, language, urls: { ...urls, api: (path: string) => urls.root(`/${NAMESPACE}${path}`) } }
  return itemsOf({ reader, site, lookups }, audience, { ...named, withHidden: values.include_hidden ?? false })
}

/** Callers with the same key get the same items. */
export function audienceKey({ caller, urls, language, values }: ChangesCall): string {
  const extent = values.include_hidden === true ? 'all' : 'listed'
  return [caller.role, viewKey(caller), extent, language, urls.root(''), urls.page('')].join(' ')
}
