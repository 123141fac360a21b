import type { AnyTool } from '../tool.ts'
import { FIND_REFERENCES } from './find-references.ts'

/** All tools in the order in which programs list them. */
export const TOOLS: readonly AnyTool[] = [FIND_REFERENCES]
