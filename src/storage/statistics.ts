import type { Storage } from './engine.ts'
import { written } from './statement-builder.ts'

/**
 * Has PostgreSQL count what its tables hold, after they were filled at once: until it knows, a search takes seconds
 * instead of milliseconds, and its own round comes after minutes. SQLite needs no such numbers: statements say what leads.
 */
export async function countForPlans(storage: Storage): Promise<void> {
  if (storage.engine === 'postgres') await storage.write((tx) => tx.run(written('analyze')), 'long')
}
