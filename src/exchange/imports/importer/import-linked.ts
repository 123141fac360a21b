import { isDeepStrictEqual } from 'node:util'
import { fold } from '../../../base/text/fold.ts'
import type { LinkedRoom } from '../../../calendar/shared/linked/room.ts'
import type { LinkedContent, LinkedRow } from '../../../calendar/shared/linked/row.ts'
import { createLinked, storeLinked } from '../../../calendar/shared/linked/write.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { SourceLinked } from '../readers/json/read-linked.ts'
import { importEntries } from './import-entries.ts'
import { commonColumns, type ImportContext, type ImportedItem, wantedSlug } from './outcome.ts'

/** Imports venues or organizers; how each came out. */
export async function importLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: LinkedRoom<readonly AnyField[], Content>,
  { items, run }: { readonly items: readonly SourceLinked<Content>[]; readonly run: ImportContext },
): Promise<ImportedItem[]> {
  const agent = { actor: run.owner, at: run.at }
  return importEntries<SourceLinked<Content>, LinkedRow<Content>>(
    tx,
    {
      key: room.key,
      rows: (ids) => room.rows(tx, ids),
      create: async (item, lineage) => {
        const slug = wantedSlug(item.entry, '')
        const columns = { ...item.content, ...commonColumns(item, undefined, run), slug }
        const { wishedId } = item.identity
        const options = { ...agent, ...(wishedId !== undefined && { wishedId }), lineage }
        return (await createLinked(tx, room, { columns, options })).id
      },
      update: async ({ content, isFilling }, { stored, next, isKnown }) => {
        const row = isFilling
          ? filledIn(stored, content)
          : { ...next, ...content, ...decidedHere(stored), name_folded: fold(content.name) }
        if (isKnown && isDeepStrictEqual({ ...row }, { ...stored })) return false
        await storeLinked(tx, room, { stored, row, ...agent })
        return true
      },
    },
    { items, run },
  )
}

/** That a venue takes one event at a time is decided here: hardly a file says it, and none lifts it. */
function decidedHere(stored: object): { readonly exclusive?: 1 } {
  return 'exclusive' in stored && stored.exclusive === 1 ? { exclusive: 1 } : {}
}

/** A row completed with values for its empty columns; a row of a table knows no other columns. */
export function filledIn<Row extends object>(row: Row, said: object): Row {
  const columns = Object.entries(row).map(([name, value]): [string, unknown] => {
    const isEmpty = value === '' || value === null
    return [name, isEmpty && Object.hasOwn(said, name) ? Reflect.get(said, name) : value]
  })
  // The same columns as before.
  return Object.fromEntries(columns) as unknown as Row
}
