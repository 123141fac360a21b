import { calendar } from './0001-calendar.ts'
import { pictures } from './0002-pictures.ts'
import { eventCounts } from './0003-event-counts.ts'
import { categoryTree } from './0004-category-tree.ts'
import { traits } from './0005-traits.ts'
import { words } from './0006-words.ts'
import { brief } from './0007-brief.ts'
import { pieces } from './0008-pieces.ts'
import { idempotency } from './0009-idempotency.ts'
import { attachments } from './0010-attachments.ts'
import type { Migration } from './migration.ts'

export type { Migration } from './migration.ts'

/** All migrations in the order they apply. */
export const MIGRATIONS: readonly Migration[] = [
  calendar,
  pictures,
  eventCounts,
  categoryTree,
  traits,
  words,
  brief,
  pieces,
  idempotency,
  attachments,
]
