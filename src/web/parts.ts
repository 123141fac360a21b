import type { Lookups } from '../events/index.ts'
import type { Site } from '../model/site.ts'
import type { Reader } from '../storage/engine.ts'

/** What the pages are made of. */
export interface WebParts {
  readonly reader: Reader
  readonly site: Site
  readonly lookups: Lookups
}
