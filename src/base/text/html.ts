import { singleSpaced, tidyCharacters } from './fold.ts'
import { breaksLine, IFRAME_ATTRIBUTES, POST_COMMON, POST_ELEMENTS, type Vocabulary } from './html-vocabulary.ts'
import { LONG_TEXT, recallMade } from './long-texts.ts'
import { paragraphs } from './paragraphs.ts'
import { sanitizeTree } from './sanitize.ts'
import { htmlTokens } from './tokens.ts'
import { buildTree, type Node } from './tree.ts'

/** Elements that show something without any text. */
const VISIBLE: ReadonlySet<string> = new Set(['audio', 'hr', 'iframe', 'img', 'video'])

/**
 * Description or excerpt as it is stored and answered: sanitized, with paragraphs (decisions: Text, HTML; wire: events
 * 1.4). Scripts, styles and comments go with their content, other unknown tags go and their text stays, blank lines
 * make `<p>` blocks joined by a newline, single newlines `<br />`; HTML that is in blocks already stays as it is.
 * Entities come back as characters, `&`, `<` and `>` encoded. `''` when nothing visible remains. Cleaning twice
 * changes nothing. Frames are kept only from `iframeHosts` (exact host names, default none).
 */
export function cleanHtml(input: string, options: { iframeHosts?: readonly string[] } = {}): string {
  const hosts = options.iframeHosts ?? NO_HOSTS
  const made = recallMade('clean', cleanKey(input, hosts))
  if (made !== undefined) return made
  const vocabulary = postVocabulary(hosts)
  const nodes = paragraphs(buildTree(htmlTokens(input), vocabulary))
  return isVisible(nodes) ? sanitizeTree(nodes, vocabulary) : ''
}

/** Distinguishes results for an input with these hosts. */
export function cleanKey(input: string, iframeHosts: readonly string[]): string {
  return input.length < LONG_TEXT || iframeHosts.length === 0 ? input : `${iframeHosts.join()}\n${input}`
}

/**
 * The text that readers see in HTML, on one line: entities decoded, tags, scripts and styles removed, a space where a
 * block starts or ends. For search, excerpts and JSON-LD.
 */
export function textOfHtml(html: string): string {
  const made = html === '' ? '' : recallMade('seen', html)
  if (made !== undefined) return made
  let text = ''
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') text += token.text
    else if (breaksLine(token.name)) text += ' '
  }
  return singleSpaced(text)
}

const NO_HOSTS: readonly string[] = []

// A server has one list of hosts, and what is known of a vocabulary is stored with it.
const vocabularies = new WeakMap<readonly string[], Vocabulary>()

function postVocabulary(iframeHosts: readonly string[]): Vocabulary {
  const elements = iframeHosts.length === 0 ? POST_ELEMENTS : { ...POST_ELEMENTS, iframe: IFRAME_ATTRIBUTES }
  const vocabulary = vocabularies.get(iframeHosts) ?? { elements, common: POST_COMMON, iframeHosts }
  vocabularies.set(iframeHosts, vocabulary)
  return vocabulary
}

function isVisible(nodes: readonly Node[]): boolean {
  return nodes.some((node) =>
    typeof node === 'string' ? /\S/.test(node) : VISIBLE.has(node.name) || isVisible(node.children),
  )
}

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

/** Ends of a block after which a sentence has ended, or goes on. */
const ENDED = /[.!?…:;,،؛؟。！？：；、)\]»”’"]$/u

const WITHOUT_SPACES = /[\u3040-\u30ff\u3400-\u9fff]$/u

/** Characters of HTML from which a summary is made: texts may be very long. */
const LOOKED_AT = 20_000

/** The text of HTML, or the beginning of a very long one, as sentences on one line: a block that ends without punctuation gets a full stop. */
export function sentencesOfHtml(html: string): string {
  let text = ''
  let isBlockOver = false
  const read = html.length <= LOOKED_AT ? html : html.slice(0, LOOKED_AT).replace(/<[^>]*$/, '')
  for (const token of htmlTokens(read)) {
    if (token.kind === 'text') {
      const isBlank = token.text.trim() === ''
      if (isBlockOver && !isBlank) text = `${withStop(text.trimEnd())} `
      text += token.text
      isBlockOver &&= isBlank
    } else if (breaksLine(token.name)) {
      text += ' '
      isBlockOver ||= token.name !== 'br' && text.trim() !== ''
    }
  }
  return singleSpaced(text)
}

function withStop(text: string): string {
  if (ENDED.test(text)) return text
  return WITHOUT_SPACES.test(text) ? `${text}。` : `${text}.`
}

/** The beginning of a text, at most so many characters, which ends behind a word: `An evening of jazz…`. */
export function cutAtWord(text: string, limit: number): string {
  const characters = [...text]
  if (characters.length <= limit) return text
  const start = characters.slice(0, limit).join('')
  const end = /^.*[\s、。，！？]/su.exec(start + characters[limit])?.[0].length ?? 0
  // Scripts without spaces, and very long words, are cut within.
  const kept = end > start.length * 0.6 ? start.slice(0, end) : start
  return `${kept.replace(/[\s.,;:–—-]+$/u, '')}…`
}
