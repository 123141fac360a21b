import type { Resource } from '../tool.ts'
import { SITE } from './site.ts'

/** All resources in the order in which programs list them. */
export const RESOURCES: readonly Resource[] = [SITE]
