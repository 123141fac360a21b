import type { Resource } from '../tool.ts'
import { DAY } from './day.ts'
import { EVENT } from './event.ts'
import { FIELDS_HELP } from './fields.ts'
import { SITE } from './site.ts'

/** All resources in the order in which programs list them. */
export const RESOURCES: readonly Resource[] = [SITE, FIELDS_HELP, EVENT, DAY]
