import { scopeOf } from '../../entries/filters.ts'
import type { Part } from '../../http/cache/versions.ts'
import type { SentFilter } from './filters.ts'

/** What decides which events an anonymous reader's list has, and in which order; undefined where time does. */
export function dependenciesOf(sent: readonly SentFilter[]): readonly Part[] | undefined {
  const scope = scopeOf(sent)
  const isById = sent.some(({ filter }) => filter.isById)
  return scope && (isById ? scope : [{ of: 'event', listed: true }, ...scope])
}
