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
import { sessions } from './0011-sessions.ts'
import { series } from './0012-series.ts'
import { attendance } from './0013-attendance.ts'
import { language } from './0014-language.ts'
import { seriesExceptions } from './0015-series-exceptions.ts'
import { changed } from './0016-changed.ts'
import { exceptions } from './0017-exceptions.ts'
import { importedItems } from './0018-imported-items.ts'
import { exclusive } from './0019-exclusive.ts'
import { sources } from './0020-sources.ts'
import { costs } from './0021-costs.ts'
import { redirects } from './0022-redirects.ts'
import { sourceVisits } from './0023-source-visits.ts'
import { webhooks } from './0024-webhooks.ts'
import { longTexts } from './0025-long-texts.ts'
import { submissions } from './0026-submissions.ts'
import { formerSlugs } from './0027-former-slugs.ts'
import { unmadeMessages } from './0028-unmade-messages.ts'
import { rareEvents } from './0029-rare-events.ts'
import { longWork } from './0030-long-work.ts'
import { removedItems } from './0031-removed-items.ts'
import { addressStarts } from './0032-address-starts.ts'
import { sessionUse } from './0033-session-use.ts'
import { passwordUse } from './0034-password-use.ts'
import { followersChanged } from './0035-followers-changed.ts'
import { fewerIndexes } from './0036-fewer-indexes.ts'
import { trash } from './0037-trash.ts'
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
  sessions,
  series,
  attendance,
  language,
  seriesExceptions,
  changed,
  exceptions,
  importedItems,
  exclusive,
  sources,
  costs,
  redirects,
  sourceVisits,
  webhooks,
  longTexts,
  submissions,
  formerSlugs,
  unmadeMessages,
  rareEvents,
  longWork,
  removedItems,
  addressStarts,
  sessionUse,
  passwordUse,
  followersChanged,
  fewerIndexes,
  trash,
]
