import { trimSpaceEnd, trimSpaceStart } from './characters.ts'
import { INLINE } from './html-vocabulary.ts'
import { sanitizeTree } from './sanitize.ts'
import { htmlTokens } from './tokens.ts'
import { buildTree } from './tree.ts'

/**
 * Description of a term: only simple inline HTML survives, such as `<b>` and `<a href>` (wire: rest 3.9). Other tags
 * are removed and their text kept, scripts and styles go with their content, `&`, `<` and `>` are encoded; trimmed,
 * `''` when nothing remains. Doing it twice changes nothing.
 */
export function inlineHtml(input: string): string {
  return trimSpaceStart(trimSpaceEnd(sanitizeTree(buildTree(htmlTokens(input), INLINE), INLINE)))
}
