import type { Migration } from './migration.ts'

/** Finds the events that are canceled, moved or the like, those that people can attend online, and those of a language. */
export const rareEvents: Migration = {
  id: 29,
  name: 'rare events',
  up: () => [
    "create index event_status on event (event_status) where event_status <> 'scheduled'",
    'create index event_virtual on event (id) where is_virtual = 1',
    "create index event_language on event (language) where language <> ''",
  ],
}
