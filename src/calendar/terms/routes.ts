import { type ErrorCode, fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { mayWriteCategories, mayWriteTags } from '../../http/auth/rights.ts'
import { listReply, pagingOf } from '../../http/paging.ts'
import { refusedFailure } from '../../http/params.ts'
import { resourceRoutes } from '../../http/resource.ts'
import type { AnyRoute, Call, Freshness, InvalidParam, Reply } from '../../http/route.ts'
import { CATEGORY_FIELDS } from '../../model/category.ts'
import type { ValuesOf } from '../../model/kinds/field.ts'
import type { Reason } from '../../model/kinds/kind.ts'
import { RESOURCES, type TermKey } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import { TAG_FIELDS } from '../../model/tag.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { categoriesDownFrom } from '../event-store/terms.ts'
import { respondToWrite } from '../shared/respond-to-write.ts'
import { filtersOf, LIST_FIELDS, type ListValues, type TermQuery } from './filters.ts'
import { presentSingle, presentTerm, termPath } from './present.ts'
import { checkName, checkNoParent } from './rules.ts'
import { OWN_TERMS } from './schema.ts'
import { ancestorsOf, idOfSlug, isSeen, pageOfTerms, termById } from './store.ts'
import type { Term } from './tables.ts'
import { resolveTermQuery } from './term-query.ts'
import { termViewerOf } from './term-viewer.ts'
import { termVersion } from './version.ts'
import { addTerm, changeTerm, duplicateOf, removeTerm, type Writer } from './write.ts'

/** What the routes of a taxonomy need. */
export interface TermDeps {
  readonly key: TermKey
  readonly storage: Storage
  readonly site: Site
}

type WriteField = (typeof CATEGORY_FIELDS | typeof TAG_FIELDS)[number]
/** A request that writes a term. */
export type WriteCall = Call<ValuesOf<readonly WriteField[]>>

/** The fields of a term that can be written. */
export const WRITE_FIELDS: Readonly<Record<TermKey, readonly WriteField[]>> = {
  category: CATEGORY_FIELDS,
  tag: TAG_FIELDS,
}
const ABOUT = { category: 'api.terms.eventCategoriesEachParent', tag: 'api.terms.eventTags' } as const
/** Which roles may write terms. */
export const MAY_WRITE = { category: mayWriteCategories, tag: mayWriteTags } as const

/** The routes of the categories or of the tags (interface: Categories, Tags). */
export function termRoutes(deps: TermDeps): AnyRoute[] {
  const { key, storage } = deps
  return resourceRoutes({
    resource: key,
    schema: OWN_TERMS[key],
    about: ABOUT[key],
    bySlug: false,
    listFields: LIST_FIELDS[key],
    writeFields: WRITE_FIELDS[key],
    itemFields: [],
    errors: errorsOf(key),
    find: async (selector) => (selector.by === 'id' ? termById(storage, key, selector.id) : undefined),
    mayWrite: MAY_WRITE[key],
    // Anyone who may write at all may write every term, and `mayWrite` was checked.
    permit: () => true,
    resolveList: (call, _item, refusals) => resolveTermQuery({ reader: storage, key }, call, refusals),
    list: (call, _item, wanted) => list(deps, call, wanted),
    shown: async (call, term) => ({ ...(await single(deps, call, term)) }),
    resolve: (call, term, refusals) => checkSent(deps, { call, term }, refusals),
    create: (call) => create(deps, call),
    read: async (call, term) => {
      if (!(await isSeen(storage, key, { term, by: termViewerOf(call.caller) })))
        throw refused(call, 'id', 'unknown_id')
      const ancestors = await ancestorsOf(storage, key, [term])
      const body = presentSingle({ key, term, ancestors, urls: call.urls })
      // The address of a category's page names those above it.
      const ids = [term.id, ...ancestors.keys()]
      const version = await termVersion(storage, { key, term })
      return { status: 200, body, freshness: { dependencies: ids.map((id) => ({ of: key, id })) }, version }
    },
    update: (call, term) => update(deps, call, term),
    remove: (call, term) => remove(deps, call, term),
  })
}

/** Error codes of the operations of a taxonomy, beyond those of all resources. */
export function errorsOf(
  key: TermKey,
): Readonly<Record<'list' | 'create' | 'read' | 'update' | 'remove', readonly ErrorCode[]>> {
  const unnamed = ['empty_term_name', 'db_insert_error'] as const
  const nested = key === 'tag' ? (['rest_taxonomy_not_hierarchical'] as const) : []
  const create = ['term_exists', ...unnamed, ...nested] as const
  return { list: [], create, read: [], update: ['duplicate_term_slug', ...unnamed, ...nested], remove: [] }
}

async function list(deps: TermDeps, call: Call<ListValues>, wanted: TermQuery): Promise<Reply> {
  const { key, storage, site } = deps
  const { collection } = RESOURCES[key]
  const paging = pagingOf(call.values, site.perPageMax)
  const { total, terms } = await pageOfTerms(storage, key, { wanted, offset: paging.offset, limit: paging.perPage })
  const ancestors = await ancestorsOf(storage, key, terms)
  return listReply({
    address: call.urls.api(`/${collection}/`),
    member: collection,
    items: terms.map((term) => presentTerm({ key, term, ancestors, urls: call.urls })),
    total,
    paging,
    filters: filtersOf(call, LIST_FIELDS[key]),
    totalsFirst: true,
    freshness: freshnessOf(key, call.values, wanted),
  })
}

/** How long a list lasts; counts of events change their terms. */
function freshnessOf(
  key: TermKey,
  { updated_since }: ListValues,
  { eventRows = [] }: TermQuery,
): Freshness | undefined {
  // It may be given in words that depend on the time.
  if (updated_since !== undefined) return undefined
  return { dependencies: [{ of: key }, ...eventRows.map((id) => ({ of: 'event', id }) as const)] }
}

async function single({ key, storage }: TermDeps, call: Call<unknown>, term: Term) {
  return presentSingle({ key, term, ancestors: await ancestorsOf(storage, key, [term]), urls: call.urls })
}

/** The response to a write of a term that still exists, with what its validators are made of. */
async function writtenReply(
  { reader, key, call }: { readonly reader: Reader; readonly key: TermKey; readonly call: Call<unknown> },
  term: Term,
): Promise<Reply> {
  const ancestors = await ancestorsOf(reader, key, [term])
  const body = presentSingle({ key, term, ancestors, urls: call.urls })
  return {
    status: 200,
    body,
    read: body,
    version: await termVersion(reader, { key, term, now: utcFromMillis(call.now) }),
  }
}

/** Checks the preconditions of a write; a missing term is reported by the write itself. */
async function requireVersion(
  tx: Transaction,
  { key, call }: { readonly key: TermKey; readonly call: Call<unknown> },
  id: number,
): Promise<void> {
  if (call.preconditions === undefined) return
  const term = await termById(tx, key, id)
  if (term !== undefined) call.preconditions.check(await termVersion(tx, { key, term }))
}

/** Everything that can be refused before the write starts. */
export async function checkSent(
  { key, storage }: TermDeps,
  { call, term }: { readonly call: WriteCall; readonly term: Term | undefined },
  refusals: InvalidParam[],
): Promise<void> {
  const { name, parent } = call.values
  if (key === 'category') {
    const reason = await parentProblem(storage, parent, term?.id)
    if (reason !== undefined) refusals.push({ name: 'parent', code: 'rest_invalid_param', reason })
  }
  // Specific codes are used only when nothing else is wrong.
  if (refusals.length > 0) return
  if (name !== undefined) checkName(name)
  if (key === 'tag') checkNoParent(call.sent['parent'])
}

/** Why a category cannot get another as its parent; undefined when it can, and when no parent was sent. */
async function parentProblem(
  reader: Reader,
  parent: number | undefined,
  id: number | undefined,
): Promise<Reason | undefined> {
  if (parent === undefined || parent === 0) return undefined
  if ((await termById(reader, 'category', parent)) === undefined) return 'unknown_id'
  if (id === undefined) return undefined
  return (await categoriesDownFrom(reader, [id])).includes(parent) ? 'own_descendant' : undefined
}

function create(deps: TermDeps, call: WriteCall): Promise<Reply> {
  const { key } = deps
  return createTerm(deps, call, async (reader, term) => {
    const headers = { Location: call.urls.api(termPath(key, term.id)) }
    return { ...(await writtenReply({ reader, key, call }, term)), status: 201, headers }
  })
}

/** Creates a term, and responds with `respond`. @throws term_exists with its ID when there is one like it */
export async function createTerm(
  { key, storage }: TermDeps,
  call: WriteCall,
  respond: (reader: Reader, term: Term) => Promise<Reply>,
): Promise<Reply> {
  const { name = '', description = '', slug, parent = 0, color = '' } = call.values
  const made = { name, description, slug, parent, color, extra: null, ...writerOf(call) }
  return respondToWrite(storage, call, {
    write: async (tx) => {
      await requireParent(tx, call, undefined)
      if (call.preconditions?.isCreateOnly === true) await requireFreeSlug(tx, key, slug)
      const duplicate = await duplicateOf(tx, key, made)
      if (duplicate !== undefined)
        throw fail('term_exists', {}, { term_id: duplicate, additional_data: [duplicate, duplicate] })
      return addTerm(tx, key, made)
    },
    respond,
  })
}

/** @throws precondition_failed when a term has the slug that was sent */
async function requireFreeSlug(tx: Transaction, key: TermKey, slug: string | undefined): Promise<void> {
  if (slug !== undefined && (await idOfSlug(tx, key, slug)) !== undefined) throw fail('precondition_failed')
}

async function update({ key, storage }: TermDeps, call: WriteCall, { id }: Term): Promise<Reply> {
  const { name, description, slug, parent, color } = call.values
  return respondToWrite(storage, call, {
    write: async (tx) => {
      await requireParent(tx, call, id)
      await requireVersion(tx, { key, call }, id)
      const term = await changeTerm(tx, key, {
        id,
        sent: { name, description, slug, parent, color },
        ...writerOf(call),
      })
      if (term === undefined) throw refused(call, 'id', 'unknown_id')
      return term
    },
    respond: (reader, term) => writtenReply({ reader, key, call }, term),
  })
}

/** Responds with the deleted term and its last count. `force` is ignored: terms are always deleted permanently. */
async function remove({ key, storage }: TermDeps, call: Call<unknown>, { id }: Term): Promise<Reply> {
  return respondToWrite(storage, call, {
    write: async (tx) => {
      await requireVersion(tx, { key, call }, id)
      const term = await removeTerm(tx, key, { id, ...writerOf(call) })
      if (term === undefined) throw refused(call, 'id', 'unknown_id')
      return { term, ancestors: await ancestorsOf(tx, key, [term]) }
    },
    respond: async (_reader, removed) => ({ status: 200, body: presentTerm({ key, ...removed, urls: call.urls }) }),
  })
}

/** Checks the parent again inside the write: another one may have moved or deleted it meanwhile. */
async function requireParent(reader: Reader, call: WriteCall, id: number | undefined): Promise<void> {
  const reason = await parentProblem(reader, call.values.parent, id)
  if (reason !== undefined) throw refused(call, 'parent', reason)
}

function refused(call: Call<unknown>, name: string, reason: Reason): Error {
  const refusal: InvalidParam = { name, code: 'rest_invalid_param', reason }
  return refusedFailure([refusal], [name], call.language)
}

function writerOf(call: Call<unknown>): Writer {
  return { actor: call.caller.id, at: utcFromMillis(call.now) }
}
