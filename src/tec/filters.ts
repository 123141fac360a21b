import { expressionBuilder, sql } from 'kysely'
import { fail } from '../base/errors.ts'
import type { MessageId } from '../base/i18n/translate.ts'
import { fold } from '../base/text/fold.ts'
import { linkedFilter } from '../calendar/shared/linked/filters.ts'
import type { LinkedFilterContext } from '../calendar/shared/linked/named.ts'
import { idList } from '../model/kinds/list.ts'
import { line } from '../model/kinds/text.ts'
import { cachedRows } from '../storage/reads.ts'
import type { Database, OrganizerTable, VenueTable } from '../storage/schema.ts'
import { asStatement } from '../storage/statement-builder.ts'
import { inList } from '../storage/statement-template.ts'

/** Different texts that a column may have for a filter by it: each is read. */
const MOST_TEXTS = 10_000

const build = expressionBuilder<Database, never>()

/** Nothing but a change of the items themselves changes what is on the list. */
const MEMBERSHIP = { scope: () => [] } as const

/** The filter by a text that any of the columns has, apart from case and accents; an empty one filters nothing. */
function textFilter<const Name extends string>(
  name: Name,
  description: MessageId,
  columns: readonly (keyof VenueTable | keyof OrganizerTable)[],
) {
  return linkedFilter(name, line, description, {
    resolve: (text, context) => (text === '' ? undefined : spellingsOf(text, columns, context)),
    where: (texts, { key, engine }) => build.or(columns.map((column) => inList(engine, `${key}.${column}`, texts))),
    ...MEMBERSHIP,
  })
}

/** How columns spell a text. @throws rest_query_too_costly */
async function spellingsOf(
  text: string,
  columns: readonly string[],
  { reader, key }: LinkedFilterContext,
): Promise<readonly string[]> {
  const found: string[] = []
  const folded = fold(text)
  for (const column of columns) {
    const texts = sql<{ text: string }>`select distinct ${sql.ref(column)} as text from ${sql.table(key)}
      where ${sql.ref(column)} <> '' limit ${sql.lit(MOST_TEXTS + 1)}`
    const rows = await cachedRows(reader, asStatement(reader, texts))
    if (rows.length > MOST_TEXTS) throw fail('rest_query_too_costly')
    found.push(...rows.map((row) => row.text).filter((one) => fold(one) === folded))
  }
  return found
}

/** Filters by ID, of venues and organizers alike. */
export const BY_ID = [
  linkedFilter('include', idList, 'api.tec.include', {
    where: (ids, { key, engine }) => inList(engine, `${key}.id`, ids),
    ...MEMBERSHIP,
  }),
  linkedFilter('exclude', idList, 'api.tec.exclude', {
    where: (ids, { key, engine }) => build.not(inList(engine, `${key}.id`, ids)),
    ...MEMBERSHIP,
  }),
] as const

/** Texts that lists of venues filter by here and not in the interface. */
export const VENUE_TEXTS = [
  textFilter('city', 'api.venues.cityVenue', ['city']),
  textFilter('state', 'api.venues.state', ['state', 'province']),
  textFilter('country', 'api.venues.countryVenue', ['country']),
  textFilter('zip', 'api.venues.postalCodeVenue', ['zip']),
] as const

/** The same of organizers. */
export const ORGANIZER_TEXTS = [
  textFilter('email', 'api.organizers.emailAddressOrganizer', ['email']),
  textFilter('phone', 'api.organizers.phoneNumberOrganizer', ['phone']),
  textFilter('website', 'api.organizers.urlOrganizersWebsite', ['website']),
] as const
