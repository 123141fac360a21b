import type { ErrorCode } from '../base/errors.ts'
import type { MessageId } from '../base/i18n/translate.ts'
import { type AnyField, allOptional, field, type ValuesOf } from '../model/kinds/field.ts'
import { pathId } from '../model/kinds/integer.ts'
import { slugParam } from '../model/kinds/text.ts'
import { RESOURCES, type ResourceKey } from '../model/resource.ts'
import { type CallerRole, everybody, type TokenScope } from './auth/rights.ts'
import type { NamedSchema } from './openapi/parts.ts'
import {
  type AnyRoute,
  type Call,
  type Found,
  type Group,
  type InvalidParam,
  type Reply,
  UPDATE_METHODS,
} from './route.ts'

/** How a path names an item. */
export type Selector = { readonly by: 'id'; readonly id: number } | { readonly by: 'slug'; readonly slug: string }

/** What a module declares about its resource; the standard routes are derived from it. */
export interface ResourceDeclaration<
  ListFields extends readonly AnyField[],
  WriteFields extends readonly AnyField[],
  ItemFields extends readonly AnyField[],
  Item,
  Loaded,
  ListLoaded,
> {
  readonly resource: ResourceKey
  /** An item in responses; its name is part of the operation names. */
  readonly schema: NamedSchema
  /** What the resource is for, for the OpenAPI document: one line. */
  readonly about: MessageId
  /** Whether items also have routes by slug. */
  readonly bySlug: boolean
  readonly listFields: ListFields
  readonly writeFields: WriteFields
  /** Parameters of reading and deleting one item. */
  readonly itemFields: ItemFields
  /** Specific errors by operation. */
  readonly errors: Readonly<Record<'list' | 'create' | 'read' | 'update' | 'remove', readonly ErrorCode[]>>
  /** Error of an ID that names nothing, where that is no refused parameter. */
  readonly unknownId?: ErrorCode
  /** The item, or undefined: a refused parameter. @throws Failure to answer an unknown ID differently */
  find(selector: Selector): Promise<Item | undefined>
  /** Whether callers of a role may write at all. */
  mayWrite(role: CallerRole): boolean
  /** The stages of a list, which has no item. */
  resolveList(call: Call<ValuesOf<ListFields>>, item: undefined, refusals: InvalidParam[]): Promise<ListLoaded>
  list(call: Call<ValuesOf<ListFields>>, item: undefined, loaded: ListLoaded): Promise<Reply>
  /** What GET returns this caller for the item. */
  shown(call: Call<unknown>, item: Item): Promise<Readonly<Record<string, unknown>>>
  /** Loads what the sent values name; `item` is undefined on create. */
  resolve(call: Call<ValuesOf<WriteFields>>, item: Item | undefined, refusals: InvalidParam[]): Promise<Loaded>
  permit(call: Call<unknown>, intent: Intent<Item, Loaded>): true | ErrorCode
  /** How many rows a write changes; 1 if absent. `item` is undefined on create, `loaded` on removal. */
  rows?(call: Call<unknown>, item: Item | undefined, loaded: Loaded | undefined): Promise<number>
  create(call: Call<ValuesOf<WriteFields>>, loaded: Loaded): Promise<Reply>
  /** The cached response of `read` to a call without fields, see `Route.ready`. */
  ready?(call: Call, id: number): Reply | undefined
  read(call: Call<ValuesOf<ItemFields>>, item: Item): Promise<Reply>
  update(call: Call<ValuesOf<WriteFields>>, item: Item, loaded: Loaded): Promise<Reply>
  remove(call: Call<ValuesOf<ItemFields>>, item: Item): Promise<Reply>
}

/** What a caller wants to do. */
export type Intent<Item, Loaded> =
  | { readonly to: 'create'; readonly loaded: Loaded }
  | { readonly to: 'read'; readonly item: Item }
  | { readonly to: 'update'; readonly item: Item; readonly loaded: Loaded }
  | { readonly to: 'remove'; readonly item: Item }

/** What tokens need to write items of a resource. */
const WRITE_SCOPES = {
  event: 'events:write',
  venue: 'events:write',
  organizer: 'events:write',
  category: 'terms:write',
  tag: 'terms:write',
} as const satisfies Readonly<Record<ResourceKey, TokenScope>>

