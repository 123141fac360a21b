import { fail } from '../errors.ts'
import { CONTEXT_FIELD } from '../fields/context.ts'
import { field, type ValuesOf } from '../fields/field.ts'
import { termRefs } from '../fields/list.ts'
import { listReply, pagingOf } from '../http/pages.ts'
import { ID_FIELD } from '../http/resource.ts'
import { type AnyRoute, type Call, type Refusal, type Reply, route } from '../http/route.ts'
import type { Storage } from '../storage/engine.ts'
import { beholderOf } from './beholder.ts'
import { filtersOf, LIST_FIELDS, type ListField, type Sought } from './filters.ts'
import { seekTerms } from './lookup.ts'
import { presentBare } from './present.ts'
import { OWN_TERMS } from './schema.ts'
import type { Term } from './shape.ts'
import { resolveSought } from './sought.ts'
import { isSeen, pageOfTerms, termById } from './store.ts'
import { termVersion } from './version.ts'

/** Largest page of the bare list, as writers of calendars expect it. */
const PAGE_LIMIT = 100

/** The parameters of the tags' own list, with all tags shown by default and several slugs at once. */
const FIELDS = [
  ...LIST_FIELDS.tag
    .filter((one): one is Exclude<ListField, { readonly name: 'slug' }> => one.name !== 'slug')
    .map(withUnused),
  field('slug', termRefs, 'Slugs of the terms to show'),
  CONTEXT_FIELD,
] as const

type BareCall = Call<ValuesOf<typeof FIELDS>>

function withUnused<F extends ListField>(one: F): F {
  return one.name === 'hide_empty' ? { ...one, default: false, shownDefault: undefined } : one
}

/**
 * The tags as programs read them that write into calendars of this kind: a bare array, totals in the headers, and what
 * does not exist is passed over or 404 (wire: rest 3.9, 8.1). For reading alone; they are written at their own address.
 */
export function bareTagRoutes(parts: { readonly storage: Storage }): AnyRoute[] {
  const shared = { method: 'GET', hasBody: false, open: () => true } as const
  return [
    route({
      ...shared,
      path: '/tags',
      operation: 'listBareTags',
      summary: 'List tags as a bare array',
      description: 'Returns one page of tags; the totals are in the headers.',
      pathFields: [],
      fields: FIELDS,
      fillsDefaults: true,
      answer: { status: 200, schema: OWN_TERMS.tag },
      errors: [],
      resolve: (call: BareCall, _item, refusals) => resolveBare(parts.storage, call, refusals),
      handle: (call, _item, sought) => answerList(parts.storage, call, sought),
    }),
    route({
      ...shared,
      path: '/tags/:id',
      operation: 'getBareTag',
      summary: 'Read one tag',
      description: 'Returns the tag, provided that the caller may see it.',
      pathFields: [ID_FIELD],
      fields: [CONTEXT_FIELD],
      fillsDefaults: false,
      answer: { status: 200, schema: OWN_TERMS.tag },
      errors: ['rest_term_invalid'],
      target: async (call) => ({ item: await tagOf(parts.storage, call) }),
      handle: async (call, tag) => {
        const body = presentBare(tag, call.urls, call.values.context)
        return { status: 200, body, version: await termVersion(parts.storage, { key: 'tag', term: tag }) }
      },
    }),
  ]
}

async function tagOf(storage: Storage, { path, caller }: Call<unknown>): Promise<Term> {
  const id = Number(path['id'])
  const tag = Number.isSafeInteger(id) ? await termById(storage, 'tag', id) : undefined
  const by = beholderOf(caller)
  if (tag === undefined || !(await isSeen(storage, 'tag', { term: tag, by }))) throw fail('rest_term_invalid')
  return tag
}

async function resolveBare(storage: Storage, call: BareCall, refusals: Refusal[]): Promise<Sought> {
  const { slug, include, exclude, ...others } = call.values
  const known = async (refs: readonly string[] | undefined) =>
    refs && [...(await seekTerms(storage, 'tag', refs)).values()]
  const sought = await resolveSought({ reader: storage, key: 'tag' }, { ...call, values: others }, refusals)
  const [named, wanted] = [await known(slug), await known(include)]
  const shown = named === undefined ? wanted : wanted === undefined ? named : named.filter((id) => wanted.includes(id))
  return { ...sought, include: shown, exclude: (await known(exclude)) ?? [] }
}

async function answerList(storage: Storage, call: BareCall, sought: Sought): Promise<Reply> {
  const paging = pagingOf(call.values, PAGE_LIMIT)
  const { total, terms } = await pageOfTerms(storage, 'tag', { sought, offset: paging.offset, limit: paging.perPage })
  const items = terms.map((term) => presentBare(term, call.urls, call.values.context))
  const filters = filtersOf(call, FIELDS)
  const reply = listReply(call, { path: '/tags', member: 'tags', items, total, paging, filters })
  return { ...reply, body: items }
}
