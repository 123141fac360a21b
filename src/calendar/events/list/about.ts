import { type Expression, type SqlBool, sql } from 'kysely'
import type { Search } from '../../../base/text/search.ts'
import type { EngineName } from '../../../storage/engine.ts'
import { entriesWithText } from '../../../storage/entries-with-text.ts'
import { containsText, isIndexed } from '../../../storage/expressions.ts'
import { inList } from '../../../storage/statement-template.ts'
import type { Condition } from '../../shared/filters.ts'
import { checkSearch } from '../../shared/filters-search.ts'
import { NAMED_KINDS, type NamedKind, readWords } from '../../shared/names/find.ts'
import type { Candidates, RowContext } from './conditions.ts'
import type { EventFilterContext } from './named.ts'

/** A word of a search, and what has it in its name. */
interface AboutWord {
  readonly word: string
  /** IDs by kind, without kinds that have none; categories with those below them. */
  readonly linked: readonly (readonly [NamedKind, readonly number[]])[]
}

/** Words that events have in their text, or in the name of something that is linked to them. */
export interface AboutSearch {
  readonly words: readonly AboutWord[]
  readonly excluded: readonly string[]
}

/** Looks the words up among names, and corrects those that nothing has. */
export async function aboutOf(search: Search, context: EventFilterContext): Promise<AboutSearch> {
  const { reader, lookups, caller, values, refusals } = context
  const { words, names } = await readWords({ reader, caller, lookups }, search.words)
  if (values.include === undefined) await checkSearch(reader, { table: 'occurrence', search, name: 'about' }, refusals)
  const about = words.map(async (word): Promise<AboutWord> => {
    const found = NAMED_KINDS.map((kind) => {
      const ids = names[kind].filter(({ searched }) => searched.includes(word)).map(({ id }) => id)
      return [kind, ids] as const
    })
    const whole = found.map(async ([kind, ids]) => {
      return [
        kind,
        kind === 'category' && ids.length > 0 ? await lookups.category.descendants(reader, ids) : ids,
      ] as const
    })
    return { word, linked: (await Promise.all(whole)).filter(([, ids]) => ids.length > 0) }
  })
  return { words: await Promise.all(about), excluded: search.excluded }
}

/** Whether an index leads to the events of a search. */
export function leadsToAbout({ words }: AboutSearch): boolean {
  return words.some(({ word }) => isIndexed(word))
}

/** Whether the event of a row has all words in its text or in names that are linked to it, and none that is excluded. */
export function isAbout({ words, excluded }: AboutSearch, { row, engine }: RowContext): Condition {
  const id = row.ref('occurrence.event_id')
  return row.and([
    ...words.map(({ word, linked }) =>
      row.or([
        containsText(engine, id, word),
        ...linked.map((one) => sql<SqlBool>`${id} in (${eventsOf(engine, one)})`),
      ]),
    ),
    ...excluded.map((word) => row.not(containsText(engine, id, word))),
  ])
}

/** The events of the longest word that the index of texts knows, with conditions for everything else. */
export function eventsAbout({ words, excluded }: AboutSearch, context: RowContext): Candidates {
  const longest = words
    .filter(({ word }) => isIndexed(word))
    .sort((one, other) => other.word.length - one.word.length)[0]
  if (longest === undefined) throw new Error('no index knows the words of the search')
  const { word, linked } = longest
  const texts = entriesWithText(context.engine, { words: [word], excluded: [] })?.entries
  const parts = [
    ...(texts === undefined ? [] : [sql`select id from ${texts} as texts`]),
    ...linked.map((one) => eventsOf(context.engine, one)),
  ]
  const others = { words: words.filter((one) => one !== longest), excluded }
  return { events: sql`(${sql.join(parts, sql` union `)})`, also: [isAbout(others, context)] }
}

function eventsOf(engine: EngineName, [kind, ids]: readonly [NamedKind, readonly number[]]): Expression<unknown> {
  const table = `event_${kind}`
  return sql`select event_id as id from ${sql.table(table)} where ${inList(engine, `${table}.${kind}_id`, ids)}`
}
