import { sql } from 'kysely'
import { fail } from '../base/errors.ts'
import type { EngineName, Reader, Storage, Transaction } from './engine.ts'
import { MIGRATIONS, type Migration } from './migrations/index.ts'
import { asStatement, written } from './statement-builder.ts'

/** What `migrate` needs beside the storage. */
export interface MigrateOptions {
  /** Unix milliseconds, for `migration.applied_at`. */
  readonly now: () => number
  /** Default: those of this program. IDs are 1, 2, 3 ... without gaps. */
  readonly migrations?: readonly Migration[]
}

/** A step that a database has. */
export interface Applied {
  readonly id: number
  readonly name: string
}

/**
 * Migrates the database to the schema of this program, forward only, each step in its own transaction and recorded in
 * the table `migration(id, name, applied_at)`; `applied_at` is UTC text. Returns the steps it applied, `[]` when there
 * was nothing to do. A failed step leaves the database as the step before it made it.
 * @throws database_newer when the database has steps that this program does not know
 * @throws database_not_usable when the steps of the database are not those of this program
 */
export async function migrate(storage: Storage, options: MigrateOptions): Promise<Migration[]> {
  const { now, migrations = MIGRATIONS } = options
  // A start that has nothing to do writes nothing: beside other processes each write waits for its turn.
  if (!(await hasTables(storage))) await storage.write((tx) => tx.run(written(MIGRATION_TABLE)), 'long')
  const applied = await appliedTo(storage)
  assertKnown(applied, { migrations, location: storage.location })
  const done: Migration[] = []
  for (const migration of migrations.filter(({ id }) => !applied.some((one) => one.id === id))) {
    const isNew = await storage.write((tx) => apply(tx, migration, utcText(now())), 'long')
    if (isNew) done.push(migration)
  }
  await storage.migrated?.()
  return done
}

/** Whether a database has been migrated before: one without tables is no calendar yet. */
export async function hasTables({ engine, first }: Pick<Reader, 'engine' | 'first'>): Promise<boolean> {
  const question =
    engine === 'sqlite'
      ? `select 1 as found from sqlite_schema where name = 'migration'`
      : `select 1 as found where to_regclass('migration') is not null`
  return (await first(written(question))) !== undefined
}

const MIGRATION_TABLE =
  'create table if not exists migration (id integer primary key, name text not null, applied_at text not null)'

/**
 * Translates the types of SQLite. Text is compared as bytes: PostgreSQL would use the collation of the database, so
 * each text column overrides it. Integers have 64 bits, so that a number which is not an ID finds nothing instead of
 * failing.
 */
function inDialect(engine: EngineName, statement: string): string {
  if (engine !== 'postgres' || !/^\s*(create|alter) table\b/i.test(statement)) return statement
  return statement.replace(/\btext\b/g, 'text collate "C"').replace(/\binteger\b/g, 'bigint')
}

/** Applies one step unless it is recorded, which is checked inside the transaction that applies it. */
async function apply(tx: Transaction, migration: Migration, appliedAt: string): Promise<boolean> {
  const applied = await appliedTo(tx)
  if (applied.some(({ id }) => id === migration.id)) return false
  for (const statement of migration.up(tx.engine)) await tx.run(written(inDialect(tx.engine, statement)))
  const record = sql`insert into migration (id, name, applied_at)
    values (${migration.id}, ${migration.name}, ${appliedAt})`
  await tx.run(asStatement(tx, record))
  return true
}

/** The steps that a database with tables has, in their order. */
export function appliedTo(reader: Reader): Promise<Applied[]> {
  return reader.all<Applied>(written('select id, name from migration order by id'))
}

/** Name of the first step of versions from before the first release, which had others. */
const UNRELEASED = 'calendar'

const WAY_OUT =
  'was written by a version from before the first release. Export it with that version ("kalends export FOLDER"), ' +
  'and import the folder into a new calendar with this one ("kalends import FOLDER").'

/**
 * Refuses a database with steps that this program does not have.
 * @throws database_newer, database_not_usable
 */
export function assertKnown(
  applied: readonly Applied[],
  { migrations, location }: { migrations: readonly Migration[]; location: string },
): void {
  if (applied[0]?.name === UNRELEASED) throw fail('database_not_usable', { reason: `${location} ${WAY_OUT}` })
  const newest = migrations.at(-1)?.id ?? 0
  if (applied.some(({ id }) => id > newest)) throw fail('database_newer', { path: location })
  const stranger = applied.find(({ id, name }) => migrations.find((known) => known.id === id)?.name !== name)
  if (!stranger) return
  throw fail('database_not_usable', { reason: `${location}: unknown migration ${stranger.id} "${stranger.name}"` })
}

function utcText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}
