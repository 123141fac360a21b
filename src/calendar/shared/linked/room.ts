import type { MessageId } from '../../../base/i18n/translate.ts'
import type { NamedSchema } from '../../../http/openapi/parts.ts'
import { blankContent, type ColumnsOf } from '../../../model/column.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { Reader } from '../../../storage/engine.ts'
import { linkedRows } from '../../../storage/linked-rows.ts'
import type { AnyLinkedFilter } from './filters.ts'
import type { LinkedShowing } from './lookup.ts'
import type { LinkedContent, LinkedKey, LinkedRow } from './row.ts'

/** The errors that name the resource. */
export interface LinkedErrors {
  readonly pastEnd: 'venue-archive-page-not-found' | 'organizer-archive-page-not-found'
  readonly notCreated: 'could-not-create-venue' | 'could-not-create-organizer'
  readonly notAccessible: 'venue-not-accessible' | 'organizer-not-accessible'
  readonly inTrash: 'venue-is-in-trash' | 'organizer-is-in-trash'
}

/** The definition of venues or organizers, from which everything that they share is derived. */
export interface LinkedDefinition<WriteFields extends readonly AnyField[], Content extends LinkedContent> {
  /** Also the table, and the field that holds the name. */
  readonly key: LinkedKey
  /** An item in responses. */
  readonly schema: NamedSchema
  /** What the module is for, for the OpenAPI document: one English line. */
  readonly about: MessageId
  /** The filters of its list, in the interface's order. */
  readonly filters: readonly AnyLinkedFilter[]
  readonly writeFields: WriteFields
  /** The columns of the content: all plain, and named like their fields except `name`, whose field is the key. */
  readonly columns: ColumnsOf<Content>
  /** The columns that a search covers, in the order of the search text (wire: rest 2.5). */
  readonly searched: readonly (keyof LinkedRow<Content> & string)[]
  /** Columns that have a value together or not at all. */
  readonly pairs: readonly (readonly [keyof Content & string, keyof Content & string])[]
  /** Text fields that count as sent even if they equal what GET returns. */
  readonly alwaysSent: readonly (keyof Content & string)[]
  readonly errors: LinkedErrors
  /** What was sent and what follows from it, except pairs; `stored` is undefined on create. */
  complete(sent: Partial<Content>, stored: Content | undefined): Partial<Content>
  /** The schema.org object of an item. */
  jsonLd(row: LinkedRow<Content>, showing: LinkedShowing): Readonly<Record<string, unknown>>
}

/** A module of linked items: its definition and what is derived from the columns. */
export interface LinkedRoom<WriteFields extends readonly AnyField[], Content extends LinkedContent>
  extends LinkedDefinition<WriteFields, Content> {
  /** Content of an item of which nothing was sent. */
  readonly blank: Content
  /** The rows with these IDs, in no order; unknown IDs are left out. */
  rows(reader: Reader, ids: readonly number[]): Promise<LinkedRow<Content>[]>
}

/** Creates a module from its definition. */
export function linkedRoom<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  definition: LinkedDefinition<WriteFields, Content>,
): LinkedRoom<WriteFields, Content> {
  const { key, columns } = definition
  return { ...definition, blank: blankContent(columns), rows: linkedRows(key, columns) }
}
