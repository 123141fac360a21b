import { events, identity, linked, lists } from './initial/items.ts'
import { accounts, imports, jobs, journal, mails, webhooks } from './initial/operation.ts'
import { texts } from './initial/search.ts'
import type { Migration } from './migration.ts'

/** The schema of the first release. */
export const initial: Migration = {
  id: 1,
  name: 'initial schema',
  up: (dialect) => [
    ...identity(),
    ...accounts(),
    ...mails(),
    ...events(),
    ...linked(),
    ...lists(dialect),
    ...texts(dialect),
    ...journal(),
    ...imports(),
    ...webhooks(),
    ...jobs(),
  ],
}
