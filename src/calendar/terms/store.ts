import { COLORS } from '../../model/color.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Compilable, Reader } from '../../storage/engine.ts'
import { cachedRows } from '../../storage/reads.ts'
import { idsTemplate, inList } from '../../storage/statement-template.ts'
import { conditions, followsInclude, sorting, type TermQuery } from './filters.ts'
import { TERM_COLUMNS, type Term } from './tables.ts'
import type { TermViewer } from './term-viewer.ts'

/** A term by ID; undefined if there is none in this taxonomy. */
export function termById(reader: Reader, key: TermKey, id: number): Promise<Term | undefined> {
  return reader.first(reader.db.selectFrom(key).select(TERM_COLUMNS).where('id', '=', id))
}

/** A term by its slug; undefined if there is none in this taxonomy. */
export function termBySlug(reader: Reader, key: TermKey, slug: string): Promise<Term | undefined> {
  return reader.first(reader.db.selectFrom(key).select(TERM_COLUMNS).where('slug', '=', slug))
}

/** The terms with these IDs, by name; unknown IDs are left out. */
export async function termsByIds(reader: Reader, key: TermKey, ids: readonly number[]): Promise<Term[]> {
  if (ids.length === 0) return []
  return reader.all(WITH_IDS[key](reader, ids))
}

const WITH_IDS = { category: termsWith('category'), tag: termsWith('tag') } as const

function termsWith(key: TermKey) {
  return idsTemplate((reader, hasId) =>
    reader.db.selectFrom(key).select(TERM_COLUMNS).where(hasId('id')).orderBy('name_key').orderBy('id'),
  )
}

/** All terms of a taxonomy, by ID. */
export function allTerms(reader: Reader, key: TermKey): Promise<Term[]> {
  return reader.all(reader.db.selectFrom(key).select(TERM_COLUMNS).orderBy('id'))
}

/** The ways to refer to a term; `id` is 0 where the reference cannot be one. */
export interface Names {
  readonly id: number
  readonly slugs: readonly string[]
  /** Folded name. */
  readonly name: string
}

/** Terms that any of the names may mean, lowest ID first. */
export async function termsNamed(
  reader: Reader,
  key: TermKey,
  names: readonly Names[],
): Promise<Pick<Term, 'id' | 'slug' | 'name_folded'>[]> {
  if (names.length === 0) return []
  const { engine } = reader
  return reader.all(
    reader.db
      .selectFrom(key)
      .select(['id', 'slug', 'name_folded'])
      .where((eb) =>
        eb.or([
          inList(
            engine,
            'id',
            names.map((one) => one.id),
          ),
          inList(
            engine,
            'slug',
            names.flatMap((one) => one.slugs),
          ),
          inList(
            engine,
            'name_folded',
            names.map((one) => one.name),
          ),
        ]),
      )
      .orderBy('id'),
  )
}

/** The lowest term with this folded name under the same parent; for tags the parent is 0. */
export async function idOfDuplicate(
  reader: Reader,
  key: TermKey,
  duplicate: { readonly name: string; readonly parent: number },
): Promise<number | undefined> {
  return (await idsOfDuplicates(reader, key, duplicate))[0]
}

/** All terms with this folded name under the same parent, the lowest ID first. */
export async function idsOfDuplicates(
  reader: Reader,
  key: TermKey,
  { name, parent }: { readonly name: string; readonly parent: number },
): Promise<readonly number[]> {
  const query = reader.db.selectFrom(key).select('id').where('name_folded', '=', name).where('parent', '=', parent)
  return (await reader.all(query.orderBy('id'))).map(({ id }) => id)
}

/** The term that has a slug. */
export async function idOfSlug(reader: Reader, key: TermKey, slug: string): Promise<number | undefined> {
  const row = await reader.first(reader.db.selectFrom(key).select('id').where('slug', '=', slug))
  return row?.id
}

/** The categories above these terms; empty for tags. */
export async function ancestorsOf(
  reader: Reader,
  key: TermKey,
  terms: readonly Term[],
): Promise<ReadonlyMap<number, Pick<Term, 'slug' | 'parent'>>> {
  if (key === 'tag') return new Map()
  const parents = new Set(terms.map((term) => term.parent).filter((parent) => parent !== 0))
  return withAncestors(reader, [...parents])
}

