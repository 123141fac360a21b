import { storedJson } from '../../base/text/stored-json.ts'
import type { DeclaredField } from '../../model/kinds/declared-field.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'

/** Start of the keys of `meta` under which declared fields are stored. */
const PREFIX = 'field.'

/** The further fields of events that the site has declared, by name; `[]` when it has declared none. */
export async function declaredFields(reader: Reader): Promise<DeclaredField[]> {
  const rows = await reader.all(
    reader.db.selectFrom('meta').selectAll().where('key', 'like', `${PREFIX}%`).orderBy('key'),
  )
  return rows.map(({ value }) => storedJson<DeclaredField>(value))
}

/** Declares a field, or changes one that is declared. */
export async function storeDeclaredField(tx: Transaction, declared: DeclaredField): Promise<void> {
  const value = JSON.stringify(declared)
  const row = { key: `${PREFIX}${declared.name}`, value }
  await tx.run(
    tx.db
      .insertInto('meta')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value })),
  )
}

/** Takes a declaration back; values of events stay. */
export async function removeDeclaredField(tx: Transaction, name: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('meta').where('key', '=', `${PREFIX}${name}`))
}
