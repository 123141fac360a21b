import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { PAGE_FIELDS } from '../../http/paging.ts'
import type { Call } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choice } from '../../model/kinds/choice.ts'
import { type AnyField, field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { termRefs } from '../../model/kinds/list.ts'
import { parentFilter } from '../../model/kinds/parent-filter.ts'
import type { Since } from '../../model/kinds/since.ts'
import { search, slugParam } from '../../model/kinds/text.ts'
import type { TermKey } from '../../model/resource.ts'
import type { EngineName } from '../../storage/engine.ts'
import type { Database } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'
import { isChangedSince, UPDATED_SINCE } from '../shared/filters-updated.ts'
import { TAXONOMY_LINKS } from './tables.ts'
import type { TermViewer } from './term-viewer.ts'

/** What lists of terms can be sorted by (wire: rest 2.6). */
const ORDER_BY = [
  'id',
  'term_id',
  'name',
  'slug',
  'count',
  'description',
  'term_group',
  'include',
  'include_slugs',
  'parent',
  'none',
] as const

type OrderBy = (typeof ORDER_BY)[number]
type OrderColumn = 'id' | 'name_key' | 'slug' | 'count' | 'description' | 'parent'

/** The column that each of them sorts by. */
const ORDER_COLUMNS: Readonly<Record<OrderBy, OrderColumn>> = {
  id: 'id',
  term_id: 'id',
  name: 'name_key',
  slug: 'slug',
  count: 'count',
  description: 'description',
  // Terms have no groups here: all are in the same one.
  term_group: 'name_key',
  include: 'name_key',
  include_slugs: 'name_key',
  parent: 'parent',
  none: 'id',
}

const BEFORE_PARENT = [
  ...PAGE_FIELDS,
  field('search', search, 'api.terms.onlyTermsWhoseName'),
  field('exclude', termRefs, 'api.terms.idsSlugsTermsExclude'),
  field('include', termRefs, 'api.terms.onlyTermsIdSlug'),
  field('order', choice(['asc', 'desc']), 'api.whetherSortAscendingAsc'),
  field('orderby', choice(ORDER_BY), 'api.terms.fieldSortTerms'),
  field('hide_empty', boolean, 'api.terms.whetherExcludeTermsWithout', {
    default: true,
    shownDefault: '1',
  }),
] as const

const PARENT = [field('parent', parentFilter, 'api.terms.idParentCategory0')] as const

const AFTER_PARENT = [
  field('post', positive, 'api.terms.idEventWhoseTerms'),
  field('event', positive, 'api.terms.idEventWhoseTermsList'),
  field('slug', slugParam, 'api.terms.onlyTermSlug'),
  field(...UPDATED_SINCE, { unlisted: true }),
] as const

/** A parameter of the lists of categories and tags. */
export type ListField = (typeof BEFORE_PARENT | typeof PARENT | typeof AFTER_PARENT)[number]

/** The parameters of a list that were sent, and defaults. */
export type ListValues = ValuesOf<readonly ListField[]>

/** The parameters of the list in the interface's order; only categories have a parent (interface: Tags). */
export const LIST_FIELDS: Readonly<Record<TermKey, readonly ListField[]>> = {
  category: [...BEFORE_PARENT, ...PARENT, ...AFTER_PARENT],
  tag: [...BEFORE_PARENT, ...AFTER_PARENT],
}

/** A term list query, with all names resolved. */
export interface TermQuery {
  /** Folded texts that must all occur. */
  readonly words: readonly string[]
  /** Folded texts that must not occur. */
  readonly excluded: readonly string[]
  /** The only terms to show, in the order sent; undefined for all. */
  readonly include?: readonly number[] | undefined
  readonly exclude: readonly number[]
  /** Only direct children of this category; 0 for those at the top; undefined for all. */
  readonly parent?: number | undefined
  /** Only terms of this event; 0 for one that shows none, undefined for all. */
  readonly event?: number | undefined
  /** What the terms of that event depend on: it, and for a date of a series its series and what it has for itself. */
  readonly eventRows?: readonly number[]
  /** Only the term with this slug; '' for one that can name nothing. */
  readonly slug?: string | undefined
  /** Only terms that have changed since. */
  readonly changedSince?: Since | undefined
  /** Only terms with a published event. */
  readonly onlyUsed: boolean
  /** The viewer of terms that only unpublished events use; undefined for all terms. */
  readonly seenBy?: TermViewer | undefined
  readonly order: 'asc' | 'desc'
  readonly orderBy: OrderBy
}

/** Whether the list follows the order of `include` and not a column. */
export function followsInclude(wanted: TermQuery): boolean {
  return wanted.include !== undefined && (wanted.orderBy === 'include' || wanted.orderBy === 'include_slugs')
}

/** The columns that sort a list, the deciding one first; ties go by name, then by ID. */
export function sorting(wanted: TermQuery): readonly (readonly [OrderColumn, 'asc' | 'desc'])[] {
  const column = ORDER_COLUMNS[wanted.orderBy]
  const ties = (['name_key', 'id'] as const).filter((one) => one !== column)
  return [[column, wanted.order], ...ties.map((one) => [one, 'asc'] as const)]
}

/** The conditions of a list on the rows of a taxonomy; totals and pages share them. */
export function conditions(
  eb: ExpressionBuilder<Database, TermKey>,
  scope: { readonly engine: EngineName; readonly key: TermKey },
  wanted: TermQuery,
): Expression<SqlBool>[] {
  const { links, target } = TAXONOMY_LINKS[scope.key]
  const { include, parent, event, slug } = wanted
  return [
    ...wanted.words.map((word) => contains(word)),
    ...wanted.excluded.map((word) => eb.not(contains(word))),
    ...(include === undefined ? [] : [inList(scope.engine, 'id', include)]),
    ...(wanted.exclude.length === 0 ? [] : [eb.not(inList(scope.engine, 'id', wanted.exclude))]),
    ...(parent === undefined ? [] : [eb('parent', '=', parent)]),
    ...(event === undefined ? [] : [eb('id', 'in', eb.selectFrom(links).select(target).where('event_id', '=', event))]),
    ...(slug === undefined ? [] : [eb('slug', '=', slug)]),
    ...(wanted.changedSince === undefined
      ? []
      : [isChangedSince(scope.key, sql.ref(`${scope.key}.id`), wanted.changedSince)]),
    ...(wanted.onlyUsed ? [eb('count', '>', 0)] : []),
    ...(wanted.seenBy === undefined ? [] : [isRevealed(eb, scope.key, wanted.seenBy)]),
  ]
}

/**
 * Whether a term without a published event is used by none at all, or by one of the caller's own: those of others would
 * reveal what their events are about (decisions: Term lists). Each check is one index lookup.
 */
function isRevealed(
  eb: ExpressionBuilder<Database, TermKey>,
  key: TermKey,
  { ownerId }: TermViewer,
): Expression<SqlBool> {
  const { links, target } = TAXONOMY_LINKS[key]
  const uses = sql`${sql.table(links)} where ${sql.ref(`${links}.${target}`)} = ${sql.ref(`${key}.id`)}`
  const isUnused = sql<SqlBool>`not exists (select 1 from ${uses})`
  if (ownerId === undefined) return eb.or([eb('count', '>', 0), isUnused])
  const isOwn = sql<SqlBool>`exists (select 1 from ${uses} and exists (select 1 from ${sql.table('event')}
    where ${sql.ref('event.id')} = ${sql.ref(`${links}.event_id`)} and ${sql.ref('event.author_id')} = ${ownerId}))`
  return eb.or([eb('count', '>', 0), isUnused, isOwn])
}

/** Folded text is lower case already, so that `like` means the same in every engine. */
function contains(word: string): Expression<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${sql.ref('search_text')} like ${pattern} escape '\\'`
}

/** The filters of a call as links repeat them: everything that was sent, with the value in force. */
export function filtersOf(call: Call, fields: readonly AnyField[]): [string, string][] {
  const filters = fields.slice(PAGE_FIELDS.length).map(({ name }): [string, string] | undefined => {
    const sent = call.sent[name] ?? null
    // A slug that cannot exist is read as '', a date as an object; links repeat what was sent.
    const value = call.values[name]
    return sent === null ? undefined : [name, linkText(value === '' || isObject(value) ? sent : value)]
  })
  return filters.filter((one) => one !== undefined)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}

function linkText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return Array.isArray(value) ? value.join(',') : String(value)
}