/** The path parameter that names an item. */
export const ID_FIELD = field('id', pathId, 'api.idItem', { required: true })
const SLUG_FIELD = field('slug', slugParam, 'api.slugItem', { required: true })

/** The standard routes of a resource, in the order of the interface document (interface: Endpoints). */
export function resourceRoutes<
  L extends readonly AnyField[],
  W extends readonly AnyField[],
  I extends readonly AnyField[],
  Item,
  Loaded,
  ListLoaded,
>(declared: ResourceDeclaration<L, W, I, Item, Loaded, ListLoaded>): AnyRoute[] {
  // Each function is only ever handed what another one of the same resource made.
  const declaration = declared as unknown as AnyDeclaration
  const items = (declaration.bySlug ? (['id', 'slug'] as const) : (['id'] as const)).flatMap((by) =>
    itemRoutes(declaration, by),
  )
  return [listRoute(declaration), createRoute(declaration), ...items]
}

type Fields = readonly AnyField[]

/** What a module declares about its resource, without its types. */
type AnyDeclaration = ResourceDeclaration<Fields, Fields, Fields, unknown, unknown, unknown>

function listRoute(declaration: AnyDeclaration): AnyRoute {
  const { collection } = RESOURCES[declaration.resource]
  return {
    method: 'GET',
    path: `/${collection}`,
    operation: `list${plural(declaration)}`,
    summary: `api.list.${collection}`,
    description: 'api.returnsPageItemsMatch',
    group: groupOf(declaration),
    pathFields: [],
    fields: declaration.listFields,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: declaration.schema, list: collection },
    errors: declaration.errors.list,
    scope: 'read',
    open: everybody,
    resolve: declaration.resolveList,
    handle: declaration.list,
  }
}

function createRoute(declaration: AnyDeclaration): AnyRoute {
  const { collection, key } = RESOURCES[declaration.resource]
  return {
    method: 'POST',
    path: `/${collection}`,
    operation: `create${declaration.schema.name}`,
    summary: `api.create.${key}`,
    description: 'api.createsItemFieldsSent',
    group: groupOf(declaration),
    pathFields: [],
    fields: declaration.writeFields,
    hasBody: true,
    fillsDefaults: true,
    response: { status: 201, schema: declaration.schema },
    errors: declaration.errors.create,
    scope: WRITE_SCOPES[declaration.resource],
    open: declaration.mayWrite,
    resolve: declaration.resolve,
    permit: (call, _item, loaded) => declaration.permit(call, { to: 'create', loaded }),
    ...(declaration.rows && { rows: declaration.rows }),
    handle: (call, _item, loaded) => declaration.create(call, loaded),
  }
}

function itemRoutes(declaration: AnyDeclaration, by: ItemKey): AnyRoute[] {
  const read = readRoute(declaration, by)
  const remove = removeRoute(declaration, by)
  const updates = UPDATE_METHODS.map((method) => updateRoute(declaration, by, method))
  return declaration.bySlug ? [read, remove, ...updates] : [read, ...updates, remove]
}

/** How the path of an item route names the item. */
export type ItemKey = 'id' | 'slug'

/** What all routes of one item have in common. */
export function itemRoute<Item>(declaration: ItemPaths<Item>, by: ItemKey) {
  const { collection } = RESOURCES[declaration.resource]
  return {
    path: by === 'id' ? `/${collection}/:id` : `/${collection}/by-slug/:slug`,
    group: groupOf(declaration),
    pathFields: [by === 'id' ? ID_FIELD : SLUG_FIELD],
    target: (call: Call<unknown>) => findItem(declaration, call, by),
    fillsDefaults: false,
    response: { status: 200, schema: declaration.schema },
  }
}

type ItemPaths<Item> = {
  readonly resource: ResourceKey
  readonly schema: NamedSchema
  readonly about: MessageId
  find(selector: Selector): Promise<Item | undefined>
}

/** What ends the names of operations on an item. */
export function suffixOf(by: ItemKey): string {
  return by === 'slug' ? 'BySlug' : ''
}

