import { tidyCharacters } from './fold.ts'
import { breaksLine } from './html-vocabulary.ts'
import { htmlTokens } from './tokens.ts'

/**
 * A title, name or single line as it is stored (decisions: Text): tags removed, scripts and styles with their content,
 * entities decoded exactly once, newlines and control characters as one space, trimmed. What is no complete tag stays
 * (`5 < 6 & 7`), and `&lt;b&gt;` becomes the text `<b>`. `''` where nothing can be seen. Law: `plainText(encodeText(x))`
 * is `x` for every `x` that `plainText` gave.
 */
export function plainText(input: string): string {
  // Most names hold neither markup nor references.
  const text = /[<&]/.test(input) ? textOf(input) : tidyCharacters(input)
  if (!SEEN.test(text)) return ''
  if (!BREAKS.test(text)) return text.trim()
  return text.replace(/\s+/g, (run) => (BREAKS.test(run) ? ' ' : run)).trim()
}

/** What separates lines or columns. */
const BREAKS = /[\t\n\u2028\u2029]/

/** What can be seen: neither white space nor a joiner, a direction mark or the like. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}]/u

function textOf(input: string): string {
  return htmlTokens(input)
    .map((token) => (token.kind === 'text' ? token.text : breaksLine(token.name) ? '\n' : ''))
    .join('')
}
