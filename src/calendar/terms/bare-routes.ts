import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { listReply, pagingOf } from '../../http/paging.ts'
import { ID_FIELD } from '../../http/resource.ts'
import { type AnyRoute, type Call, type InvalidParam, type Reply, route } from '../../http/route.ts'
import { CONTEXT_FIELD } from '../../model/kinds/context.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { termRefs } from '../../model/kinds/list.ts'
import type { TermKey } from '../../model/resource.ts'
import { filtersOf, LIST_FIELDS, type ListField, type TermQuery } from './filters.ts'
import { seekTerms } from './lookup.ts'
import { presentBare, termPath } from './present.ts'
import { checkSent, createTerm, errorsOf, MAY_WRITE, type TermDeps, WRITE_FIELDS, type WriteCall } from './routes.ts'
import { OWN_TERMS } from './schema.ts'
import { ancestorsOf, isSeen, pageOfTerms, termById } from './store.ts'
import type { Term } from './tables.ts'
import { resolveTermQuery } from './term-query.ts'
import { termViewerOf } from './term-viewer.ts'
import { termVersion } from './version.ts'

/** Largest page of the bare list, as writers of calendars expect it. */
const PAGE_LIMIT = 100

const NOUNS: Readonly<Record<TermKey, { readonly one: string; readonly many: string }>> = {
  category: { one: 'category', many: 'categories' },
  tag: { one: 'tag', many: 'tags' },
}

/** The parameters of the taxonomy's own list, with all terms shown by default and several slugs allowed. */
function listFields(key: TermKey) {
  return [
    ...LIST_FIELDS[key]
      .filter((one): one is Exclude<ListField, { readonly name: 'slug' }> => one.name !== 'slug')
      .map(withUnused),
    field('slug', termRefs, 'api.terms.onlyTermsSlugs'),
    CONTEXT_FIELD,
  ] as const
}

type BareCall = Call<ValuesOf<ReturnType<typeof listFields>>>

function withUnused<F extends ListField>(one: F): F {
  return one.name === 'hide_empty' ? { ...one, default: false, shownDefault: undefined } : one
}

/**
 * The terms for programs that write into calendars of this kind: a bare array, totals in the headers, and what does not
 * exist is left out or 404 (wire: rest 3.9, 8.1). They can be read and created; changes are made at their own address.
 */
export function bareTermRoutes(terms: TermDeps, collection: string): AnyRoute[] {
  const deps = { ...terms, collection }
  return [listRoute(deps), createRoute(deps), readRoute(deps)]
}

/** What the routes need; `collection` is what their addresses call the terms. */
type BareDeps = TermDeps & { readonly collection: string }

function listRoute(deps: BareDeps): AnyRoute {
  const { key, collection } = deps
  return route({
    method: 'GET',
    path: `/${collection}`,
    operation: `listBare${capital(NOUNS[key].many)}`,
    pathFields: [],
    fields: listFields(key),
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: OWN_TERMS[key] },
    errors: [],
    scope: 'read',
    open: () => true,
    resolve: (call: BareCall, _item, refusals) => resolveBare(deps, call, refusals),
    handle: (call, _item, wanted) => listTerms(deps, call, wanted),
  })
}

function createRoute(deps: BareDeps): AnyRoute {
  const { key, collection } = deps
  return route({
    method: 'POST',
    path: `/${collection}`,
    operation: `createBare${capital(NOUNS[key].one)}`,
    pathFields: [],
    fields: WRITE_FIELDS[key],
    hasBody: true,
    fillsDefaults: true,
    response: { status: 201, schema: OWN_TERMS[key] },
    errors: errorsOf(key).create,
    scope: 'terms:write',
    open: MAY_WRITE[key],
    resolve: (call: WriteCall, _item, refusals) => checkSent(deps, { call, term: undefined }, refusals),
    handle: (call: WriteCall) =>
      createTerm(deps, call, async (reader, term) => {
        const body = presentBare({ key, term, ancestors: await ancestorsOf(reader, key, [term]), urls: call.urls })
        const version = await termVersion(reader, { key, term, now: utcFromMillis(call.now) })
        return { status: 201, body, read: body, version, headers: { Location: call.urls.api(termPath(key, term.id)) } }
      }),
  })
}

function readRoute(deps: BareDeps): AnyRoute {
  const { key, storage, collection } = deps
  return route({
    method: 'GET',
    path: `/${collection}/:id`,
    operation: `getBare${capital(NOUNS[key].one)}`,
    pathFields: [ID_FIELD],
    fields: [CONTEXT_FIELD],
    hasBody: false,
    fillsDefaults: false,
    response: { status: 200, schema: OWN_TERMS[key] },
    errors: ['rest_term_invalid'],
    scope: 'read',
    open: () => true,
    target: async (call) => ({ item: await findOrFail(deps, call) }),
    handle: async (call, term) => {
      const shown = { key, term, ancestors: await ancestorsOf(storage, key, [term]), urls: call.urls }
      const body = presentBare(shown, call.values.context)
      return { status: 200, body, version: await termVersion(storage, { key, term }) }
    },
  })
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** @throws rest_term_invalid */
async function findOrFail({ storage, key }: TermDeps, { path, caller }: Call<unknown>): Promise<Term> {
  const id = Number(path['id'])
  const term = Number.isSafeInteger(id) ? await termById(storage, key, id) : undefined
  const by = termViewerOf(caller)
  if (term === undefined || !(await isSeen(storage, key, { term, by }))) throw fail('rest_term_invalid')
  return term
}

async function resolveBare({ storage, key }: TermDeps, call: BareCall, refusals: InvalidParam[]): Promise<TermQuery> {
  const { slug, include, exclude, ...others } = call.values
  const known = async (refs: readonly string[] | undefined) =>
    refs && [...(await seekTerms(storage, key, refs)).values()]
  const query = await resolveTermQuery({ reader: storage, key }, { ...call, values: others }, refusals)
  const [named, wanted] = [await known(slug), await known(include)]
  const shown = named === undefined ? wanted : wanted === undefined ? named : named.filter((id) => wanted.includes(id))
  return { ...query, include: shown, exclude: (await known(exclude)) ?? [] }
}

async function listTerms({ storage, key, collection }: BareDeps, call: BareCall, wanted: TermQuery): Promise<Reply> {
  const paging = pagingOf(call.values, PAGE_LIMIT)
  const { total, terms } = await pageOfTerms(storage, key, { wanted, offset: paging.offset, limit: paging.perPage })
  const ancestors = await ancestorsOf(storage, key, terms)
  const items = terms.map((term) => presentBare({ key, term, ancestors, urls: call.urls }, call.values.context))
  const filters = filtersOf(call, listFields(key))
  const address = call.urls.api(`/${collection}/`)
  const reply = listReply({ address, member: collection, items, total, paging, filters })
  return { ...reply, body: items }
}
