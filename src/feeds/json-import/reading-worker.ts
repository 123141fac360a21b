import { serveReading } from '../reading/worker.ts'
import { itemsOf, type SourceItem } from './items.ts'
import { withDates } from './series-dates.ts'
import type { JsonFile } from './types.ts'

// The body of the thread that reads recorded responses.
serveReading<readonly JsonFile[], null, SourceItem>(async (files) => ({
  found: null,
  items: withDates(files.flatMap(itemsOf)),
}))
