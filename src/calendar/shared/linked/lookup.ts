import type { Caller } from '../../../http/auth/rights.ts'
import type { Selector } from '../../../http/resource.ts'
import type { ImageRef } from '../../../model/kinds/image.ts'
import type { FieldContext } from '../../../model/kinds/kind.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import type { EntryColumns, MediaTable } from '../../../storage/schema.ts'
import type { FetchedImages } from '../image.ts'
import type { Viewer } from '../viewer.ts'

/** How a linked item is shown. */
export interface LinkedShowing {
  readonly viewer: Viewer
  /** Global IDs of other sites, in order; undefined when there are none. */
  readonly lineage: readonly string[] | undefined
  /** Its image, read from its `image_id`; undefined when it has none of ours. */
  readonly picture: MediaTable | undefined
  /** Whether the item carries `json_ld`: single reads only. */
  readonly withJsonLd: boolean
}

/** The data of a new item inside an event's write, read by the module's own create fields. */
export type InlineReading<Draft> =
  | { readonly ok: true; readonly draft: Draft; readonly image: ImageRef | undefined }
  /** `blank`: the name was sent and is empty. `refused`: a field was refused or the name is missing. */
  | { readonly ok: false; readonly problem: 'blank' | 'refused' }

/** The item of inline data, and whether it was made of them. */
export interface SavedLinked<Row> {
  readonly row: Row
  readonly isNew: boolean
}

/** What the events module uses of the venues and organizers modules. */
export interface LinkedLookup<Row extends EntryColumns, Draft = unknown> {
  /** Rows by ID, whatever their status; IDs without a row are absent. */
  byIds(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Row>>
  /** The row that a path names, whatever its status. */
  find(reader: Reader, selector: Selector): Promise<Row | undefined>
  /** The representation of the wire, empty members dropped. */
  present(row: Row, showing: LinkedShowing): Readonly<Record<string, unknown>>
  /** `image` is the image of the new item, which may still have to be fetched. */
  readInline(
    reader: Reader,
    data: Readonly<Record<string, unknown>>,
    call: { readonly caller: Caller; readonly context: FieldContext },
  ): Promise<InlineReading<Draft>>
  /** Stores inline data at a moment (UTC text), or finds the item that it equals (decisions: Duplicates). @throws rest_forbidden */
  saveInline(
    tx: Transaction,
    draft: Draft,
    cause: { readonly caller: Caller; readonly at: string; readonly fetched?: FetchedImages },
  ): Promise<SavedLinked<Row>>
}
