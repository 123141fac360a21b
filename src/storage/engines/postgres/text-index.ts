import type { Report, Storage, Transaction } from '../../engine.ts'
import { written } from '../../statement-builder.ts'

const INDEX = 'entry_text_trigrams'

const WITHOUT = 'text search has no index and reads every text'

/**
 * Creates a trigram index of the folded texts unless there is one. The extension pg_trgm comes with PostgreSQL and can
 * be created by any role that may create tables, but not everywhere: then each start logs it, and text search reads all
 * texts of the rows that match the other conditions. So it does when the index cannot be created for another reason.
 */
export async function ensureTextIndex(storage: Storage, report: Report): Promise<void> {
  const exists = await storage.first(
    written<{ name: string }>(
      `select relname as name from pg_class where relname = '${INDEX}' and pg_table_is_visible(oid)`,
    ),
  )
  if (exists !== undefined) return
  let circumstance = `${WITHOUT}: let an administrator of the database run "create extension pg_trgm" and start again`
  try {
    await storage.write((tx) => tx.run(written<{ name: string }>('create extension if not exists pg_trgm')), 'long')
    circumstance = `${WITHOUT}: it could not be made, which is tried again at the next start`
    await storage.write(async (tx) => {
      const operators = await operatorClass(tx)
      await tx.run(
        written<{ name: string }>(`create index if not exists ${INDEX} on entry_text using gin (body ${operators})`),
      )
    }, 'long')
  } catch (error) {
    report(error, circumstance)
  }
}

/** The operator class with its schema, which need not be one that is searched. */
async function operatorClass(tx: Transaction): Promise<string> {
  const schema = await tx.first(
    written<{
      name: string
    }>(`select quote_ident(nspname) as name from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`),
  )
  return schema === undefined ? 'gin_trgm_ops' : `${schema.name}.gin_trgm_ops`
}
