import { initial } from './0001-initial.ts'
import type { Migration } from './migration.ts'

export type { Migration } from './migration.ts'

/** All migrations in the order they apply. */
export const MIGRATIONS: readonly Migration[] = [initial]
