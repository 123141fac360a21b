import type { Reader } from '../../storage/engine.ts'
import { inList } from '../../storage/statement-template.ts'
import { canonicalPath, canonicalQuery, type RedirectRule, sourcesOf, targetFrom } from './rules.ts'

/** The most particular rule for a canonical path and query; undefined if there is none. */
async function ruleFor(reader: Reader, path: string, query: string): Promise<RedirectRule | undefined> {
  const sources = sourcesOf(path, query)
  const wanted = reader.db
    .selectFrom('redirect')
    .select(['source', 'target'])
    .where(inList(reader.engine, 'redirect.source', sources))
  const rules = await reader.all(wanted)
  return rules.sort((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source))[0]
}

/** Where a rule leads. */
export interface RedirectTarget {
  readonly target: string
  /** The query of the request where it goes along, as it was sent; '' where the rule is for it alone, or has one. */
  readonly query: string
}

/** Where a path with its query (`/old?page=1`) leads that names nothing; undefined when no rule is for it. */
export async function redirectTarget(reader: Reader, requested: string): Promise<RedirectTarget | undefined> {
  const cut = requested.indexOf('?')
  const path = canonicalPath(cut < 0 ? requested : requested.slice(0, cut))
  const query = cut < 0 ? '' : requested.slice(cut)
  const rule = await ruleFor(reader, path, canonicalQuery(query))
  if (rule === undefined) return undefined
  const target = targetFrom(rule, path)
  return { target, query: rule.source.includes('?') || target.includes('?') ? '' : query }
}