/** The categories with these IDs and all above them, by ID. */
export async function withAncestors(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<Term, 'slug' | 'parent'>>> {
  if (ids.length === 0) return new Map()
  const query = reader.db
    .withRecursive('above', (db) =>
      db
        .selectFrom('category')
        .select(['id', 'slug', 'parent'])
        .where(inList(reader.engine, 'category.id', ids))
        .union(
          db
            .selectFrom('category')
            .innerJoin('above', 'above.parent', 'category.id')
            .select(['category.id', 'category.slug', 'category.parent']),
        ),
    )
    .selectFrom('above')
    .select(['id', 'slug', 'parent'])
  return new Map((await reader.all(query)).map(({ id, slug, parent }) => [id, { slug, parent }]))
}

/** Of terms that exist, by ID, those that a viewer sees: those that readable events use, and those that none uses. */
export async function idsSeen(
  reader: Reader,
  key: TermKey,
  { ids, by }: { readonly ids: readonly number[]; readonly by: TermViewer | undefined },
): Promise<ReadonlySet<number>> {
  if (by === undefined || ids.length === 0) return new Set(ids)
  const wanted: TermQuery = { ...EVERYTHING, include: ids, seenBy: by }
  return new Set((await reader.all(matching(reader, key, wanted).select('id'))).map(({ id }) => id))
}

/** Whether the caller may see a term. */
export async function isSeen(reader: Reader, key: TermKey, { term, by }: Seen): Promise<boolean> {
  return term.count > 0 || (await idsSeen(reader, key, { ids: [term.id], by })).has(term.id)
}

/** A term and its viewer; undefined for those who see all. */
interface Seen {
  readonly term: Pick<Term, 'id' | 'count'>
  readonly by: TermViewer | undefined
}

const EVERYTHING: TermQuery = { words: [], excluded: [], exclude: [], onlyUsed: false, order: 'asc', orderBy: 'id' }

/** A page of a list. */
export interface TermPage {
  /** All terms that the list shows, on whatever page. */
  readonly total: number
  readonly terms: readonly Term[]
}

/** A page of the terms that match, and how many there are in all. */
export async function pageOfTerms(
  reader: Reader,
  key: TermKey,
  asked: { readonly wanted: TermQuery; readonly offset: number; readonly limit: number },
): Promise<TermPage> {
  const { wanted, offset, limit } = asked
  if (followsInclude(wanted)) return pageInOrder(reader, key, asked)
  // Without an index the cost grows with the number of terms.
  const read = <Row>(query: Compilable<Row>): Promise<Row[]> =>
    wanted.event === undefined ? cachedRows(reader, query) : reader.all(query)
  const [counted] = await read(matching(reader, key, wanted).select((eb) => eb.fn.countAll<number>().as('total')))
  const total = counted?.total ?? 0
  if (offset >= total) return { total, terms: [] }
  const page = sorting(wanted)
    .reduce(
      (query, [column, order]) => query.orderBy(column, order),
      matching(reader, key, wanted).select(TERM_COLUMNS),
    )
    .limit(limit)
    .offset(offset)
  return { total, terms: await read(page) }
}

/** The terms that published events have, by name; at most `limit`. */
export async function usedTerms(reader: Reader, key: TermKey, limit: number): Promise<readonly Term[]> {
  const wanted: TermQuery = { ...EVERYTHING, onlyUsed: true, orderBy: 'name' }
  return (await pageOfTerms(reader, key, { wanted, offset: 0, limit })).terms
}

/** The list in the order of `include`, which has at most a thousand items: sorted here. */
async function pageInOrder(
  reader: Reader,
  key: TermKey,
  asked: { readonly wanted: TermQuery; readonly offset: number; readonly limit: number },
): Promise<TermPage> {
  const { wanted, offset, limit } = asked
  const rows = await reader.all(matching(reader, key, wanted).select('id'))
  const known = new Set(rows.map((row) => row.id))
  const ordered = (wanted.include ?? []).filter((id) => known.has(id))
  if (wanted.order === 'desc') ordered.reverse()
  const ids = ordered.slice(offset, offset + limit)
  const terms = await termsByIds(reader, key, ids)
  return { total: ordered.length, terms: terms.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) }
}

function matching(reader: Reader, key: TermKey, wanted: TermQuery) {
  return reader.db.selectFrom(key).where((eb) => eb.and(conditions(eb, { engine: reader.engine, key }, wanted)))
}

/** Between the shades of categories that are created one after the other: far apart, and all of them before any comes again. */
const SHADE_STEP = 7

/** The color, as its number in the palette, that the fewest categories have. */
export async function rarestShade(reader: Reader): Promise<number> {
  const used = await reader.all(
    reader.db
      .selectFrom('category')
      .select((eb) => ['color', 'shade', eb.fn.countAll<number | string>().as('count')])
      .groupBy(['color', 'shade']),
  )
  const counts = COLORS.map((color, index) => {
    const same = used.filter((one) => (one.color === '' ? one.shade === index + 1 : one.color === color))
    return same.reduce((sum, one) => sum + Number(one.count), 0)
  })
  const order = COLORS.map((_, turn) => (turn * SHADE_STEP) % COLORS.length)
  const least = Math.min(...counts)
  return (order.find((index) => counts[index] === least) ?? 0) + 1
}
