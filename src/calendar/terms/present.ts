import { encodeText } from '../../base/text/entities.ts'
import type { Context } from '../../model/kinds/context.ts'
import { RESOURCES, type TermKey } from '../../model/resource.ts'
import { withExtra } from '../shared/present.ts'
import type { Viewer } from '../shared/viewer.ts'
import type { Term } from './tables.ts'

type Urls = Viewer['urls']

/** Addresses of a term in the API; `up` only below another category. */
export interface TermUrls {
  readonly self: string
  readonly collection: string
  readonly up?: string
}

/** A term as its own endpoints return it (wire: rest 1.5); unknown members of an import follow. */
export interface TermView {
  readonly id: number
  /** Published events that use the term directly. */
  readonly count: number
  readonly description: string
  /** Encoded: `Jazz &amp; Blues`. */
  readonly name: string
  readonly slug: string
  readonly taxonomy: string
  /** Categories only; 0 at the top. */
  readonly parent?: number
  readonly meta: readonly []
  /** Page of the term. */
  readonly url: string
  readonly urls: TermUrls
  /** Only where somebody has chosen one. */
  readonly color?: string
}

/** A term as events embed it (wire: events 1.1); unknown members of an import follow. */
export interface EmbeddedTerm {
  readonly name: string
  readonly slug: string
  readonly term_group: 0
  readonly term_taxonomy_id: number
  readonly taxonomy: string
  readonly description: string
  readonly parent: number
  readonly count: number
  readonly filter: 'raw'
  readonly id: number
  readonly urls: TermUrls
  /** Only where somebody has chosen one. */
  readonly color?: string
}

/** What the page URL of a term needs of its ancestors, by ID; empty for tags and at the top. */
export type Ancestors = ReadonlyMap<number, Pick<Term, 'slug' | 'parent'>>

/** A term with what its representation needs. */
export interface PresentableTerm {
  readonly key: TermKey
  readonly term: Term
  readonly ancestors: Ancestors
  readonly urls: Urls
}

/** A term in lists and in the response to a deletion. */
export function presentTerm(shown: PresentableTerm): TermView {
  return withExtra(viewOf(shown), shown.term.extra)
}

/** A term as single response: with `_links` to our own routes (decisions: Names and addresses). */
export function presentSingle(shown: PresentableTerm): TermView {
  const view = viewOf(shown)
  const links = {
    self: [{ href: view.urls.self }],
    collection: [{ href: view.urls.collection }],
    about: [{ href: shown.urls.api('') }],
    ...(view.urls.up !== undefined && { up: [{ embeddable: true, href: view.urls.up }] }),
  }
  return withExtra({ ...view, _links: links }, shown.term.extra)
}

function viewOf({ key, term, ancestors, urls }: PresentableTerm): TermView {
  return {
    id: term.id,
    count: term.count,
    description: term.description,
    name: encodeText(term.name),
    slug: term.slug,
    taxonomy: RESOURCES[key].wireType,
    ...(key === 'category' && { parent: term.parent }),
    meta: [],
    url: urls.page(pagePath(key, term, ancestors)),
    urls: termUrls(key, term, urls),
    ...(term.color !== '' && { color: term.color }),
  }
}

/**
 * A term for programs that write into calendars of this kind (wire: rest 8.1): `embed` leaves out what links to it do not
 * need; `edit` is `view`, since a term has nothing that only writers see.
 */
export function presentBare(shown: PresentableTerm, context: Context = 'view'): Readonly<Record<string, unknown>> {
  const { key, urls } = shown
  const { id, count, description, name, slug, taxonomy, parent, meta, url } = viewOf(shown)
  const links = {
    self: [{ href: urls.api(termPath(key, id)) }],
    collection: [{ href: urls.api(`/${RESOURCES[key].collection}`) }],
    about: [{ href: urls.api('') }],
  }
  if (context === 'embed') return { id, link: url, name, slug, taxonomy, _links: links }
  const above = parent === undefined ? {} : { parent }
  return { id, count, description, link: url, name, slug, taxonomy, ...above, meta, _links: links }
}

/** A term inside an event. */
export function presentEmbedded(key: TermKey, term: Term, urls: Urls): EmbeddedTerm {
  const embedded: EmbeddedTerm = {
    name: encodeText(term.name),
    slug: term.slug,
    term_group: 0,
    term_taxonomy_id: term.id,
    taxonomy: RESOURCES[key].wireType,
    description: term.description,
    parent: term.parent,
    count: term.count,
    filter: 'raw',
    id: term.id,
    urls: termUrls(key, term, urls),
    ...(term.color !== '' && { color: term.color }),
  }
  return withExtra(embedded, term.extra)
}

/** Path of a term in the API: `/categories/6`. */
export function termPath(key: TermKey, id: number): string {
  return `/${RESOURCES[key].collection}/${id}`
}

function termUrls(key: TermKey, term: Term, urls: Urls): TermUrls {
  const self = urls.api(termPath(key, term.id))
  const collection = urls.api(`/${RESOURCES[key].collection}`)
  return term.parent === 0 ? { self, collection } : { self, collection, up: urls.api(termPath(key, term.parent)) }
}

/** Path of a term's page: the slugs of its ancestors precede its own. */
function pagePath(key: TermKey, term: Term, ancestors: Ancestors): string {
  const slugs = [term.slug]
  const seen = new Set([term.id])
  for (let above = term.parent; above !== 0 && !seen.has(above); ) {
    const ancestor = ancestors.get(above)
    if (ancestor === undefined) break
    slugs.unshift(ancestor.slug)
    seen.add(above)
    above = ancestor.parent
  }
  return `/${RESOURCES[key].page}/${slugs.join('/')}/`
}
