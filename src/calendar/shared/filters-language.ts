import { type Expression, type SqlBool, sql } from 'kysely'
import type { FieldOptions } from '../../model/kinds/field.ts'
import { languageRange } from '../../model/kinds/language.ts'
import type { Condition } from './filters.ts'

/** The filter by language of a list: name, kind and description. */
export const LANGUAGE = ['language', languageRange, 'api.onlyItemsLanguageDe'] as const

/** The interface gives lists no such parameter. */
export const LANGUAGE_SHOWN: FieldOptions = { unlisted: true }

/** Whether a column holds a language, or that language of a region or in a script (RFC 4647 section 3.3.1). */
export function isWrittenIn(column: Expression<unknown>, tag: string): Condition {
  return sql<SqlBool>`(${column} = ${tag} or ${column} like ${`${tag}-%`})`
}
