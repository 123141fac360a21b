import type { AnyField, ValuesOf } from '../../fields/field.ts'
import type { NamedSchema } from '../../http/openapi/parts.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { LinkedListField } from './filters.ts'
import type { LinkedShowing } from './lookup.ts'
import type { LinkedContent, LinkedDraft, LinkedKey, LinkedRow, Misfit } from './row.ts'

/** The table of a room: the statements that name its columns. */
export interface LinkedTable<Content extends LinkedContent> {
  /** The rows with these ids, in no order; unknown ids are left out. */
  rows(reader: Reader, ids: readonly number[]): Promise<LinkedRow<Content>[]>
  insert(tx: Transaction, row: LinkedRow<Content>): Promise<void>
  /** Stores every column of the row. */
  update(tx: Transaction, row: LinkedRow<Content>): Promise<void>
}

/** What the venues and the organizers room say of themselves; everything they share is made of it. */
export interface LinkedRoom<WriteFields extends readonly AnyField[], Content extends LinkedContent> {
  /** Also the table, and the field that holds the name. */
  readonly key: LinkedKey
  /** An item as it is answered. */
  readonly schema: NamedSchema
  /** What the room is about, for the OpenAPI document: one English line. */
  readonly about: string
  readonly listFields: readonly LinkedListField[]
  readonly writeFields: WriteFields
  readonly table: LinkedTable<Content>
  /** Content of an item of which nothing was sent. */
  readonly blank: Content
  /** `sent` gives what was sent under a name, also where it was passed over because it equals what GET answers. */
  draftOf(values: ValuesOf<WriteFields>, sent: (name: string) => unknown): LinkedDraft<Content>
  /** Refuses what was sent where it does not fit to the rest; `stored` is undefined on create. */
  check(sent: Partial<Content>, stored: Content | undefined): readonly Misfit[]
  /** What was sent and what follows from it; `stored` is undefined on create. */
  complete(sent: Partial<Content>, stored: Content | undefined): Partial<Content>
  /** The texts that a search looks at (wire: rest 2.5). */
  searched(row: LinkedRow<Content>): readonly string[]
  present(row: LinkedRow<Content>, showing: LinkedShowing): Readonly<Record<string, unknown>>
}
