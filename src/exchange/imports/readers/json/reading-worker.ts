import type { JsonFile } from '../../types.ts'
import { serveReading } from '../thread/worker.ts'
import { itemsOf, type SourceItem } from './items.ts'
import { withDates } from './series-dates.ts'

/** Files for the thread, which are read together. */
export type FilesToRead = readonly JsonFile[]

// The body of the thread that reads recorded responses.
serveReading<FilesToRead, null, SourceItem>(async (files) => ({
  found: null,
  items: withDates(files.flatMap(itemsOf)),
}))
