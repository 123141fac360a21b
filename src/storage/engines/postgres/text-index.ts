import type { Compilable, Report, Storage, Transaction } from '../../engine.ts'

const INDEX = 'entry_text_trigrams'

const WITHOUT = 'text search has no index and reads every text'

/**
 * Gives the folded texts a trigram index unless they have one. The extension pg_trgm comes with PostgreSQL and may be
 * created by whoever may create tables, but not everywhere: then it is said once each start, and text search reads all
 * texts of the rows that meet the other conditions. So it does when the index cannot be made for another reason.
 */
export async function ensureTextIndex(storage: Storage, report: Report): Promise<void> {
  const exists = await storage.first(
    text(`select relname as name from pg_class where relname = '${INDEX}' and pg_table_is_visible(oid)`),
  )
  if (exists !== undefined) return
  let circumstance = `${WITHOUT}: let an administrator of the database run "create extension pg_trgm" and start again`
  try {
    await storage.write((tx) => tx.run(text('create extension if not exists pg_trgm')), 'long')
    circumstance = `${WITHOUT}: it could not be made, which is tried again at the next start`
    await storage.write(async (tx) => {
      const operators = await operatorClass(tx)
      await tx.run(text(`create index if not exists ${INDEX} on entry_text using gin (body ${operators})`))
    }, 'long')
  } catch (error) {
    report(error, circumstance)
  }
}

/** The operator class with its schema, which need not be one that is searched. */
async function operatorClass(tx: Transaction): Promise<string> {
  const schema = await tx.first(
    text(`select quote_ident(nspname) as name from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`),
  )
  return schema === undefined ? 'gin_trgm_ops' : `${schema.name}.gin_trgm_ops`
}

function text(sql: string): Compilable<{ name: string }> {
  return { compile: () => ({ sql, parameters: [] }) }
}
