import type { Migration } from './migration.ts'

/** Finds the costs that there are, and the events that have one: those of a length that fits every index. */
export const costs: Migration = {
  id: 21,
  name: 'costs',
  up: () => ["create index event_cost on event (cost) where cost <> '' and length(cost) <= 300"],
}
