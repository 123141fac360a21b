import type { Lookups } from '../events/index.ts'
import type { Site } from '../model/site.ts'
import type { Reader } from '../storage/engine.ts'

/** What the pages are made of. */
export interface WebParts {
  readonly reader: Reader
  readonly site: Site
  readonly lookups: Lookups
  /** All namespaces of the API by name, further names included: pages tell their readers where these are. */
  readonly namespaces: readonly string[]
}

/** What every page says of its site. */
export type SiteParts = Pick<WebParts, 'site' | 'namespaces'>