function readRoute(declaration: AnyDeclaration, by: ItemKey): AnyRoute {
  return {
    ...itemRoute(declaration, by),
    method: 'GET',
    operation: `get${declaration.schema.name}${suffixOf(by)}`,
    summary: `api.read.${RESOURCES[declaration.resource].key}`,
    description: 'api.returnsItemCallerRead',
    fields: declaration.itemFields,
    hasBody: false,
    errors:
      by === 'id' && declaration.unknownId !== undefined
        ? [...declaration.errors.read, declaration.unknownId]
        : declaration.errors.read,
    scope: 'read',
    open: everybody,
    ready: (call) => {
      const selector = by === 'id' ? selectorOf(call, by) : undefined
      return selector?.by === 'id' ? declaration.ready?.(call, selector.id) : undefined
    },
    permit: (call, item) => declaration.permit(call, { to: 'read', item }),
    handle: declaration.read,
  }
}

function removeRoute(declaration: AnyDeclaration, by: ItemKey): AnyRoute {
  return {
    ...itemRoute(declaration, by),
    method: 'DELETE',
    operation: `delete${declaration.schema.name}${suffixOf(by)}`,
    summary: `api.delete.${RESOURCES[declaration.resource].key}`,
    description: 'api.movesItemTrashDeletes',
    fields: declaration.itemFields,
    hasBody: false,
    errors: declaration.errors.remove,
    scope: WRITE_SCOPES[declaration.resource],
    open: declaration.mayWrite,
    permit: (call, item) => declaration.permit(call, { to: 'remove', item }),
    ...(declaration.rows && { rows: declaration.rows }),
    handle: declaration.remove,
  }
}

/** Ends of the operation names of the three update methods, which do the same. */
const UPDATE_NAMES = { POST: '', PUT: 'ByPut', PATCH: 'ByPatch' } as const

function updateRoute(declaration: AnyDeclaration, by: ItemKey, method: keyof typeof UPDATE_NAMES): AnyRoute {
  return {
    ...itemRoute(declaration, by),
    method,
    operation: `update${declaration.schema.name}${suffixOf(by)}${UPDATE_NAMES[method]}`,
    summary: `api.update.${RESOURCES[declaration.resource].key}`,
    description: 'api.updatesFieldsSentLeaves',
    fields: allOptional(declaration.writeFields),
    hasBody: true,
    errors: declaration.errors.update,
    scope: WRITE_SCOPES[declaration.resource],
    open: declaration.mayWrite,
    shown: declaration.shown,
    resolve: declaration.resolve,
    permit: (call, item, loaded) => declaration.permit(call, { to: 'update', item, loaded }),
    ...(declaration.rows && { rows: declaration.rows }),
    handle: declaration.update,
  }
}

function groupOf({ resource, about }: { readonly resource: ResourceKey; readonly about: MessageId }): Group {
  return { name: RESOURCES[resource].collection, about }
}

function plural(declaration: { readonly resource: ResourceKey }): string {
  const { collection } = RESOURCES[declaration.resource]
  return collection.charAt(0).toUpperCase() + collection.slice(1)
}

async function findItem<Item>(
  declaration: { find(selector: Selector): Promise<Item | undefined> },
  call: Call<unknown>,
  by: 'id' | 'slug',
): Promise<Found<Item>> {
  const selector = selectorOf(call, by)
  const item = selector === undefined ? undefined : await declaration.find(selector)
  if (item !== undefined) return { item }
  return { refused: { name: by, code: 'rest_invalid_param', reason: by === 'id' ? 'unknown_id' : 'unknown_slug' } }
}

/**
 * The item that the path names; undefined when it cannot name any (ID 0, beyond every ID, a slug of punctuation or with
 * `/`).
 */
function selectorOf(call: Call<unknown>, by: 'id' | 'slug'): Selector | undefined {
  const { context } = call
  if (by === 'id') {
    const reading = pathId.parse(call.path['id'], context)
    return reading.ok ? { by: 'id', id: reading.value } : undefined
  }
  const sent = call.path['slug'] ?? ''
  if (sent.includes('/')) return undefined
  const reading = slugParam.parse(sent, context)
  return reading.ok && reading.value !== '' ? { by: 'slug', slug: reading.value } : undefined
}
